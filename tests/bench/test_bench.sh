#!/bin/sh
# test_bench.sh FFT-BENCH - fft-bench checks its command line, its rows have all fields, and its results are
# right. No figure of speed is judged. With FFTD_TEST_ONLY_THREADS, it measures with several threads alone;
# with FFTD_TEST_SPARSE, two of the four types of transforms, and nothing beside FFTW.
bench=$1
bad=0
say() { echo "$*"; bad=1; }

. "$(dirname "$0")/../support/refused.sh"

refused "$bench" spectrum
refused "$bench" spectrum guess
refused "$bench" transform guess
refused "$bench" 1000 spectrum --n 1000
refused "$bench" 256, spectrum --n 256,
refused "$bench" 8M spectrum --n 8M
refused "$bench" 64x64 spectrum --n 64x64
refused "$bench" cs12 spectrum --format cs12
refused "$bench" mkl spectrum --vs mkl
refused "$bench" cufft spectrum --vs cufft
refused "$bench" cufft transform --engine cpu --vs cufft
refused "$bench" clfft spectrum --engine cpu --vs clfft
refused "$bench" clfft transform --engine opencl --vs clfft
refused "$bench" vkfft spectrum --engine opencl --detectors max --vs vkfft
refused "$bench" none spectrum --threads none
refused "$bench" mmx spectrum --isa mmx
refused "$bench" abacus spectrum --engine abacus
refused "$bench" bogus spectrum --bogus
refused "$bench" median spectrum --detectors mean,median
refused "$bench" 64 spectrum --density 64
refused "$bench" 64x9999 spectrum --density 64x9999
refused "$bench" --density spectrum --density 64x64 --vs fftw
refused "$bench" more spectrum more
refused "$bench" fft-study study four-easy-ways
refused "$bench" --table spectrum --table ladder
refused "$bench" --type spectrum --type r2c
refused "$bench" --hop transform --hop 64
refused "$bench" 11 transform --n 11
refused "$bench" 64x transform --n 64x
refused "$bench" 2x2x2x2 transform --n 2x2x2x2
refused "$bench" 4Kx8K transform --n 4Kx8K
refused "$bench" c2q transform --type c2q
refused "$bench" disk transform --place disk
refused "$bench" mali-g52 plan
refused "$bench" z80 plan --options profile=z80
refused "$bench" faster plan --options profile=mali-g52,plan=faster
refused "$bench" --explain spectrum --explain
FFT_BENCH_FFTW=/nowhere/libfftw3f.so refused "$bench" /nowhere spectrum --n 256 --vs fftw
"$bench" study four-easy-ways >/dev/null 2>&1
[ $? -eq 2 ] || say "another exit status than 2 for study"
"$bench" --help | grep -q study && say "the help names studies"
for verb in spectrum transform plan; do
    "$bench" --help | grep -q "fft-bench $verb" || say "no help for $verb"
done

# check ROWS VERB ARGUMENT...: this many rows of JSON, with all fields and errors of single precision.
check() {
    count=$1
    shift
    rows=$("$bench" "$@" --quick --json 2>/dev/null) || say "failed: $*"
    for field in n shape engine what format threads msps ref ref_msps ratio ref_rel_error rel_error bound_msps; do
        [ "$(echo "$rows" | grep -c "\"$field\":")" -eq "$count" ] || say "$*: no \"$field\" in: $rows"
    done
    [ "$(echo "$rows" | grep -cE '"rel_error":([1-3](\.[0-9]+)?e-0?7|[5-9](\.[0-9]+)?e-0?8)')" -eq "$count" ] ||
        say "$*: errors in: $rows"
}

# check_transforms ARGUMENT...: every type, in and out of place, each rank, working sets in cache and memory.
check_transforms() {
    types='forward inverse r2c c2r'
    [ -z "$FFTD_TEST_SPARSE" ] || types='inverse r2c'
    for type in $types; do
        check 3 transform --n 256,360,12x8x30 --type $type "$@"
        check 2 transform --n 1000,48x20 --type $type --in-place --threads 2 "$@"
    done
    check 1 transform --n 4K --place memory "$@"
}

if [ -n "$FFTD_TEST_ONLY_THREADS" ]; then
    check 2 spectrum --n 256,1K --threads 2
    check 2 transform --n 1000,64K --in-place --threads 2
    exit $bad
fi
check 2 spectrum --n 256,1K
check 2 spectrum --n 256,1K --threads 2 --format cf32 --hop 256
check 2 spectrum --n 256,1K --detectors max,min
check 2 spectrum --n 256,1K --detectors mean,max --density 512x128
"$bench" spectrum --n 4K --detectors mean,max --density 1024x64 --quick --json 2>/dev/null |
    grep -q '"what":"density",.*"detectors":"mean,max","columns":1024,"levels":64,"mhits":[0-9.]*,.*"ref":"without density"' ||
    say 'the row does not say what density was measured'
check_transforms
check 1 transform --n 360 --scale n
check 1 transform --n 12x20 --type c2r --scale root-n
refused=$("$bench" transform --n 64 --scale n --vs fftw 2>&1) && say 'scaled transforms are compared'
case $refused in
*'--vs fftw compares unscaled transforms, without --scale'*) ;;
*) say "the reason is not said: $refused" ;;
esac
"$bench" transform --n 8x4x2 --type r2c --quick --json 2>/dev/null |
    grep -q '"n":64,"shape":"8x4x2",.*"what":"r2c","format":"f32","threads":1,"scale":"none","in_place":false,' ||
    say 'the row does not say what was measured'

[ "$("$bench" plan --options profile=mali-g52 --n 1K,4K --explain | grep -c 'bytes a sample,')" -eq 2 ] ||
    say 'the plans are not explained'

[ $bad -eq 0 ] || exit 1
[ -z "$FFTD_TEST_SPARSE" ] || exit 0
if "$bench" spectrum --n 64 --vs fftw >/dev/null 2>&1; then
    check 2 spectrum --n 256,1K --vs fftw --format cu8
    check_transforms --vs fftw
else
    echo 'SKIPPED: no libfftw3f.so.3 here to compare with'
fi
exit $bad
