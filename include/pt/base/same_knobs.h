/* same_knobs.h - files of one program whose knobs give different structs do not link
 * SPDX-License-Identifier: MIT
 *
 *     multiple definition of `pt_knobs_differ'
 *         a.o:(.pt_knobs[pt: PT_TIMERS=1 ...]): first defined here
 *         b.o:(.pt_knobs[pt: PT_TIMERS=2 ...])
 *
 * The structs have other members with other knobs, so such files would read each other's fields in
 * the wrong places. Set the knobs once for all files: config.h says how.
 *
 * Each file has a group of sections, whose name lists the knobs. The linker keeps one of several
 * groups with the same name, and this group defines a symbol. Another group defines it again. The
 * section is not loaded: it takes no memory.
 * With gcc, on targets with ELF files; with clang, in debug builds for parts, because its -flto
 * takes two equal groups for two definitions. The -flto of gcc does not notice a difference.
 *
 * So on a PC, in a debug build by gcc or clang, each file compares its knobs with those of the
 * program before main begins, and stops:
 *
 *     pt: PT_CONFIG_H: files have different knobs, set them once for all. Here: PT_TIMERS=1 ...
 */
#ifndef PT_SAME_KNOBS_H
#define PT_SAME_KNOBS_H

#include "critical.h"

/* The knobs that change a struct, or what a time means, with their values. */
#define PT_KNOB_(knob) " " #knob "=" PT_TEXT(knob)
/* clang-format off */
#define PT_KNOBS_ \
    PT_KNOB_(PT_TIMERS) PT_KNOB_(PT_TIME_BITS) PT_KNOB_(PT_TICKS_PER_SEC)              \
    PT_KNOB_(PT_READY) PT_KNOB_(PT_AWAIT) PT_KNOB_(PT_CENSUS)  \
    PT_KNOB_(PT_CLEANUP) PT_KNOB_(PT_JOINS) PT_KNOB_(PT_CANCEL) PT_KNOB_(PT_TIMEOUTS)  \
    PT_KNOB_(PT_GROUPS) PT_KNOB_(PT_INSPECT) PT_KNOB_(PT_PAUSE) PT_KNOB_(PT_SYNC)      \
    PT_KNOB_(PT_CHANNELS) PT_KNOB_(PT_SELECTS) PT_KNOB_(PT_REMOTE) PT_KNOB_(PT_POOLS)  \
    PT_KNOB_(PT_NESTING) PT_KNOB_(PT_SLOWMO) PT_KNOB_(PT_PORT) PT_KNOB_(PT_LABEL_BITS) \
    PT_KNOB_(PT_TIMED_PARKS) PT_KNOB_(PT_WAKERS)                  \
    PT_KNOB_(PT_SINCE) PT_KNOB_(PT_TRACE)                                              \
    " PT_SITES=" PT_TEXT(PT_HAS_SITE_) " PT_LEVEL=" PT_TEXT(PT_HAS_LEVEL_)
/* clang-format on */

#if defined(__ELF__) && defined(__GNUC__) && !PT_OTHER_KNOBS && \
    (!defined(__clang__) || (PT_DEBUG && !PT_HOSTED))
__asm__(".ifndef pt_knobs_differ\n"
        ".pushsection .pt_knobs, \"G\", %progbits, \"pt:" PT_KNOBS_ "\", comdat\n"
        ".globl pt_knobs_differ\n"
        ".hidden pt_knobs_differ\n"
        "pt_knobs_differ:\n"
        ".popsection\n"
        ".endif\n");
#endif

#if defined(__GNUC__) && PT_DEBUG && PT_HOSTED && !PT_OTHER_KNOBS
/* The knobs of the file whose definition the linker has taken. */
#if defined(_WIN32) /* there a library's names are its own, and what is weak can be missing */
__attribute__((__selectany__)) const char *pt_knobs_ = PT_KNOBS_;
#else
PT_C_LINKAGE_ __attribute__((__visibility__("hidden"))) const char *pt_knobs_;
__attribute__((__weak__)) const char *pt_knobs_ = PT_KNOBS_;
#endif

__attribute__((__constructor__)) static void pt_knobs_compare_(void)
{
    const char *theirs = pt_knobs_, *ours = PT_KNOBS_;

    while (*ours && *ours == *theirs) {
        ours++;
        theirs++;
    }
    if (*ours != *theirs)
        PT_PANIC("files have different knobs, set them once for all. Here:" PT_KNOBS_,
                 "PT_CONFIG_H", 0);
}
#endif

#endif
