/* words.h - what can be wrong with a text that names an address, in words
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_WORDS_H
#define PT_LIB_WORDS_H

#include <pt/net/net.h>

#define PT_WORDS_(X)                                                                             \
    X(NO_PORT, "no port: write ADDRESS:PORT, or unix:PATH")                                      \
    X(PORT, "the port is not a number from 0 to 65535")                                          \
    X(NO_HOST, "no host: write HOST:PORT")                                                       \
    X(DIGITS, "not an address in digits, such as 127.0.0.1:80 or [::1]:80")                      \
    X(BRACKETS, "an IPv6 address stands in brackets: [::1]:80")                                  \
    X(ZONE, "no such network interface as stands behind the %")                                  \
    X(PATH, "the path of a Unix socket is empty or too long")                                    \
    X(NO_NAME, "no host has this name")                                                          \
    X(SERVERS, "the name servers are not addresses, such as 127.0.0.1:53,[::1]:53")              \
    X(NO_ANSWER, "no name server has answered")                                                  \
    X(NO_CARES, "libpt was built without c-ares, and knows no host by a name")                   \
    X(HANDED, "no socket was handed over to this process: LISTEN_FDS and LISTEN_PID tell which") \
    X(NO_SUCH, "no socket of this number or name was handed over in LISTEN_FDS")                 \
    X(NO_LISTENER, "the descriptor that was handed over is not a socket that listens")

enum pt_word_ {
    PT_WORD_NONE_,
#define PT_WORD_(name, text) PT_WORD_##name##_,
    PT_WORDS_(PT_WORD_)
#undef PT_WORD_
};

/* A pt_io stores a word in its error, below 0, where no errno is. */
#define PT_ERROR_OF_WORD_(word) (-(int)(word))

/* The text of a word; NULL for PT_WORD_NONE_ and for a number that is none. */
const char *pt_word_text_(enum pt_word_ word);

/* A text as HOST:PORT. */
struct pt_host_port_ {
    char host[256]; /* without brackets and zone; empty: none */
    char zone[32];  /* of a host in brackets, behind the %; empty: none */
    bool bracketed; /* it can only be an IPv6 address */
    unsigned port;
};

/* Cut TEXT in parts. */
enum pt_word_ pt_host_port_cut_(struct pt_host_port_ *parts, const char *text);

/* The address of parts whose host is in digits; PT_WORD_DIGITS_ if it is a name. */
enum pt_word_ pt_host_port_address_(const struct pt_host_port_ *parts, struct pt_address *address);

/* The address of TEXT, if that is "unix:PATH"; PT_WORD_DIGITS_ if it is not. */
enum pt_word_ pt_path_address_(const char *text, struct pt_address *address);

/* pt_address_parse, with the word. */
enum pt_word_ pt_address_of_text_(struct pt_address *address, const char *text);

#endif
