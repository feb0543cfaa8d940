#!/bin/sh
# check_machine_code.sh NVCC SOURCE-TREE - the CUDA toolkit makes machine code of the kernels with inline PTX, in small
# forms (small_forms.h): only its last step finds errors of PTX.
nvcc=$1
cd "$2" || exit 1
bad=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
for kernels in spectrum_cu8 transform_along transform_bridge; do
    "$nvcc" -cubin -arch=sm_90 -std=c++17 -I. -include tests/cuda/small_forms.h -o "$out" "kernels/cuda/$kernels.cu" &&
        [ -s "$out" ] || { echo "no machine code: $kernels.cu"; bad=1; }
done
exit $bad
