/* sim.h - the portable core in a simulated host, for tests
 * SPDX-License-Identifier: MIT */
#ifndef PT_SIM_H
#define PT_SIM_H

#include "pt.h"

PT_QUIET_OPEN_
#include "ports/sim.h"
#include "ports/sim_search.h"
PT_QUIET_CLOSE_

#endif
