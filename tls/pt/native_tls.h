/* native_tls.h - the operations of tls.h for native tasks
 * SPDX-License-Identifier: MIT
 *
 *     if (pt_tls_open(&tls, &web, &io, "example.org") == PT_OK &&
 *         (status = pt_native_tls_handshake(self, &tls)) != PT_OK)
 *         puts(pt_tls_error_text(&tls, status));
 *
 * Each function returns its code, as in native.h. Buffers and lengths may be local variables, and
 * so may a struct pt_tls. Readers and writers: native_io.h. */
#ifndef PT_NATIVE_TLS_H
#define PT_NATIVE_TLS_H

#include <pt/host/native_io.h>
#include <pt/tls.h>

/* pt_native_tls_handshake - PT_TLS_HANDSHAKE */
PT_API pt_status pt_native_tls_handshake(struct pt_native *self, struct pt_tls *tls);

/* pt_native_tls_read, pt_native_tls_write - PT_TLS_READ, PT_TLS_WRITE */
PT_API pt_status pt_native_tls_read(struct pt_native *self, struct pt_tls *tls, void *data,
                                    size_t size, size_t *got);
PT_API pt_status pt_native_tls_write(struct pt_native *self, struct pt_tls *tls, const void *data,
                                     size_t size, size_t *put);

/* pt_native_tls_finish - pt_tls_finish */
PT_API pt_status pt_native_tls_finish(struct pt_native *self, struct pt_tls *tls);

/* --- implementation ------------------------------------------------------------------------ */

/* The end of a function: call ATTEMPT; while it returns true, suspend and call it again. */
#define PT_NATIVE_TLS_(self, its_waits, attempt)                                        \
    (self)->pt.status = PT_OK;                                                          \
    while ((self)->pt.status == PT_OK && (attempt)) {                                   \
        pt_status status_ =                                                             \
            (its_waits).opcode == PT_OP_YIELD                                           \
                ? pt_native_yield(self)                                                 \
                : pt_native_await_(self, (struct pt *)(self)->task->node.link.operand); \
                                                                                        \
        if (status_ != PT_OK)                                                           \
            return status_;                                                             \
    }                                                                                   \
    return (self)->pt.status

PT_API pt_status pt_native_tls_handshake(struct pt_native *self, struct pt_tls *tls)
{
    PT_NATIVE_TLS_(self, tls->waits[0], pt_tls_handshake_(self->task, &self->pt, tls));
}

PT_API pt_status pt_native_tls_read(struct pt_native *self, struct pt_tls *tls, void *data,
                                    size_t size, size_t *got)
{
    PT_NATIVE_TLS_(self, tls->waits[0], pt_tls_read_(self->task, &self->pt, tls, data, size, got));
}

PT_API pt_status pt_native_tls_write(struct pt_native *self, struct pt_tls *tls, const void *data,
                                     size_t size, size_t *put)
{
    PT_NATIVE_TLS_(self, tls->waits[1], pt_tls_write_(self->task, &self->pt, tls, data, size, put));
}

PT_API pt_status pt_native_tls_finish(struct pt_native *self, struct pt_tls *tls)
{
    struct pt_tls_finish frame;

    return pt_native_call(self, &frame, pt_tls_finish, .tls = tls);
}

#endif
