/* sim.h - the portable core in a simulated host, for tests
 * SPDX-License-Identifier: MIT */
#ifndef PT_SIM_H
#define PT_SIM_H

#include "pt.h"
#include "ports/sim.h"

#endif
