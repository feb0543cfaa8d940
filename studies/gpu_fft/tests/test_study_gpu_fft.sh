#!/bin/sh
# test_study_gpu_fft.sh FFT-STUDY - tests that the study gpu-fft prints complete tables with the
# emulator's counts.
fft_study=$1
. "$(dirname "$0")/../../tests/study.sh"
. "$(dirname "$0")/../../../tests/support/refused.sh"

run_study gpu-fft
rows machine 2
rows passes 5
rows passes 1 '"n":"2048","structure":"6[+]5","document, structure":"6[+]5","passes":2,"document, passes":2,"bytes stored a point":16,'
rows accuracy 5
rows accuracy 5 '"of the document.s":0[.][789]'
rows accuracy 1 '"n":"256","rms, ppm":0[.]2[0-9]*,"document, rms, ppm":0[.]33,.*"random input, ppm":0[.][345][0-9]*,"GPU_FFT, random, ppm":0[.]53'
rows work 5
rows work 5 '"of GPU_FFT.s":0[.][4-9]'
thousand=$(echo "$study" | sed -n 's/.*"table":"work","n":"256","thousand":\([0-9.]*\),.*/\1/p')
rows twiddles 1 '"n":"4096","steps":32,"two floats, ppm":0[.][0-9]*,"single, ppm":[0-9.]*,.*"model a stage, ppm":2[.]4,"document, 2.0, ppm":2[.]3,"document, 3.0, ppm":0[.]78,'
rows order 2
rows order 1 '"structure":"6[+]6","n":4096,"passes":2,.*"document, ppm":null,'
rows time 5
rows time 1 '"n":"4096",.*"document, ms":0[.]25,.*"document, FFTW, ms":3'
rows cache 5
rows cache 1 '"n":"4096",.*"read, times the data":[34][.0-9]*,"not interleaved":[34][.0-9]*,"windowed":[45][.0-9]*,"windowed, not interleaved":1[0-9.]*,"GPU_FFT, model":null'
rows swizzle 3
rows swizzle 3 '"plain":2,"interleaved":1,"any order of lanes":1}'
rows launch 5
rows launch 5 '"GPU_FFT, one transform":"registers"'
rows lookup 3
rows lookup 1 '"structure":"4[+]4[+]4","n":4096,.*"tables, ppm":0[.]3[0-9]*,.*"Stockham, read, model":3}'
rows modes 10
# No schedule changes the result.
[ "$(echo "$study" | grep '"table":"modes"' | grep -o '"rms, ppm":[^,]*' | sort -u | wc -l)" -eq 1 ] ||
    say "schedules differ: $study"

# The emulated counters: four cycles an instruction of the table work; a miss of the L2 cache is one of a TMU's, too.
study=$("$fft_study" gpu-fft --quick --json --table counters --engine qpu-emu) || say 'failed: counters'
case $study in
*'no engine is called'*) rows counters 1 ;; # a release
*)
    rows counters 5
    echo "$study" | grep '"n":"256"' | sed 's/.*"executing, cycles":\([0-9]*\),.*"TMU cache misses":\([0-9]*\),"L2 cache misses":\([0-9]*\).*/\1 \2 \3/' |
        awk -v thousand="$thousand" '{ exit !($1 == 4000 * thousand && $2 > $3 && $3 > 0) }' || say "counters: $study"
    ;;
esac

# The picture is 120 cos(2 pi (2 x + 2 y) / 512) + 128, whatever the engine; its last row is y = 0.
picture=$(mktemp) || exit 1
trap 'rm -f "$picture"' EXIT
study=$("$fft_study" gpu-fft --json --table picture --picture "$picture") || say 'failed: picture'
rows picture 1 '"points":"512 x 512","engine":"(qpu|qpu-emu|cpu)","rms, ppm":[01][.][0-9]*,'
[ "$(head -n 1 "$picture")" = 'P5 512 512 255' ] || say 'the picture has another head'
tail -c +16 "$picture" | od -An -v -tu1 -w512 | awk '
    { for (x = 0; x < NF; x++) {
          off = $(x + 1) - int(128 + 120 * cos(8 * atan2(1, 1) * (2 * x + 2 * (512 - NR)) / 512))
          if (off < -1 || off > 1) bad = 1 } }
    NF != 512 { bad = 1 }
    END { exit bad || NR != 512 }' || say 'the picture is not that of the formula'
refused "$fft_study" /nonexistent/x gpu-fft --table picture --picture /nonexistent/x
refused "$fft_study" --picture gpu-fft --table work --picture "$picture"

one=$("$fft_study" gpu-fft --quick --table work) || say 'failed: one table'
echo "$one" | grep -q '^work$' && ! echo "$one" | grep -q '^accuracy$' || say "not one table: $one"
exit $bad
