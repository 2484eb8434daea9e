/* remote.pml - posts from threads to a loop that sleeps, as a model for Spin: include/pt/run/remote.h, run.h
 * SPDX-License-Identifier: MIT
 *
 * Each atomic operation there is one step here. A compare-and-swap that fails and is tried again has no
 * effect, and is left out. The loop may be shut at the end of any turn. BEHIND, UNSEEN and EARLY plant
 * a bug: the count is cleared after the callback; the inbox is not checked after the loop has
 * announced that it sleeps; a kick comes before the push. */

#ifndef THREADS
#define THREADS 2
#endif
#ifndef POSTS
#define POSTS 2
#endif
#define REMOTES 2
#define TOTAL (THREADS * POSTS)

byte posted[REMOTES];                /* how often each was posted since its last callback */
chan inbox = [REMOTES] of { byte };  /* the posted remotes */
bool closed, dozing, kicked;
byte sent, done, refused;            /* posts that began, were done, were refused */
byte left = THREADS;                 /* threads that still post */
bool over;                           /* the loop has ended */

inline kick()
{
    if
    :: dozing ->
        atomic { was = dozing; dozing = false };
        if
        :: was -> kicked = true
        :: else
        fi
    :: else
    fi
}

active [THREADS] proctype thread()
{
    byte i, r, before;
    bool was;

    for (i : 1 .. POSTS) {
        if
        :: r = 0
        :: r = 1
        fi;
        atomic { before = posted[r]; posted[r]++; sent++ };
        if
        :: before == 0 ->
#ifdef EARLY
            kick();
#endif
            atomic {
                if
                :: !closed -> inbox!r; before = 1
                :: else
                fi
            };
            if
            :: before == 0 -> atomic { refused = refused + posted[r]; posted[r] = 0 }
            :: else
#ifndef EARLY
                -> kick()
#endif
            fi
        :: else
        fi;
        before = 0
    }
    left--
}

/* Call the callbacks of the taken remotes, one by one. */
inline act()
{
    do
    :: taken?r ->
#ifdef BEHIND
        done = done + posted[r];
        posted[r] = 0
#else
        atomic { times = posted[r]; posted[r] = 0 };
        done = done + times
#endif
    :: empty(taken) -> break
    od;
    times = 0
}

inline take()
{
    do
    :: inbox?r -> taken!r
    :: empty(inbox) -> break
    od
}

active proctype loop()
{
    chan taken = [REMOTES] of { byte };
    byte r, times;

    do
    :: atomic { take() };
        act();
        if
        :: true -> break /* shut, at the end of any turn */
        :: done < TOTAL
        fi;
        dozing = true;
#ifndef UNSEEN
        if
        :: nempty(inbox)
        :: empty(inbox) ->
#endif
            atomic { kicked -> kicked = false } /* the loop sleeps */
#ifndef UNSEEN
        fi;
#else
        ;
#endif
        dozing = false
    od;
    atomic { closed = true; take() };
    act();
    over = true
}

/* Each post was done or refused exactly once. A thread that waits forever is an invalid end state. */
active proctype end()
{
    over && left == 0;
    assert(done + refused == sent && sent == TOTAL);
    assert(empty(inbox) && posted[0] == 0 && posted[1] == 0)
}
