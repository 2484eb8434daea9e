# seconds.sh - processor time, read by test/run, test/parts and bootstrap
# SPDX-License-Identifier: MIT

# shellcheck shell=sh disable=SC2034

# seconds FILE - what the commands that this shell has waited for took of a processor, user and system: in
# $spent. FILE is scratch. Not to be called in a subshell, which has waited for none.
seconds() {
    times >"$1"
    spent=$(awk 'NR == 2 { gsub("[ms]", " "); printf "%d", $1 * 60 + $2 + $3 * 60 + $4 + 0.5 }' "$1")
}
