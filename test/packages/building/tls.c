/* tls.c - a program that needs libpt-tls, and OpenSSL itself
 * SPDX-License-Identifier: MIT */
#include <pt/tls.h>

#include <stdio.h>

int main(void)
{
    static struct pt_tls_context context;

    if (pt_tls_load(&context) != PT_OK) {
        printf("%s\n", context.error);
        return 1;
    }
    printf("libpt %s, %d ciphers\n", pt_version(),
           sk_SSL_CIPHER_num(SSL_CTX_get_ciphers(context.ssl)));
    pt_tls_unload(&context);
    return 0;
}
