/* host.h - servers on a PC: descriptors, host names, signals, processes, threads; needs libpt
 * SPDX-License-Identifier: MIT */
#ifndef PT_HOST_H
#define PT_HOST_H

#include "pt.h"
#include "ports/posix.h"

PT_QUIET_OPEN_
#include "host/default_loop.h"
#include "host/system.h"
#include "host/io.h"
#include "host/pollset.h"
#include "host/stream.h"
#include "host/blocking.h"
#include "host/resolve.h"
#include "host/signals.h"
#include "host/process.h"
#include "host/find_stuck.h"
#include "host/team.h"
#include "host/save.h"
#include "host/watchdog.h"
#include "host/live.h"
#include "net/net.h"
#include "net/serve.h"
PT_QUIET_CLOSE_

#endif
