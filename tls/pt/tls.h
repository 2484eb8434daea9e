/* tls.h - TLS by OpenSSL 3: a connection whose bytes are encrypted, a stream like any other
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_tls_context web;                        zeroed: a client's
 *
 *     struct get { struct pt pt; struct pt_io io; struct pt_tls tls; struct pt_dial dial;
 *                  struct pt_reader in; struct pt_read_line line; char room[4096]; ... };
 *
 *     if (pt_tls_load(&web) != PT_OK)                          once, at the start of the program
 *         fprintf(stderr, "%s\n", web.error);
 *
 *     PT_TRY(&self->dial, pt_dial, .io = &self->io, .system = &sys, .to = "example.org:443");
 *     if (pt_tls_open(&self->tls, &web, &self->io, "example.org") != PT_OK) ...
 *     PT_TLS_HANDSHAKE(&self->tls);
 *     if (self->pt.status != PT_OK)
 *         puts(pt_tls_error_text(&self->tls, self->pt.status));    "certificate has expired"
 *     pt_reader_init(&self->in, pt_tls_stream(&self->tls), self->room, sizeof self->room);
 *     PT_TRY(&self->line, pt_read_line, .reader = &self->in);
 *
 *     PT_FINALLY
 *     pt_tls_close(&self->tls);                                closes io, too
 *
 * It is a library of its own, libpt-tls: `pkg-config --cflags --libs pt-tls`. Versions 1.2 and 1.3,
 * without renegotiation. The bytes go through the attempts of the pt_io below, so its waits, its
 * share and its codes are as ever: no SIGPIPE, no descriptor that OpenSSL knows. What is not here
 * is asked of OpenSSL itself: tls.ssl is the connection, context.ssl is what connections share.
 *
 * Codes, of each operation and of readers and writers:
 *
 *     PT_ECLOSED     a read: the other side has said that it writes no more (close_notify). Else: it is
 *                    gone, and reads what is written no more; what it has sent before can be read
 *     PT_EIO         as in io.h; ECONNRESET, if the connection ended without close_notify: somebody
 *                    may have cut it, and bytes can be missing. Never taken for the end
 *     PT_EFAILED     TLS has failed: a certificate, an alert of the other side, bytes that are none,
 *                    more than 64 records in a row without data, such as new keys
 *     PT_ECANCELED   an earlier write was ended midway, and this one has other bytes: see below
 *     PT_ENOMEM      OpenSSL has no memory
 *
 * pt_tls_error_text says why. After PT_EFAILED, PT_ECANCELED, PT_ENOMEM and a cut connection it can
 * only be closed: all further operations return the code, and tasks that wait in one wake up. After
 * any other failure of a write, or of a handshake that sends, reads go on to the end of what came.
 *
 * One task reads and another one may write at the same time. Either can wait for the other
 * direction, since a handshake makes a read write, and a write read. So do new keys, but a read
 * waits for a side that does not read its replies only when 64 KB of them are kept.
 *
 * Cancel, timeout: of a handshake or a read, nothing is lost, and the next one goes on. A write
 * that is ended midway can have sent a part of an encrypted record, and only the same bytes, and
 * more behind them, complete that: as pt_flush does, called again. Other bytes
 * instead of them fail. */
#ifndef PT_TLS_H
#define PT_TLS_H

#include <pt/host.h>

#include <openssl/ssl.h>

PT_QUIET_OPEN_

/* --- what connections share ------------------------------------------------------------------ */

/* A certificate: the names of two files in the format PEM. */
struct pt_tls_certificate {
    const char *chain; /* the certificate itself, then those that lead to one that clients trust */
    const char *key;   /* its private key, without a password */
};

/* What connections have in common. The caller sets the first four fields before pt_tls_load; what
 * they point to lasts as long as the connections. */
struct pt_tls_context {
    const struct pt_tls_certificate *certificates; /* who this side is: a server's, or a client's */
    int count;                                     /* how many; 0: none, a client */
    const char *trusted;   /* a file of certificates to trust; NULL: the system's */
    const char *protocols; /* for ALPN, the best one first: "h2,http/1.1"; NULL: none */
    SSL_CTX *ssl;          /* NULL: not loaded; pt_tls_load writes this and the next */
    char error[192];       /* what the last pt_tls_load has failed at: "key.pem: no start line" */
};

/* pt_tls_load - read the files; again, at any time, to replace what was read
 * Connections that are open keep what they have begun with, so a reload drops none; sessions that a
 * client would resume begin anew. If it fails, all stays as it was, and context->error says why:
 * PT_EINVAL for a file, PT_ENOMEM. It reads files, and takes about a millisecond for each. Threads
 * can share a context, while none loads or unloads it.
 *
 * A server presents the first certificate that has the name which the client asks for (SNI), else
 * the first of all. With TRUSTED it lets in only clients that have a certificate of these. A client
 * trusts these instead of those of the system (the environment's SSL_CERT_FILE and SSL_CERT_DIR, or
 * where OpenSSL has them). A server that has PROTOCOLS refuses a client that offers only others. */
PT_EXPORT pt_status pt_tls_load(struct pt_tls_context *context);

/* pt_tls_unload - free what pt_tls_load has read; open connections go on */
PT_EXPORT void pt_tls_unload(struct pt_tls_context *context);

/* --- a connection ---------------------------------------------------------------------------- */

/* A connection. You may read the first four; only the functions write it. It must not move while it
 * is open: make it a member of the frame. Zeroed, it is one that was never opened. */
struct pt_tls {
    struct pt_io *io;     /* the connection below; NULL: closed */
    SSL *ssl;             /* for OpenSSL's functions: SSL_get0_alpn_selected, SSL_set_verify */
    long verify;          /* what is wrong with the certificate: X509_V_ERR_..., or X509_V_OK */
    unsigned long reason; /* OpenSSL's number of a failure; the rest is private */
    char *kept;           /* encrypted bytes that io has no room for, or NULL */
    size_t kept_size, kept_room;
    size_t unfinished;       /* so many bytes of a write are among them, and must come again */
    uint64_t unfinished_sum; /* what tells that they are the same */
    pt_status failed[2];     /* why it reads, or writes, no more */
    int records;             /* which the last attempt has seen */
    bool wants_to_write[2];  /* what a read, or a write, waits for */
    bool agreed;             /* the handshake is over, and what it has written is sent */
    bool ended;              /* io is at its end */
    struct pt_stream_waits_ waits[2];
};

/* pt_tls_open - begin TLS over IO, an open socket of a connection; nothing is sent yet
 * HOST: the name, or the address in digits, of the server: its certificate must be for that, valid,
 * and from one that CONTEXT trusts. A dot at the end of a name makes no difference. NULL: this side
 * is the server. PT_OK, PT_ENOMEM, or PT_EINVAL if HOST is no name, as "[::1]", ".test", "*.test".
 * On an error TLS is closed, and IO still open. IO lasts until pt_tls_close, and nothing else reads
 * or writes it. The program stops if CONTEXT is not loaded.
 *
 * To trust any server, call SSL_set_verify(tls->ssl, SSL_VERIFY_NONE, NULL) afterwards. To resume a
 * session, SSL_set_session: it is resumed if its server was checked, for this host, and still holds. */
PT_EXPORT pt_status pt_tls_open(struct pt_tls *tls, const struct pt_tls_context *context,
                                struct pt_io *io, const char *host);

/* pt_tls_close - free the connection and close its io at once; tasks that wait get PT_ECLOSED
 * Without close_notify: the other side can tell that from an end, which is pt_tls_finish. No effect
 * if it is closed, or zeroed and never opened: a cleanup may call it in any case. */
PT_EXPORT void pt_tls_close(struct pt_tls *tls);

/* pt_tls_stream - its stream, for readers and writers (stream.h) */
PT_EXPORT struct pt_stream pt_tls_stream(struct pt_tls *tls);

/* pt_tls_error_text - why an operation ended with STATUS, in words, which are static
 * Those of OpenSSL for PT_EFAILED: "hostname mismatch", "tlsv1 alert unknown ca". */
PT_EXPORT const char *pt_tls_error_text(const struct pt_tls *tls, pt_status status);

/* PT_TLS_HANDSHAKE(&tls) - agree on keys, and check the certificate of the other side
 * The first read or write does that, too; this one tells its result before. A step of it, such as a
 * signature, takes up to some milliseconds of the loop. It has no limit of time: a client that says
 * nothing keeps it for ever, so put it into PT_WITH_TIMEOUT. */
#define PT_TLS_HANDSHAKE(tls) PT_TLS_(tls, NULL, 0, pt_tls_handshake_(pt_current_, pt_, tls))

/* PT_TLS_READ(&tls, data, size, &got) - read SIZE bytes at most, as PT_READ
 * The bytes of one record at most, which has up to 16 KB. */
#define PT_TLS_READ(tls, data, size, got)                                     \
    PT_TLS_(tls, (PT_IO_ONE_(data) PT_IO_ONE_(size) PT_IO_ONE_(got) NULL), 0, \
            pt_tls_read_(pt_current_, pt_, tls, data, size, got))

/* PT_TLS_WRITE(&tls, data, size, &put) - write as many of SIZE bytes as fit, as PT_WRITE
 * *PUT is the number written: 68 KB at most. */
#define PT_TLS_WRITE(tls, data, size, put)                                    \
    PT_TLS_(tls, (PT_IO_ONE_(data) PT_IO_ONE_(size) PT_IO_ONE_(put) data), 1, \
            pt_tls_write_(pt_current_, pt_, tls, data, size, put))

/* The frame of pt_tls_finish: say that nothing more comes (close_notify), read until the other side
 * has ended, too, close. So all that was written arrives, and the other side knows that it is all.
 * As pt_finish it has no timeout of its own, use PT_WITH_TIMEOUT; however it ends, TLS and its io
 * are closed. What is in the buffer of a writer is not written: await pt_flush before. PT_ECANCELED:
 * a write was ended midway, so close_notify was not sent. */
struct pt_tls_finish {
    struct pt pt;
    struct pt_tls *tls; /* the caller sets it */
    size_t step;        /* how many bytes the last read gave */
    char data[256];     /* for bytes that are dropped */
};

PT_EXPORT PT_DECLARE(pt_tls_finish);

/* --- implementation ------------------------------------------------------------------------ */

/* Call ATTEMPT; while it returns true, suspend and call it again: as PT_IO_BEGUN_. WRITING is the
 * index of its wait. */
#define PT_TLS_(tls, data, writing, attempt)                            \
    do {                                                                \
        PT_IO_ONE_(tls) PT_IN_BODY_;                                    \
        for (pt_->status = PT_OK; pt_->status == PT_OK && (attempt);) { \
            PT_NOT_LOCAL_(data, "the data of the operation")            \
            PT_SUSPEND_((tls)->waits[writing].opcode);                  \
        }                                                               \
    } while (0)

/* One attempt of an operation: true if the task must suspend and the macro must then try again. */
PT_EXPORT bool pt_tls_handshake_(struct pt_task *task, struct pt *frame, struct pt_tls *tls);
PT_EXPORT bool pt_tls_read_(struct pt_task *task, struct pt *frame, struct pt_tls *tls, void *data,
                            size_t size, size_t *got);
PT_EXPORT bool pt_tls_write_(struct pt_task *task, struct pt *frame, struct pt_tls *tls,
                             const void *data, size_t size, size_t *put);
PT_EXPORT bool pt_tls_shut_(struct pt_task *task, struct pt *frame, struct pt_tls *tls);

PT_QUIET_CLOSE_

#endif
