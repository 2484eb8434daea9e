/* 01.c - a function that forgets: two countdowns, and the two usual ways out */
#include <stdbool.h>
#include <stdio.h>

//- static
/* It remembers, but for all callers together. */
static int next_shared(void)
{
    static int n = 4;

    return --n;
}

//- struct
/* The caller keeps what the function must not forget. */
struct countdown {
    int n;
    bool said_ready;
};

/* What was a loop is now a question at each call: where was I? */
static bool next_own(struct countdown *self)
{
    if (!self->said_ready) {
        self->said_ready = true;
        printf("ready ");
        return true;
    }
    if (self->n > 0) {
        printf("%d ", self->n--);
        return true;
    }
    printf("lift-off\n");
    return false;
}

//- main
int main(void)
{
    printf("shared, first:  %d", next_shared());
    printf(" %d\n", next_shared());
    printf("shared, second: %d\n", next_shared());

    struct countdown rocket = {.n = 3};
    while (next_own(&rocket))
        ;
    return 0;
}
