#!/bin/sh
# test_study_four_easy_ways.sh FFT-STUDY - checks that the tables of the study are complete. No figure of speed is judged.
fft_study=$1
. "$(dirname "$0")/../../tests/study.sh"

# The tables. What is asserted are counts and errors, which do not depend on the machine's speed.
run_study four-easy-ways
rows machine 3
rows ladder 11 '"ns a point":[0-9.e+]+,'
rows share 5
rows radix 17
rows radix 15 '"error":([1-3](\.[0-9]+)?e-0?7|[3-9](\.[0-9]+)?e-0?8)'
rows radix 1 '"base":"16","n":4096,"passes":3,'
rows radix 1 '"base":"32","n":1024,"passes":2,'
rows curves 10
rows curves 1 '"2\^10","radix 2":[0-9.e+]+,"radix 4":[0-9.e+]+,"radix 8":null,"radix 16":null,"radix 32":[0-9.e+]+,"radix 64":null,'
rows streams 7
rows tlb 18 '"pages":"walk","number":[0-9]+,"a line of each, ns":[0-9.e+]+,"lines side by side, ns":[0-9.e+]+,'
rows tlb 2 '"pages":"(first|last) level","number":[0-9]+,.*"ways":[0-9]+,"a miss, ns":[0-9.e+-]+'
rows model 7
rows model 5 '"n":4096,"measured":[0-9.e+]+,"model":[0-9.e+]+,"arithmetic":[0-9.e+]+,"cache":[0-9.e+-]+,"TLB":[0-9.e+-]+,'
rows model 1 '"engine","n":4096,"measured":[0-9.e+]+,"model":null,'
rows faults 2
rows doubling 10
rows plan 3
rows libraries 2
rows table-1 10 '"radix 2":[0-9.e-]+,"engine":[0-9.e-]+,'
rows table-1 1 '"2\^12",.*"document, own":0.021,"document, IMSL":0.067,"document, NAG":0.023,"document, SCSL":0.067,"document, FFTW":0.023\}'
rows table-2 10 '"radix 2":[0-9.e-]+,"engine":[0-9.e-]+,.*"no transform":[0-9.e-]+,'
rows table-2 1 '"2\^11",.*"document, own":0.013,"document, ESSL":0.01,"document, FFTW":0.023\}'
# Input and output of 2^20 points alone need all of the 16 MiB.
rows largest 1 '"radix 2","memory, MiB":16,"largest n":524288,"document, Origin":16777216,"document, SP-2":8388608,'
rows largest 4 '"largest n":null,.*"not measured":"(commercial|part of IRIX)"'
rows size 3
rows size 1 '"the general radix","here":[1-9]'
rows padding 6
# Other libraries, where they are installed.
if /sbin/ldconfig -p 2>/dev/null | grep -q libkissfft-float.so.131; then
    rows libraries 2 '"KISS FFT":[0-9.e+]+,'
    rows table-1 10 '"KISS FFT":[0-9.e-]+,'
fi
if python3 -c 'import scipy.fft' 2>/dev/null || /usr/bin/python3 -c 'import scipy.fft' 2>/dev/null; then
    rows libraries 2 '"pocketfft":[0-9.e+]+,'
fi

# A pass over points that do not fit into memory reads each of their pages once. Where a control group with little
# memory can be made and $TMPDIR is on a disk, the faults must be counted; elsewhere the row names the reason.
can_limit_memory() {
    [ "$(stat -f -c %T "${TMPDIR:-/var/tmp}")" != tmpfs ] || return 1
    for file in /sys/fs/cgroup/memory/X/memory.limit_in_bytes /sys/fs/cgroup/X/memory.max; do
        folder=$(dirname "$file" | sed "s/X$/test-study-$$/")
        mkdir "$folder" 2>/dev/null || continue
        [ -w "$folder/${file##*/}" ] && can=yes
        rmdir "$folder"
        [ -z "$can" ] || return 0
    done
    return 1
}
can=
if can_limit_memory; then
    rows faults 2 '"a page and pass":(1|1\.[0-4][0-9]*|0\.[7-9][0-9]*),.*"not measured":null'
else
    rows faults 2 '"a page and pass":((1|1\.[0-4][0-9]*|0\.[7-9][0-9]*),.*"not measured":null|null,.*"not measured":"no )'
    echo "SKIPPED, page faults: $(echo "$study" | sed -n 's/.*"table":"faults".*"not measured":"\(.*\)".*/\1/p' | head -n 1)"
fi

# --once: the exit status says whether the transform is right.
for library in radix engine nothing; do
    "$fft_study" four-easy-ways --once "$library" --n 4096 || say "--once $library failed"
done

# --n and --radix choose the rows.
study=$("$fft_study" four-easy-ways --radix 9,3 --n 729,81 --quick --json) || say 'failed: --radix 9,3'
rows radix 6
rows radix 4 '"base":"[39]","n":(729|81),"passes":[2346],.*"error":[1-9](\.[0-9]+)?e-08,'
study=$("$fft_study" four-easy-ways --table curves --radix 32 --n 32K,32 --quick --json) || say 'failed: --table curves'
rows curves 2 '"radix 16":null,"radix 32":[0-9.e+]+,"radix 64":null,'
rows curves 1 '"2\^15",'
exit $bad
