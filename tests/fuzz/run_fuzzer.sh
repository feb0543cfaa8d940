#!/bin/sh
# run_fuzzer.sh FUZZER ARGUMENTS... - runs a fuzzer for FFTD_FUZZ_SECONDS, 60 by default.
exec "$@" -max_total_time="${FFTD_FUZZ_SECONDS:-60}" -timeout=120 -print_final_stats=1
