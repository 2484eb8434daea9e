/* world.h - a network of machines in one process, under a seed: unchanged programs, virtual time
 * SPDX-License-Identifier: MIT
 *
 *     struct world *world = world_open(17);
 *     struct world_machine *server = world_add(world, "server", "echo.so", "--port 7007");
 *     struct world_machine *client = world_add(world, "client", "asker.so", "10.0.0.1 7007 100");
 *
 *     world_start(server);
 *     world_start(client);
 *     world_run(world, 50 * WORLD_MS);
 *     world_crash(server);                  the client's connection is half open
 *     world_run(world, 10 * WORLD_MS);
 *     world_start(server);
 *     assert(world_run_to_end(client, 60 * WORLD_S) && world_status(client) == 0);
 *     world_close(world);
 *
 * A program is a shared object that world/link has made. All randomness comes from the seed: the same
 * seed and the same calls give the same trace, in one build. README.md tells what is modelled.
 * Functions of this header are called by the test, never by a program in the world. */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct world;
struct world_machine;

/* Times are nanoseconds of the world's clock, which starts at 0. */
#define WORLD_US UINT64_C(1000)
#define WORLD_MS (1000 * WORLD_US)
#define WORLD_S (1000 * WORLD_MS)

/* --- the world ------------------------------------------------------------------------------- */

/* world_open - a world without machines; one a process at a time */
struct world *world_open(uint64_t seed);

/* world_close - end the world, and all that is in it */
void world_close(struct world *world);

/* world_show - print each line of the trace to a stream, from now on; NULL: do not */
void world_show(struct world *world, FILE *to);

/* world_tell - write each line to a stream, as pt-sim reads it: nanoseconds, the number of the
 * machine, of a message the number of its sender, when it was sent, and the text; tabs between */
void world_tell(struct world *world, FILE *to);

/* world_hash - a hash of the whole trace until now */
uint64_t world_hash(const struct world *world);

uint64_t world_now(const struct world *world);

/* world_chance - a number below MOST, by the seed: for faults at times that no test chooses */
uint64_t world_chance(struct world *world, uint64_t most);

/* world_run - let SPAN pass; false if nothing is left that could happen */
bool world_run(struct world *world, uint64_t span);

/* --- machines -------------------------------------------------------------------------------- */

/* world_add - one more machine, switched off; the first has the address 10.0.0.1, the next 10.0.0.2
 * IMAGE is the file of its program, WORDS are the program's arguments, with single spaces between.
 * A number in braces, as in "10.0.0.1 7007 {100}", is a load: pt-sim makes it smaller.
 * The machine is the world's. A file that cannot be read stops the process. */
struct world_machine *world_add(struct world *world, const char *name, const char *image,
                                const char *words);

/* world_start - run the program from its beginning; the machine is off, or its program has ended
 * Memory, descriptors and the monotonic clock begin anew. */
void world_start(struct world_machine *machine);

/* world_crash - switch a machine off: it sends nothing, and loses what its program has not synced
 * Of a file each block of 512 bytes is new, old or torn; a new name stays, or does not. A peer
 * learns of it when it sends and the machine is on again, or after minutes of attempts. */
void world_crash(struct world_machine *machine);

/* world_signal - send a signal; SIGKILL ends the program, and the machine closes its connections */
void world_signal(struct world_machine *machine, int number);

/* world_pause - the program stands still, and its machine goes on, as after SIGSTOP */
void world_pause(struct world_machine *machine);
void world_resume(struct world_machine *machine);

/* world_run_to_end - let time pass until the program has ended, but no more than MOST
 * Returns whether it has ended. A program that a fault of world_disturb has ended goes on. */
bool world_run_to_end(struct world_machine *machine, uint64_t most);

/* world_status - the exit status of the program, or 128 and its signal; -1: it has not ended */
int world_status(const struct world_machine *machine);

/* world_output - all that the machine's programs have printed; valid until time passes */
const char *world_output(const struct world_machine *machine);

/* world_descriptors - how many descriptors are open, with the three of the console */
int world_descriptors(const struct world_machine *machine);

/* world_processes - how many processes run: its program, and those that were started by it or before it */
int world_processes(const struct world_machine *machine);

/* --- the disk -------------------------------------------------------------------------------- */

/* world_file - put a file on the disk, with a text, as if it were synced: a page, a configuration
 * A file with this name gets the text. */
void world_file(struct world_machine *machine, const char *name, const char *text);

/* world_fill - the disk has room for SPARE more bytes; UINT64_MAX: for any number, as at first
 * Of a write beyond that a part is written, or it fails with ENOSPC. */
void world_fill(struct world_machine *machine, uint64_t spare);

/* --- the network ----------------------------------------------------------------------------- */

/* world_latency - how long a segment takes: LEAST to MOST, and ten times that for one in a hundred
 * Without a call: 100 to 500 microseconds. */
void world_latency(struct world *world, uint64_t least, uint64_t most);

/* world_forward - connections of MACHINE to a port of its own address 127.0.0.1 go to another machine
 * Up to eight ports of a machine. */
void world_forward(struct world_machine *machine, unsigned short port, struct world_machine *to);

/* world_cut - nothing gets from one machine to the other, until world_heal
 * The other way is another cut. Segments are sent again, after 200 ms (the first of a connection:
 * 1 s), then after twice as long each time, up to 120 s. The sender gives up after 924 s (the first
 * segment: 127 s), as in Linux. */
void world_cut(struct world_machine *from, struct world_machine *to);
void world_heal(struct world_machine *from, struct world_machine *to);

/* world_reset - each connection between two machines is reset at both ends */
void world_reset(struct world_machine *one, struct world_machine *other);

/* --- tests that pt-sim runs ------------------------------------------------------------------- */

/* world_test - what pt-sim runs for each seed: the test defines it */
void world_test(struct world *world);

/* world_disturb - let COUNT faults begin within SPAN from now, at the machines that there are
 * Seed and number of a fault decide its time, its kind, its machines and how long it lasts, up to
 * eight seconds; so without one of them the others stay as they are. A connection between two
 * machines is reset; a way, or both, are cut; the network is a hundred times slower; a machine
 * crashes, its program is killed, or stands still. Then the program starts again, or goes on. If
 * a program has opened a file by now, a disk can be full. */
void world_disturb(struct world *world, int count, uint64_t span);

/* world_check - the run has failed, and ends, if HOLDS is false
 * TEXT says what should be so: "the client has all its answers". */
void world_check(struct world *world, bool holds, const char *text);

#endif
