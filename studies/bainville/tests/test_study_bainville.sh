#!/bin/sh
# test_study_bainville.sh FFT-STUDY - checks that the tables of the study are complete, on the driver that
# $OCL_ICD_VENDORS names. Speed is not checked.
fft_study=$1
. "$(dirname "$0")/../../tests/study.sh"
need_driver

run_study bainville
rows machine 4
# Every third kernel by four methods, each with a time, a work-group and an error. cuFFT and the document's figures
# apply to other devices and sizes. The profiled time is that of the kernels alone.
rows kernels 16 '"work-group":64,"private, B":[0-9]+,"ms":[0-9.e-]+,"profiled, ms":[0-9.e-]+,"of a copy":[0-9.e-]+,"error":[0-9.e-]+,'
rows kernels 16 '"cuFFT.s time to ours":null,"document GTX285, ms":null,"document HD5870, ms":null\}'
for method in sincos 'sin \+ cos' 'native sin \+ cos' table; do
    rows kernels 4 "\"cosine and sine\":\"$method\""
done
rows passes 4 '"us a pass":[0-9.e-]+,"us the first":[0-9.e-]+,"us a copy":[0-9.e-]+,"GB/s moved":[0-9.e-]+,'
rows passes 1 '"kernel":"radix32_powers",.*"passes":3,' # 4096 = 32 x 32 x 4
rows groups 4 '"32":null,"64":[0-9.e-]+,'
rows relaxed 8 '"relaxed, ms":[0-9.e-]+,"gain":[0-9.e-]+,"error":[0-9.e-]+,"relaxed, error":[0-9.e-]+,'
rows switches 4 '"radix 2 in":"float"'
rows short 2 '"values stay in":"local memory".*"GS/s":[0-9.e-]+,"of a copy":[0-9.e-]+,"error":[0-9.e-]+,'
rows short 2 '"values stay in":"registers".*"GS/s":[0-9.e-]+,"of a copy":[0-9.e-]+,"error":[0-9.e-]+,'
rows sizes 2 '"radix2":[0-9.e-]+,"radix4_c":[0-9.e-]+,"radix8_b":[0-9.e-]+,"radix16":[0-9.e-]+,"radix32":[0-9.e-]+,'

# The error in float is at most 5e-7, with a table of all roots 2e-7. That of native sines is up to the device.
echo "$study" | grep -E '"table":"(kernels|relaxed|switches|short)"' | grep -v 'native' | grep -v '"too large"' |
    grep -oE '"(relaxed, )?error":[^,}]*' | awk -F: '
    { if (!($2 > 0 && $2 < 5e-7)) { print; bad = 1 } }
    END { exit bad || NR < 30 }' || say 'an error is too large'
echo "$study" | grep '"table":"kernels"' | grep '"table","work' | grep -v powers | grep -v '_[bc]"' |
    grep -oE '"error":[^,}]*' | awk -F: '
    { if (!($2 < 2e-7)) { print; bad = 1 } }
    END { exit bad || NR < 2 }' || say 'an error with a table is too large'

one=$("$fft_study" bainville --quick --json --table sizes) || say 'failed: --table sizes'
[ "$(echo "$one" | grep -c '"table":')" -eq 6 ] || say "--table sizes: $one"
"$fft_study" bainville --quick --engine cpu >/dev/null 2>&1 && say 'another engine passes'
"$fft_study" bainville --quick --table ladder >/dev/null 2>&1 && say 'another table passes'
exit $bad
