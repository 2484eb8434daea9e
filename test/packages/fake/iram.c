/* iram.c - handlers of interrupts that run while the flash cannot be read: they post in each way
 * SPDX-License-Identifier: MIT */
#include <pt_esp_idf.h>

extern struct pt_remote remote;
extern struct pt_waker waker;
extern struct pt_mailbox mailbox;
extern struct pt_mail mail;
extern PT_RING(unsigned char, 8) bytes;
extern struct pt_esp_idf port;

PT_ESP_IDF_IRAM void on_remote(void)
{
    (void)pt_remote_post(&remote);
}

PT_ESP_IDF_IRAM void on_waker(void)
{
    pt_waker_post(&waker);
}

PT_ESP_IDF_IRAM void on_mail(void)
{
    (void)pt_mailbox_post(&mailbox, &mail);
}

PT_ESP_IDF_IRAM void on_byte(void)
{
    unsigned char byte = 1;

    (void)PT_RING_PUT(&bytes, &byte);
}

esp_err_t open(void)
{
    return pt_esp_idf_open(&port);
}
