#!/bin/sh
# test_study_mali.sh FFT-STUDY - the tables of mali are whole, on the driver that $OCL_ICD_VENDORS names. No
# figure of speed is judged.
fft_study=$1
. "$(dirname "$0")/../support/study.sh"
need_driver

run_study mali
rows machine 6
rows twiddles 6 '"document ratio":1\.6,'
rows merged 6 '"document ratio":1\.5,'
rows radix 6
rows radix-tables 6
rows first 6 '"points x rows":"radix [234578]: [0-9]+ x [0-9]+"'
rows vectors 6
rows roots 6
rows lengths 4
rows images 1 '"image":"64 x 64"'
rows engine 3

# All columns are filled, except a ratio that the document claims only above 4096 points.
echo "$study" | grep -v '"table":"radix"' | grep null && say 'a column is not filled'
rows radix 6 '"document 2:4":null,'
[ "$(echo "$study" | grep -o 'null' | wc -l)" -eq 6 ] || say 'a column is not filled'
# Times are above 0. Results with float angles are exact to 1e-6, with tables to 3e-7.
echo "$study" | grep -E ' us":(0|-)[,}]' && say 'a time of nothing'
echo "$study" | grep -oE '"error [a-z0-9 ]*":[^,}]*' | awk -F: '
    { most = $1 ~ /table|steps|engine/ ? 3e-7 : 1e-6; if (!($2 > 0 && $2 < most)) { print; bad = 1 } }
    END { exit bad || NR < 80 }' || say 'an error is too large'

# --table prints this table and the machine's. Another engine or table is refused.
one=$("$fft_study" mali --quick --json --table images) || say 'failed: --table images'
[ "$(echo "$one" | grep -c '"table":')" -eq 7 ] || say "--table images: $one"
"$fft_study" mali --quick --engine cpu >/dev/null 2>&1 && say 'another engine passes'
"$fft_study" mali --quick --table ladder >/dev/null 2>&1 && say 'another table passes'
exit $bad
