/* pt_curl.h - transfers of libcurl that tasks await
 * SPDX-License-Identifier: MIT
 *
 *     static PT_TASK(pt_curl) curl;                      drives any number of transfers
 *     PT_START(&loop, &curl, pt_curl, .system = &sys);
 *
 *     PT_WAIT_COMPLETE(&self->get, pt_curl_transfer, .curl = &curl.frame, .easy = self->easy);
 *     if (self->pt.status == PT_OK && self->get.result == CURLE_OK) ...
 *
 *     pt_cancel(&curl.task, PT_ECANCELED);               at the end
 *
 * Copy the two files, or build them with the program: they need libcurl 7.16 and libpt. */
#ifndef PT_CURL_H
#define PT_CURL_H

#include <pt/host.h>

#include <curl/curl.h>

/* The frame of the task that drives them. It ends by a cancel: transfers get PT_ECLOSED then, and
 * so do those that begin before its first step or after its end. PT_ENOMEM: libcurl has no memory.
 * The callbacks of a transfer run in this task. They must not wait, and not start a transfer. One
 * that has no room for its bytes returns CURL_WRITEFUNC_PAUSE, and the server waits; the task that
 * has made room calls curl_easy_pause(easy, CURLPAUSE_CONT), which can call back at once. */
struct pt_curl {
    struct pt pt;
    struct pt_system *system; /* the caller sets this; the function writes the rest */
    CURLM *multi;             /* options can be set once it has begun; else NULL */
    struct pt_event ended;
    struct pt_pollset set;
    struct pt_pollset_wait next;
};

PT_DECLARE(pt_curl);

/* The frame of a transfer. EASY belongs to the caller, who has set its options; CURLOPT_PRIVATE is
 * used here. PT_OK: RESULT is the end, which can be an error. Cancel, timeout: the transfer ends at
 * once, and EASY may be freed or used again. */
struct pt_curl_transfer {
    struct pt pt;
    struct pt_curl *curl; /* the caller sets this and the next */
    CURL *easy;
    CURLcode result; /* the function writes this and the rest */
    struct pt_event done;
    PT_SELECTION(2) next;
};

PT_DECLARE(pt_curl_transfer);

#endif
