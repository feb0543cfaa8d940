#!/bin/sh
# test_study.sh FFT-STUDY - fft-study checks its command line, and the tables of four-easy-ways are whole. No
# figure of speed is judged.
fft_study=$1
. "$(dirname "$0")/../support/study.sh"
. "$(dirname "$0")/../support/refused.sh"

refused "$fft_study" four-easy-ways
refused "$fft_study" gpu-fft
refused "$fft_study" bealto bealto
refused "$fft_study" more gpu-fft more
refused "$fft_study" --n four-easy-ways --n 64
refused "$fft_study" figure four-easy-ways --table figure
refused "$fft_study" ladder gpu-fft --table ladder
"$fft_study" bealto 2>/dev/null
[ $? -eq 2 ] || say 'another exit status than 2 for wrong usage'
for word in four-easy-ways gpu-fft cuda-3d mali bainville ladder radix-tables sizes --table; do
    "$fft_study" --help | grep -q -e "$word" || say "the help does not name $word"
done

# The tables. What is asserted are counts and errors, which do not depend on the machine's speed.
run_study four-easy-ways
rows machine 3
rows ladder 11 '"ns a point":[0-9.e+]+,'
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
rows size 1 '"the general radix","here":[1-9]'
rows padding 6
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
exit $bad
