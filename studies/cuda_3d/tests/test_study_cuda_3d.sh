#!/bin/sh
# test_study_cuda_3d.sh FFT-STUDY DRIVER - checks that the tables of the study are complete and its results right, on
# the mock driver that emulates kernels. Speed is not checked.
fft_study=$1
export FFTD_CUDA_DRIVER="$2" FFT_BENCH_CUFFT=none
. "$(dirname "$0")/../../tests/study.sh"

error='"error":[1-3](\.[0-9]+)?e-07\}'
run_study cuda-3d 2>/dev/null
rows machine 2
# The engine twice, and every kernel.
rows rows 29 '"GB/s moved":[0-9.e-]+,"to cuFFT":null,"error":[0-9.]+e-0[78]\}'
rows rows 2 '"rows of 128":"the engine(, in place)?",'
rows permute 6 '"misplaced":0\}'
rows planes 8 "$error"
rows box 13
rows box 13 "$error"
for chain in '3 transforms, 4 transpositions","passes":7' 'the last two merged","passes":6' \
    'and the second axis begun ahead","passes":6' 'and both later axes begun ahead","passes":6' \
    'rotation while storing","passes":3'; do
    rows box 1 "\"n.3\":\"128\",\"way\":\"$chain,"
done
for n in 64 128; do
    rows box 1 "\"n.3\":\"$n\",\"way\":\"the engine, a pass an axis\",\"passes\":3,.*\"of a copy, %\":[0-9.e+-]+,"
done
for n in 64 96 128; do
    passes=$([ $n = 96 ] && echo 3 || echo 2)
    rows box 2 "\"n.3\":\"$n\",\"way\":\"the engine(, in place)?\",\"passes\":$passes,.*\"of a copy, %\":[0-9.e+-]+,"
done
exit $bad
