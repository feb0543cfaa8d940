#!/usr/bin/env bash
# Runs a short live session with the server, and a replay, under valgrind: no error, no leak.
#
#     valgrind.sh BUILD-TREE
. "$(dirname "$0")/../support/tap.sh"
build=${1:?}
trap 'rm -rf "$work"' EXIT
command -v valgrind >/dev/null || skip "no valgrind"

run_in_valgrind() {
    valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        --suppressions="$(dirname "$0")/valgrind.supp" "$build/daemon/fftd" "$@"
}
# A low rate and a small FFT, because valgrind slows the program down about fifty times.
check "a simulated radio with the server" run_in_valgrind --source sim --rate 250k --fft-size 1024 \
    --listen 127.0.0.1:0 --lines 10 --csv "$work/live.csv"
head -c 400000 /dev/urandom >"$work/100M_250k.cu8"
check "a replay" run_in_valgrind --replay "$work/100M_250k.cu8" --fft-size 1024 --csv "$work/replay.csv" \
    --stats "$work/stats.json"
finish
