/* pt_curl.c - transfers of libcurl that tasks await
 * SPDX-License-Identifier: MIT */
#include "pt_curl.h"

/* libcurl waits to read or to write a socket; CURL_POLL_REMOVE is neither. */
static int want(CURL *easy, curl_socket_t fd, int what, void *curl, void *unused)
{
    struct pt_curl *self = (struct pt_curl *)curl;
    int events = (what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0);

    (void)easy, (void)unused;
    return pt_pollset_set(&self->set, fd, events) == PT_OK ? 0 : -1;
}

/* libcurl is to be called in so many milliseconds; -1: never. */
static int want_time(CURLM *multi, long delay, void *curl)
{
    struct pt_curl *self = (struct pt_curl *)curl;

    (void)multi;
    pt_pollset_after(&self->set, delay < 0 ? PT_DELAY_NEVER : PT_MS((pt_time)delay));
    return 0;
}

/* Let libcurl read and write, and tell the transfers that have ended. */
static void go_on(struct pt_curl *self)
{
    int what = self->next.events & ~POLLOUT ? CURL_CSELECT_IN : 0, left;
    struct pt_curl_transfer *transfer;
    CURLMsg *message;

    what |= self->next.events & POLLOUT ? CURL_CSELECT_OUT : 0;
    what |= self->next.events & POLLERR ? CURL_CSELECT_ERR : 0;
    curl_multi_socket_action(self->multi, self->next.fd < 0 ? CURL_SOCKET_TIMEOUT : self->next.fd,
                             what, &left);
    while ((message = curl_multi_info_read(self->multi, &left))) {
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
        transfer->result = message->data.result;
        pt_event_set(&transfer->done);
    }
}

PT_ASYNC(pt_curl, self)
{
    pt_event_init(&self->ended);
    pt_pollset_open(&self->set, self->system);
    self->multi = curl_multi_init();
    if (!self->multi)
        PT_RETURN(PT_ENOMEM);
    curl_multi_setopt(self->multi, CURLMOPT_SOCKETFUNCTION, want);
    curl_multi_setopt(self->multi, CURLMOPT_SOCKETDATA, self);
    curl_multi_setopt(self->multi, CURLMOPT_TIMERFUNCTION, want_time);
    curl_multi_setopt(self->multi, CURLMOPT_TIMERDATA, self);
    for (;;) {
        PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &self->set);
        go_on(self);
    }
    PT_FINALLY
    pt_event_set(&self->ended); /* before they run, their handles are free of the multi handle */
    curl_multi_cleanup(self->multi);
    self->multi = NULL;
    pt_pollset_close(&self->set);
}
PT_END

PT_ASYNC(pt_curl_transfer, self)
{
    pt_event_init(&self->done);
    curl_easy_setopt(self->easy, CURLOPT_PRIVATE, self);
    if (!self->curl->multi)
        PT_RETURN(PT_ECLOSED);
    if (curl_multi_add_handle(self->curl->multi, self->easy) != CURLM_OK)
        PT_RETURN(PT_EINVAL);
    PT_SELECT(&self->next, PT_CASE_EVENT(&self->done), PT_CASE_EVENT(&self->curl->ended));
    PT_RETURN(PT_SELECTED(&self->next) == 0 ? PT_OK : PT_ECLOSED);
    PT_FINALLY
    if (self->curl->multi)
        curl_multi_remove_handle(self->curl->multi, self->easy);
}
PT_END
