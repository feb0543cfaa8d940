#!/bin/sh
# check_other_libraries.sh - checks rows of fft-bench beside other OpenCL libraries, on PoCL: complete, and correct on
# both sides. Speed is not checked.
#
#     check_other_libraries.sh FFT-BENCH
icd=/etc/OpenCL/vendors/pocl.icd
if [ ! -e "$icd" ]; then
    echo "SKIPPED: no OpenCL driver $icd"
    exit 77
fi
export OCL_ICD_VENDORS="$icd" POCL_CACHE_DIR="${FFTD_POCL_CACHE:-$PWD/pocl}" XDG_CACHE_HOME="$PWD/cache"
mkdir -p "$POCL_CACHE_DIR" "$XDG_CACHE_HOME"
bad=0 rows=0
for library in clfft vkfft; do
    row=$("$1" spectrum --engine opencl --n 256 --quick --json --vs $library 2>"library.$library")
    if [ $? -ne 0 ] && grep -q 'cannot open shared object' "library.$library"; then
        echo "# no $library here"
        continue
    fi
    rows=$((rows + 1))
    error='([5-9](\.[0-9]+)?e-08|[1-3](\.[0-9]+)?e-07)'
    if ! echo "$row" | grep -Eq "\"ref\":\"$library-[0-9.]*\",.*\"ref_rel_error\":$error,\"rel_error\":$error,"; then
        echo "$library: $row"
        cat "library.$library"
        bad=1
    fi
done
FFT_BENCH_CLFFT=/nowhere/libclFFT.so "$1" spectrum --engine opencl --n 256 --quick --vs clfft 2>&1 >/dev/null |
    grep -q '^fft-bench: --vs: /nowhere/libclFFT.so: cannot open' || bad=1
if [ $rows -eq 0 ] && [ $bad -eq 0 ]; then
    echo "SKIPPED: neither clFFT nor the module of VkFFT"
    exit 77
fi
exit $bad
