/* world.h - a network of machines in one process, under a seed: unchanged programs, virtual time
 * SPDX-License-Identifier: MIT
 *
 *     struct sim_world *world = sim_open(17);
 *     struct sim_machine *server = sim_add(world, "server", "echo.so", "--port 7007");
 *     struct sim_machine *client = sim_add(world, "client", "asker.so", "10.0.0.1 7007 100");
 *
 *     sim_start(server);
 *     sim_start(client);
 *     sim_run(world, 50 * SIM_MS);
 *     sim_crash(server);                  the client's connection is half open
 *     sim_run(world, 10 * SIM_MS);
 *     sim_start(server);
 *     assert(sim_run_to_end(client, 60 * SIM_S) && sim_status(client) == 0);
 *     sim_close(world);
 *
 * A program is a shared object that sim/link has made. All randomness comes from the seed: the same
 * seed and the same calls give the same trace, in one build. README.md tells what is modelled.
 * Functions of this header are called by the test, never by a program in the world. */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sim_world;
struct sim_machine;

/* Times are nanoseconds of the world's clock, which starts at 0. */
#define SIM_US UINT64_C(1000)
#define SIM_MS (1000 * SIM_US)
#define SIM_S (1000 * SIM_MS)

/* --- the world ------------------------------------------------------------------------------- */

/* sim_open - a world without machines; one a process at a time */
struct sim_world *sim_open(uint64_t seed);

/* sim_close - end the world, and all that is in it */
void sim_close(struct sim_world *world);

/* sim_show - print each line of the trace to a stream, from now on; NULL: do not */
void sim_show(struct sim_world *world, FILE *to);

/* sim_hash - a hash of the whole trace until now */
uint64_t sim_hash(const struct sim_world *world);

uint64_t sim_now(const struct sim_world *world);

/* sim_chance - a number below MOST, by the seed: for faults at times that no test chooses */
uint64_t sim_chance(struct sim_world *world, uint64_t most);

/* sim_run - let SPAN pass; false if nothing is left that could happen */
bool sim_run(struct sim_world *world, uint64_t span);

/* --- machines -------------------------------------------------------------------------------- */

/* sim_add - one more machine, switched off; the first has the address 10.0.0.1, the next 10.0.0.2
 * IMAGE is the file of its program, WORDS are the program's arguments, with single spaces between.
 * The machine is the world's. A file that cannot be read stops the process. */
struct sim_machine *sim_add(struct sim_world *world, const char *name, const char *image,
                            const char *words);

/* sim_start - run the program from its beginning; the machine is off, or its program has ended
 * Memory, descriptors and the monotonic clock begin anew. */
void sim_start(struct sim_machine *machine);

/* sim_crash - switch a machine off: it sends nothing
 * A peer learns of it when it sends and the machine is on again, or after minutes of attempts. */
void sim_crash(struct sim_machine *machine);

/* sim_signal - send a signal; SIGKILL ends the program, and the machine closes its connections */
void sim_signal(struct sim_machine *machine, int number);

/* sim_pause - the program stands still, and its machine goes on, as after SIGSTOP */
void sim_pause(struct sim_machine *machine);
void sim_resume(struct sim_machine *machine);

/* sim_run_to_end - let time pass until the program has ended, but no more than MOST
 * Returns whether it has ended. */
bool sim_run_to_end(struct sim_machine *machine, uint64_t most);

/* sim_status - the exit status of the program, or 128 and its signal; -1: it has not ended */
int sim_status(const struct sim_machine *machine);

/* sim_output - all that the machine's programs have printed; valid until time passes */
const char *sim_output(const struct sim_machine *machine);

/* sim_descriptors - how many descriptors are open, with the three of the console */
int sim_descriptors(const struct sim_machine *machine);

/* --- the network ----------------------------------------------------------------------------- */

/* sim_latency - how long a segment takes: LEAST to MOST, and ten times that for one in a hundred
 * Without a call: 100 to 500 microseconds. */
void sim_latency(struct sim_world *world, uint64_t least, uint64_t most);

/* sim_cut - nothing gets from one machine to the other, until sim_heal
 * The other way is another cut. Segments are sent again, after 200 ms (the first of a connection:
 * 1 s), then after twice as long each time, up to 120 s. The sender gives up after 924 s (the first
 * segment: 127 s), as in Linux. */
void sim_cut(struct sim_machine *from, struct sim_machine *to);
void sim_heal(struct sim_machine *from, struct sim_machine *to);

/* sim_reset - each connection between two machines is reset at both ends */
void sim_reset(struct sim_machine *one, struct sim_machine *other);

#endif
