/* opcode.h - what a resumable function tells its resumer
 * SPDX-License-Identifier: MIT
 *
 * The machine has six instructions. A function runs to its next instruction and returns it; the
 * operand is in the task's node. Everything else in pt is built from PARK and a wake. YIELD is 0
 * and PARK is 1: each takes that many permits from its task (state.h). DONE is the last one. */
#ifndef PT_OPCODE_H
#define PT_OPCODE_H

#include "../base/compiler.h"

/* clang-format off */
/*    name           operand              what the loop does */
#define PT_OP_TABLE(X)                                                                      \
    X(YIELD,         "-",                 "to the back of the ready queue")                 \
    X(PARK,          "-",                 "out of all queues until the task is woken")     \
    X(WAIT,          "node.at: deadline", "into the timer queue")                           \
    X(SPAWN,         "node.link: task",   "the new task becomes ready; resume the spawner") \
    X(WAIT_COMPLETE, "node.link: frame",  "resume the frame; when it is done, its caller")  \
    X(DONE,          "-",                 "resume the frame's caller, or end the task")
/* clang-format on */

/* PT_OP_YIELD, PT_OP_PARK and so on: the names of the table. */
enum pt_opcode {
#define PT_OP_ENUM_(name, operand, text) PT_OP_##name,
    PT_OP_TABLE(PT_OP_ENUM_)
#undef PT_OP_ENUM_
};

/* What a resumable function returns. It is a struct, so that a stray `return 0;` in a body is a
 * compile error, not an opcode. */
typedef struct pt_op {
    pt_register_ code; /* PT_OP_* */
} pt_op;

/* pt_op_name - "YIELD" for PT_OP_YIELD; the text is static */
PT_API const char *pt_op_name(enum pt_opcode code);

/* --- implementation ------------------------------------------------------------------------ */

/* LEAVE_: PT_RETURN inside blocks: the interpreter closes them, and resumes the frame at its
 * PT_FINALLY. AGAIN_: what the frame asked for is done (sync/transfer.h): it is resumed at once. */
enum { PT_OP_LEAVE_ = PT_OP_DONE + 1, PT_OP_AGAIN_ };

/* A flag in an opcode: it is the opcode of the current task, not of the one that was resumed. The
 * resumed task has switched to the current one directly: native_body.h. */
enum { PT_OP_OF_CURRENT_ = 0x80 };

PT_ALWAYS pt_op pt_op_of_(unsigned char code)
{
    pt_op op;

    op.code = code;
    return op;
}

PT_API const char *pt_op_name(enum pt_opcode code)
{
    switch (code) {
#define PT_OP_NAME_(name, operand, text) \
    case PT_OP_##name: return #name;
        PT_OP_TABLE(PT_OP_NAME_)
#undef PT_OP_NAME_
    default: return "?";
    }
}

#endif
