# seconds.sh - processor time, read by test/run, test/kit/make_each and bootstrap
# SPDX-License-Identifier: MIT

# shellcheck shell=sh disable=SC2034

# seconds FILE - set $spent to the processor time, user and system, of the commands that this shell has waited for, in
# seconds, and $hundredths to the same in hundredths.
# FILE is scratch. Do not call it in a subshell: a subshell has waited for no command.
seconds() {
    times >"$1"
    hundredths=$(awk 'NR == 2 { gsub("[ms]", " "); printf "%d", ($1 * 60 + $2 + $3 * 60 + $4) * 100 + 0.5 }' "$1")
    spent=$(((hundredths + 50) / 100))
}
