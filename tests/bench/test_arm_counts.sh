#!/bin/sh
# test_arm_counts.sh ARM-BENCH-REPEAT - the instructions that the cpu engine executes on 64-bit ARM, in qemu-user, are at
# most as many as stated here. Counts depend on the compiler, not on the machine. FFTW 3.3.10 takes 4508 for the same
# transform. gcc 12 makes 3521 and 257640; 4084 and 304104 where a butterfly of 16 spills its registers.
count() { # OPERATION POINTS MOST
    line=$("$(dirname "$0")/../../bench/arm/count.sh" "$repeat" "$1" "$2")
    status=$?
    [ $status -eq 0 ] || { echo "$line"; exit $status; }
    echo "$line"
    echo "$line" | awk -v most="$3" 'END { if (!($3 > 0 && $3 <= most)) { print "above " most; exit 1 } }' || failed=1
}
repeat=$1
failed=0
count transform 256 3900
count mean 256 280000
exit $failed
