#!/bin/sh
# check_machine_code.sh NVCC SOURCE-TREE - the CUDA toolkit makes machine code of the kernels with inline PTX, in small
# forms (small_forms.h): only its last step finds errors of PTX. This takes minutes, and sources of which it was made
# before, as the preprocessor leaves them, are not tried again: $FFTD_MACHINE_CODE_CACHE names a folder that remembers
# them.
nvcc=$1
cd "$2" || exit 1
bad=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
known=${FFTD_MACHINE_CODE_CACHE:-}
[ -z "$known" ] || mkdir -p "$known" || exit 1

# compile KERNELS OPTION...: with the options of all steps.
compile() {
    file=kernels/cuda/$1.cu
    shift
    "$nvcc" "$@" -arch=sm_90 -std=c++17 -I. -include tests/cuda/small_forms.h -o "$out" "$file"
}

for kernels in spectrum_cu8 transform_along transform_bridge; do
    stamp=
    if [ -n "$known" ] && compile "$kernels" -E; then
        stamp=$known/$({ "$nvcc" --version; cat "$out"; } | sha256sum | cut -d ' ' -f 1)
        [ ! -e "$stamp" ] || { echo "made before: $kernels.cu"; continue; }
    fi
    if compile "$kernels" -cubin && [ -s "$out" ]; then
        [ -z "$stamp" ] || : >"$stamp"
    else
        echo "no machine code: $kernels.cu"
        bad=1
    fi
done
exit $bad
