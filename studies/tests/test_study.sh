#!/bin/sh
# test_study.sh FFT-STUDY - fft-study checks its command line.
fft_study=$1
. "$(dirname "$0")/study.sh"
. "$(dirname "$0")/../../tests/support/refused.sh"

refused "$fft_study" four-easy-ways
refused "$fft_study" gpu-fft
refused "$fft_study" bealto bealto
refused "$fft_study" more gpu-fft more
refused "$fft_study" --n gpu-fft --n 64
refused "$fft_study" --radix mali --radix 8
refused "$fft_study" --once gpu-fft --once radix --n 64
refused "$fft_study" 32M four-easy-ways --n 32M
refused "$fft_study" 64K,x four-easy-ways --n 64K,x
refused "$fft_study" 257 four-easy-ways --radix 257
refused "$fft_study" 1001 four-easy-ways --n 1001
refused "$fft_study" 1000 four-easy-ways --radix 8 --n 64,1000
refused "$fft_study" plan four-easy-ways --radix 8 --table plan
refused "$fft_study" matlab four-easy-ways --once matlab --n 64
refused "$fft_study" 'one --n' four-easy-ways --once radix
refused "$fft_study" 1000 four-easy-ways --once radix --radix 8 --n 1000
refused "$fft_study" figure four-easy-ways --table figure
refused "$fft_study" ladder gpu-fft --table ladder
"$fft_study" bealto 2>/dev/null
[ $? -eq 2 ] || say 'another exit status than 2 for wrong usage'
for word in four-easy-ways gpu-fft cuda-3d mali bainville ladder radix-tables sizes --table --n --radix --once; do
    "$fft_study" --help | grep -q -e "$word" || say "the help does not name $word"
done
exit $bad
