/* uses_all.h - a switch tells gcc that other contexts use any variable
 * SPDX-License-Identifier: MIT
 *
 * gcc 12 asks which static variables of the file a function uses, and does not count the memory
 * that an asm clobbers: around a call of a function that switches it keeps a variable in a
 * register, which another context changes meanwhile. A path to an unknown call, which is never
 * taken, says that any variable can be used. The call stands behind the function, which only loses
 * its red zone, as a function that calls another. Included by context.h, for the files of arch/:
 * each inline switch ends with pt_uses_all_. */
#ifndef PT_USES_ALL_H
#define PT_USES_ALL_H

#include "../base/compiler.h"

/* --- implementation ------------------------------------------------------------------------ */

#if defined(__GNUC__) && !defined(__clang__)
PT_ALWAYS void pt_uses_all_(void)
{
    void (*unknown)(void);

    __asm__ goto("" : : : : elsewhere);
    return;
elsewhere:
    __asm__("" : "=r"(unknown));
    unknown();
    __asm__ volatile(""); /* no tail call, which would be a jump */
}
#else
#define pt_uses_all_() ((void)0)
#endif

#endif
