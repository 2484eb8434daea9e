/* host.c - a program of libpt and of the libraries that it needs: an address in digits is looked up
 * SPDX-License-Identifier: MIT */
#include <pt/host.h>

#include <errno.h>
#include <string.h>

int main(void)
{
    static PT_TASK(pt_resolve) lookup;
    struct pt_system system;
    struct pt_loop loop;

    if (strcmp(pt_version(), PT_VERSION) != 0 || pt_system_open(&system, &loop, NULL) != PT_OK)
        return 1;
    PT_START(&loop, &lookup, pt_resolve, .system = &system, .host = "127.0.0.1", .service = "80");
    pt_loop_run(&loop);
    pt_system_close(&system);
    return lookup.frame.pt.status == PT_OK ? lookup.frame.count != 1 : lookup.frame.error != ENOSYS;
}
