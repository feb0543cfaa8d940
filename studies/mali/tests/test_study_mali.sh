#!/bin/sh
# test_study_mali.sh FFT-STUDY - checks that the tables of the study are complete, on the driver that $OCL_ICD_VENDORS
# names. Speed is not checked.
fft_study=$1
. "$(dirname "$0")/../../tests/study.sh"
need_driver

run_study mali
rows machine 6
rows cost 18
# 4 x 256^2 multiplications of the direct sum, and 5 n log2 n operations of radix 2, less those of factors that are 1.
rows cost 1 '"points":256,"radices":"2\^8","passes":9,"multiplications":3076,"additions":5634,'
rows cost 1 '"points":5040,"radices":"8 x 2 x 7 x 5 x 3\^2","passes":7,'
rows twiddles 6 '"document ratio":1\.6,'
rows merged 6 '"document ratio":1\.5,'
rows radix 6
rows radix-tables 6
rows first 6 '"points x rows":"radix [234578]: [0-9]+ x [0-9]+"'
rows vectors 6
rows vectorised 4
# Above 65,536 points, where the document has its ratio.
rows vectorised 1 '"points x rows":"131072 x 1",.*"document ratio":7,'
rows roots 6
rows lengths 4
rows images 1 '"image":"64 x 64"'
rows half 2
rows engine 3
# 32 bits: -130 dB and below. 11 bits: -74 dB for each pass but the last, two or three here; half of that in amplitude.
rows half 2 '"NMSE float dB":-1[34][0-9.]*,"NMSE half dB":-7[1-5](\.[0-9]*)?,"spur float dBc":-1[2-9][0-9.]*,"spur half dBc":-[78][0-9.]*,'

# All columns have values, except a ratio that the document claims only above 4096 points.
echo "$study" | grep -vE '"table":"(radix|vectorised)"' | grep null && say 'a column has no value'
rows radix 6 '"document 2:4":null,'
rows vectorised 3 '"document ratio":null,'
[ "$(echo "$study" | grep -o 'null' | wc -l)" -eq 9 ] || say 'a column has no value'
# Times are above 0. Errors are at most 1e-6 with angles in float, 3e-7 with tables.
echo "$study" | grep -E ' us":(0|-)[,}]' && say 'a time is 0'
echo "$study" | grep -oE '"error [a-z0-9 ]*":[^,}]*' | awk -F: '
    { most = $1 ~ /table|steps|engine|scalar|radix 8/ ? 3e-7 : 1e-6; if (!($2 > 0 && $2 < most)) { print; bad = 1 } }
    END { exit bad || NR < 80 }' || say 'an error is too large'

# A single table comes with that of the machine. Another engine or an unknown table is refused.
one=$("$fft_study" mali --quick --json --table images) || say 'failed: --table images'
[ "$(echo "$one" | grep -c '"table":')" -eq 7 ] || say "--table images: $one"
"$fft_study" mali --quick --engine cpu >/dev/null 2>&1 && say 'another engine passes'
"$fft_study" mali --quick --table ladder >/dev/null 2>&1 && say 'another table passes'
exit $bad
