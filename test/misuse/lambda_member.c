/* lambda_member.c - a PT_RETURN in a member of a class that is local to the body
 * SPDX-License-Identifier: MIT
 * expect error c++: pt_suspension_outside_PT_ASYNC */
#include <pt/pt.h>

struct body {
    struct pt pt;
};

PT_ASYNC(body, self)
{
    struct check {
        static pt_op fail()
        {
            PT_RETURN(PT_EIO);
        }
    };

    check::fail();
}
PT_END
