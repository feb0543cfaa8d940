#!/bin/sh
# test_study.sh FFT-BENCH - the tables of a study are whole; no figure of speed is judged here.
bench=$1
. "$(dirname "$0")/../support/study.sh"

# The document's tables. What is asserted are counts and errors, which no machine's speed changes.
run_study four-easy-ways
rows machine 3
rows ladder 10 '"ns a point":[0-9.e+]+,'
rows share 5
rows radix 13
rows radix 12 '"error":([1-3](\.[0-9]+)?e-0?7|[3-9](\.[0-9]+)?e-0?8)'
rows radix 1 '"base":"16","n":4096,"passes":3,'
rows streams 7
rows faults 2
rows doubling 10
rows plan 3
rows libraries 2
rows size 3
rows padding 6
# A pass over points that do not fit into memory reads every page of them once.
rows faults 2 '"a page and pass":(1|1\.[0-4][0-9]*|0\.[7-9][0-9]*|null),'
if echo "$study" | grep '"table":"faults"' | grep -q '"faults":null'; then
    echo 'SKIPPED: no control group with little memory may be made here: page faults not counted'
fi
exit $bad
