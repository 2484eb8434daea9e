/* tls.c - a side that encrypts as it should, and says whatever it likes, before the handshake or after it
 * SPDX-License-Identifier: MIT
 *
 * The other side is OpenSSL up to the end of the handshake. Then records are made here, by its keys:
 * of any type and with any bytes in them. The first byte of the input chooses which is which. Then come
 * operations: a byte for the kind, one for a size, and as many bytes. What is read must be what was
 * sent, in its order; and an end is one only if it was said. */
#include "target.h"

#include <pt/tls.h>

#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 1 << 16, SECRET = 32, KEY = 16, NONCE = 12, TAG = 16 };

static const char *said; /* what does not hold, if it does not */

static void demand(bool holds)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", said);
    abort();
}

/* --- the other side -------------------------------------------------------------------------- */

static struct peer {
    SSL_CTX *contexts[2]; /* a client's, a server's */
    SSL *ssl;
    int fd;
    unsigned char secret[SECRET], key[KEY], nonce[NONCE];
    uint64_t count;  /* of records by this key */
    bool writes;     /* its secret is that of a client */
    bool ends, lost; /* close_notify is sent; what follows may not be read */
    size_t sent;     /* bytes of data that can be read */
    char data[ROOM];
} peer;

/* A secret of OpenSSL's: CLIENT_TRAFFIC_SECRET_0, the random number, the secret. */
static void take_secret(const SSL *ssl, const char *line)
{
    const char *name = peer.writes ? "CLIENT_TRAFFIC_SECRET_0 " : "SERVER_TRAFFIC_SECRET_0 ";
    unsigned byte;

    (void)ssl;
    if (strncmp(line, name, strlen(name)) != 0)
        return;
    line = strrchr(line, ' ') + 1;
    for (int i = 0; i < SECRET; i++) {
        sscanf(line + 2 * i, "%2x", &byte);
        peer.secret[i] = (unsigned char)byte;
    }
}

/* HKDF-Expand-Label of TLS 1.3. */
static void expand(unsigned char *out, int size, const char *label)
{
    unsigned char text[64], sum[SECRET];
    unsigned length = 0;

    text[length++] = 0;
    text[length++] = (unsigned char)size;
    text[length++] = (unsigned char)(6 + strlen(label));
    length += (unsigned)sprintf((char *)text + length, "tls13 %s", label);
    text[length++] = 0;
    text[length++] = 1;
    HMAC(EVP_sha256(), peer.secret, SECRET, text, length, sum, NULL);
    memcpy(out, sum, (size_t)size);
}

static void begin_key(void)
{
    expand(peer.key, KEY, "key");
    expand(peer.nonce, NONCE, "iv");
    peer.count = 0;
}

static void put(const void *data, size_t size)
{
    if (send(peer.fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)size)
        peer.lost = true;
}

/* Send a record of a type. */
static void send_record(unsigned char type, const uint8_t *data, size_t size)
{
    unsigned char record[5 + 512 + 1 + TAG] = {23, 3, 3}, nonce[NONCE], plain[513];
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    int length;

    memcpy(plain, data, size);
    plain[size] = type;
    record[3] = (unsigned char)((size + 1 + TAG) >> 8);
    record[4] = (unsigned char)(size + 1 + TAG);
    memcpy(nonce, peer.nonce, NONCE);
    for (int i = 0; i < 8; i++)
        nonce[NONCE - 1 - i] ^= (unsigned char)(peer.count >> (8 * i));
    peer.count++;
    EVP_EncryptInit_ex(cipher, EVP_aes_128_gcm(), NULL, peer.key, nonce);
    EVP_EncryptUpdate(cipher, NULL, &length, record, 5);
    EVP_EncryptUpdate(cipher, record + 5, &length, plain, (int)size + 1);
    EVP_EncryptFinal_ex(cipher, record + 5 + length, &length);
    EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, TAG, record + 5 + size + 1);
    EVP_CIPHER_CTX_free(cipher);
    put(record, 5 + size + 1 + TAG);
}

static void send_data(const uint8_t *data, size_t size)
{
    if (!peer.ends && !peer.lost && peer.sent + size <= ROOM) {
        memcpy(peer.data + peer.sent, data, size);
        peer.sent += size;
    }
    send_record(SSL3_RT_APPLICATION_DATA, data, size);
}

static void send_alert(const uint8_t *data, size_t size)
{
    peer.ends |= size == 2 && data[1] == SSL3_AD_CLOSE_NOTIFY;
    send_record(SSL3_RT_ALERT, data, size);
}

/* New keys: the message, whose last byte asks for those of the other side, and then they are used. */
static void renew(bool ask)
{
    const uint8_t message[] = {SSL3_MT_KEY_UPDATE, 0, 0, 1, ask};

    send_record(SSL3_RT_HANDSHAKE, message, sizeof message);
    expand(peer.secret, SECRET, "traffic upd");
    begin_key();
}

/* --- this side ------------------------------------------------------------------------------- */

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_tls_context context;
static struct pt_io io;
static struct pt_tls tls;
static size_t got;         /* bytes that were read */
static pt_status codes[2]; /* with which reads and writes have ended */

/* A certificate that is made now, for both. */
static void certify(SSL_CTX *server)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *it = X509_new();

    ASN1_INTEGER_set(X509_get_serialNumber(it), 1);
    X509_gmtime_adj(X509_getm_notBefore(it), -1000);
    X509_gmtime_adj(X509_getm_notAfter(it), 1000000);
    X509_set_pubkey(it, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(it), "CN", MBSTRING_ASC,
                               (const unsigned char *)"a.test", -1, -1, 0);
    X509_set_issuer_name(it, X509_get_subject_name(it));
    X509_sign(it, key, EVP_sha256());
    SSL_CTX_use_certificate(server, it);
    SSL_CTX_use_PrivateKey(server, key);
    X509_free(it);
    EVP_PKEY_free(key);
}

static void set_up(void)
{
    said = "no OpenSSL";
    demand(pt_system_open(&sys, &loop, "poll") == PT_OK && pt_tls_load(&context) == PT_OK);
    SSL_CTX_set_ciphersuites(context.ssl, "TLS_AES_128_GCM_SHA256");
    certify(context.ssl);
    for (int i = 0; i < 2; i++) {
        peer.contexts[i] = SSL_CTX_new(i ? TLS_server_method() : TLS_client_method());
        SSL_CTX_set_ciphersuites(peer.contexts[i], "TLS_AES_128_GCM_SHA256");
        SSL_CTX_set_num_tickets(peer.contexts[i], 0);
        SSL_CTX_set_keylog_callback(peer.contexts[i], take_secret);
        SSL_CTX_set_min_proto_version(peer.contexts[i], TLS1_3_VERSION);
    }
    certify(peer.contexts[1]);
}

/* Whether OP may go on, as any descriptor that is ready says. */
static void be_ready(void)
{
    io.readable = io.writable = io.system != NULL;
}

static void try_read(size_t size)
{
    const struct pt_stream stream = pt_tls_stream(&tls);
    char data[600];
    size_t part = 0;
    pt_status status;

    be_ready();
    status = stream.ops->try_read(stream.object, data, size, &part);
    said = "a read gives bytes that were not sent";
    demand(part <= size && (status == PT_OK || !part));
    demand(!part || (got + part <= peer.sent && !memcmp(data, peer.data + got, part)));
    got += part;
    said = "a read tells an end that was not sent";
    demand(status != PT_ECLOSED || (peer.ends && (got == peer.sent || peer.lost)));
    said = "a read that has failed goes on";
    demand(codes[0] == PT_OK || status == codes[0] || /* what ends all follows an end */
           (codes[0] == PT_ECLOSED && status == codes[1]));
    if (status != PT_EAGAIN && status != PT_OK)
        codes[0] = status;
    if (codes[0] == PT_EFAILED)
        demand(pt_tls_error_text(&tls, status) != NULL);
}

static void try_write(const uint8_t *data, size_t size)
{
    const struct pt_stream stream = pt_tls_stream(&tls);
    size_t part = 0;
    pt_status status;

    be_ready();
    status = stream.ops->try_write(stream.object, data, size, &part);
    said = "a write takes more than there is";
    demand(part <= size && (status == PT_OK || !part));
    said = "a write that has failed goes on";
    demand(codes[1] == PT_OK || status == codes[1]);
    if (status != PT_EAGAIN && status != PT_OK)
        codes[1] = status;
    said = "what is kept has no limit";
    demand(tls.kept_size < (64 << 10) + 17000);
}

static void drain(void)
{
    char bytes[4096];

    while (recv(peer.fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        ;
}

/* Shake hands, in a few rounds; false if it is not over then. */
static bool agree(void)
{
    for (int i = 0; i < 6; i++) {
        (void)SSL_do_handshake(peer.ssl);
        try_read(1);
    }
    ERR_clear_error();
    return SSL_is_init_finished(peer.ssl) && tls.agreed;
}

static void operate(uint8_t kind, const uint8_t *data, size_t size)
{
    switch (kind % 11) {
    case 0:
    case 1: send_data(data, size); break;
    case 2: try_read(size + 1); break;
    case 3: send_record(SSL3_RT_HANDSHAKE, data, size); break;
    case 4: send_alert(data, size); break;
    case 5: renew(size & 1); break;
    case 6: try_write(data, size); break;
    case 7: drain(); break;
    case 8: /* not of type 0, which would be padding behind data whose end tells the type */
        if (size && data[0] && data[0] != SSL3_RT_APPLICATION_DATA && data[0] != SSL3_RT_ALERT)
            send_record(data[0], data + 1, size - 1);
        break;
    case 9: put(data, size); break;
    default: shutdown(peer.fd, SHUT_WR); peer.lost = true;
    }
}

/* --- a run ----------------------------------------------------------------------------------- */

static void begin(uint8_t how)
{
    int ends[2], room = how & 8 ? 4608 : 65536;

    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    memset(&io, 0, sizeof io);
    said = "a connection is not opened";
    demand(pt_io_open(&io, &sys, ends[0]) == PT_OK);
    demand(pt_tls_open(&tls, &context, &io, how & 1 ? "a.test" : NULL) == PT_OK);
    SSL_set_verify(tls.ssl, SSL_VERIFY_NONE, NULL);
    got = 0;
    codes[0] = codes[1] = PT_OK;
    peer.writes = !(how & 1);
    peer.ends = peer.lost = false;
    peer.sent = 0;
    peer.fd = ends[1];
    peer.ssl = SSL_new(peer.contexts[how & 1]);
    SSL_set_fd(peer.ssl, peer.fd);
    if (how & 1)
        SSL_set_accept_state(peer.ssl);
    else
        SSL_set_connect_state(peer.ssl);
    said = "a handshake fails";
    if (!(how & 2))
        demand(agree());
    begin_key();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool is_set_up;

    if (!is_set_up)
        set_up();
    is_set_up = true;
    if (!size)
        return 0;
    begin(data[0]);
    for (data++, size--; size >= 2;) {
        uint8_t kind = data[0];
        size_t length = data[1] < size - 2 ? data[1] : size - 2;

        operate(kind, data + 2, length);
        data += 2 + length;
        size -= 2 + length;
    }
    shutdown(peer.fd, SHUT_WR);
    for (int i = 0; i < 2000 && codes[0] == PT_OK; i++) {
        try_read(500);
        drain();
    }
    said = "the other side has ended, and a read does not say so";
    demand(codes[0] != PT_OK);
    said = "an error stays in the queue";
    demand(!ERR_peek_error());
    SSL_set_quiet_shutdown(peer.ssl, 1);
    SSL_free(peer.ssl);
    close(peer.fd);
    pt_tls_close(&tls);
    return 0;
}
