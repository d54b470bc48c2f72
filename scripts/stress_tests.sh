#!/bin/sh
# Runs test suites ROUNDS times in a row on a machine that is busy besides, and ends at the first that fails.
# Usage: scripts/stress_tests.sh ROUNDS COMMAND...
# Each command is one argument, such as '.venv/bin/python -m pytest tests/web'.
set -eu

rounds=$1
shift

busy=
# The loops end with this script, however it ends.
trap 'kill $busy 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM HUP
for _ in 1 2; do
    (trap - EXIT; while kill -0 $$; do :; done) &
    busy="$busy $!"
done

round=1
while [ "$round" -le "$rounds" ]; do
    for suite in "$@"; do
        begun=$(date +%s)
        if ! $suite; then
            echo "stress: round $round of $rounds failed: $suite" >&2
            exit 1
        fi
        echo "stress: round $round of $rounds passed in $(($(date +%s) - begun)) s: $suite"
    done
    round=$((round + 1))
done
