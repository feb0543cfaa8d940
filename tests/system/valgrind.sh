#!/usr/bin/env bash
# A short live run with the server, and a replay, under valgrind: no error, no lost memory.
#
#     valgrind.sh BUILD-TREE
. "$(dirname "$0")/../support/tap.sh"
build=${1:?}
trap 'rm -rf "$work"' EXIT
command -v valgrind >/dev/null || skip "no valgrind"

watched() {
    valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        --suppressions="$(dirname "$0")/valgrind.supp" "$build/daemon/fftd" "$@"
}
# Slow radio, small transforms: valgrind makes everything some fifty times slower.
check "a simulated radio with the server" watched --source sim --rate 250k --fft-size 1024 \
    --listen 127.0.0.1:0 --lines 10 --csv "$work/live.csv"
head -c 400000 /dev/urandom >"$work/100M_250k.cu8"
check "a replay" watched --replay "$work/100M_250k.cu8" --fft-size 1024 --csv "$work/replay.csv" \
    --stats "$work/stats.json"
finish
