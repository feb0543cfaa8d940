#!/bin/sh
# run_fuzzer.sh FUZZER ARGUMENTS... - runs a fuzzer for FFTD_FUZZ_SECONDS, 60 by default. A finding ends it
# with status 1: libFuzzer's own, 77, stands for a skipped test.
exec "$@" -max_total_time="${FFTD_FUZZ_SECONDS:-60}" -timeout=120 -error_exitcode=1 -timeout_exitcode=1 -print_final_stats=1
