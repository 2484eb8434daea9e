// jump.js - run a program of Node.js on a clock that jumps to the next timeout: node -r ./jump.js PROGRAM
// SPDX-License-Identifier: MIT
const timers = [];
let now = 0;

performance.now = () => now;
globalThis.setTimeout = (call, ms = 0) => void timers.push({ at: now + ms, call });

// When no promise is left to settle, the earliest timer is next; of equal ones, the one that was set first.
setImmediate(function next() {
  if (timers.length === 0) return;
  const first = timers.reduce((one, other) => (other.at < one.at ? other : one));
  timers.splice(timers.indexOf(first), 1);
  now = first.at;
  first.call();
  setImmediate(next);
});
