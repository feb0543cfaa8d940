#!/bin/sh
# test_bench.sh FFT-BENCH - the bench runs, its rows are whole and its spectra right; no figure of
# speed is judged here.
bench=$1
bad=0
say() { echo "$*"; bad=1; }

# refused WHAT ARGUMENT...: exit status 2 or 1, one line on standard error that names it.
refused() {
    what=$1
    shift
    if line=$("$bench" "$@" 2>&1 >/dev/null); then say "accepted: $*"; fi
    [ "$(echo "$line" | wc -l)" -eq 1 ] || say "not one line for $*: $line"
    case $line in *"$what"*) ;; *) say "\"$what\" is not named: $line" ;; esac
}
refused spectrum
refused spectrum guess
refused 1000 spectrum --n 1000
refused 256, spectrum --n 256,
refused 8M spectrum --n 8M
refused cs12 spectrum --format cs12
refused mkl spectrum --vs mkl
refused none spectrum --threads none
refused mmx spectrum --isa mmx
refused abacus spectrum --engine abacus
refused bogus spectrum --bogus
FFT_BENCH_FFTW=/nowhere/libfftw3f.so refused /nowhere spectrum --n 256 --vs fftw
"$bench" --help | grep -q 'fft-bench spectrum' || say 'no help'

# check ARGUMENT...: two rows of JSON with every field, and errors of single precision.
check() {
    rows=$("$bench" spectrum --json --n 256,1K "$@" 2>/dev/null) || say "failed: $*"
    for field in n engine what format threads msps ref ref_msps ratio rel_error bound_msps; do
        [ "$(echo "$rows" | grep -c "\"$field\":")" -eq 2 ] || say "no \"$field\" in: $rows"
    done
    [ "$(echo "$rows" | grep -cE '"rel_error":[1-9](\.[0-9]+)?e-0?7')" -eq 2 ] || say "errors in: $rows"
}
check
check --threads 2 --format cf32 --hop 256
[ $bad -eq 0 ] || exit 1
if "$bench" spectrum --n 64 --vs fftw >/dev/null 2>&1; then
    check --vs fftw --format cu8
else
    echo 'SKIPPED: no libfftw3f.so.3 here to compare with'
fi
exit $bad
