#!/bin/sh
# Fuzzes one law: scripts/fuzz_law.sh LAW SECONDS. Inputs that broke it go to fuzz/artifacts, those that
# lead to new code to fuzz/corpus. Says in one line how it went.
set -eu
law=$1
log=fuzz/artifacts/$law.log
if grep -q "::$law,\$" tests/byte_laws/mod.rs; then
    run="env LAW=$law cargo fuzz run --sanitizer none laws fuzz/corpus/$law --"
else
    run=".venv/bin/python fuzz/lines.py $law fuzz/corpus/$law"
fi
if $run -max_total_time="$2" -max_len=512 -print_final_stats=1 -artifact_prefix="fuzz/artifacts/$law-" >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    kept=$(find "fuzz/corpus/$law" -type f | wc -l)
    echo "$law: held for $runs inputs in $2 s, $kept kept for new code"
else
    tail -n 40 "$log" >&2
    echo "$law: broken, see $log" >&2
    exit 1
fi
