/* errors.h - the queue of errors that OpenSSL keeps for each thread
 * SPDX-License-Identifier: MIT */
#ifndef PT_TLS_ERRORS_H
#define PT_TLS_ERRORS_H

#include <pt/host.h>

#include <openssl/err.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* of callbacks of OpenSSL */

/* Empty the queue. *REASON is its first error, which caused the others, or 0. Returns PT_ENOMEM if
 * one of them is that, else STATUS. */
static inline pt_status pt_tls_errors_(unsigned long *reason, pt_status status)
{
    unsigned long error = *reason = ERR_get_error();

    for (; error; error = ERR_get_error())
        if (!ERR_SYSTEM_ERROR(error) && ERR_GET_REASON(error) == ERR_R_MALLOC_FAILURE)
            status = PT_ENOMEM;
    return status;
}

/* An error in words, which are static. */
static inline const char *pt_tls_reason_text_(unsigned long reason)
{
    const char *text = ERR_SYSTEM_ERROR(reason) ? strerror(ERR_GET_REASON(reason))
                                                : ERR_reason_error_string(reason);

    return text ? text : "an unknown error of OpenSSL";
}

#endif
