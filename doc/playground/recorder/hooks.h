/* hooks.h - what the build calls in the book's miniature, whose loop has no observers
 * SPDX-License-Identifier: MIT
 *
 * The build (../miniature.py) includes this in the miniature's pt.h; miniature.h has the bodies. */
#ifndef PLAY_HOOKS_H
#define PLAY_HOOKS_H

struct pt;
struct pt_task;
struct pt_loop;

void play_opens_(const struct pt_loop *loop);
void play_begins_(const struct pt_loop *loop, const struct pt_task *task);
void play_turns_(struct pt_loop *loop);
void play_resumes_(const struct pt_loop *loop, const struct pt_task *task);
void play_returned_(const struct pt *frame, const struct pt_task *task, int what);
void play_ended_(const struct pt_task *task);
void play_turned_(void);

/* Call the function of a frame. Before chapter 6 it returns whether it will continue; then an opcode. */
#if PLAY_CHAPTER < 6
#define PLAY_WHAT_(returned) (returned)
#else
#define PLAY_WHAT_(returned) (returned).code
#endif
#define play_call_(frame, task)                                                   \
    ({                                                                            \
        __typeof__((frame)->fn(frame, task)) play_op_ = (frame)->fn(frame, task); \
        play_returned_(frame, task, PLAY_WHAT_(play_op_));                        \
        play_op_;                                                                 \
    })

#endif
