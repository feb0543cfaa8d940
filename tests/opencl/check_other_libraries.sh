#!/bin/sh
# Rows of fft-bench beside other OpenCL libraries, on PoCL: whole, and right on both sides. No figure of speed
# is judged.
#
#     check_other_libraries.sh FFT-BENCH
icd=/etc/OpenCL/vendors/pocl.icd
if [ ! -e "$icd" ]; then
    echo "SKIPPED: no OpenCL driver $icd"
    exit 77
fi
export OCL_ICD_VENDORS="$icd" POCL_CACHE_DIR="$PWD/pocl" XDG_CACHE_HOME="$PWD/cache"
mkdir -p "$POCL_CACHE_DIR" "$XDG_CACHE_HOME"
bad=0 rows=0
for rival in clfft vkfft; do
    row=$("$1" spectrum --engine opencl --n 256 --quick --json --vs $rival 2>"rival.$rival")
    if [ $? -ne 0 ] && grep -q 'cannot open shared object' "rival.$rival"; then
        echo "# no $rival here"
        continue
    fi
    rows=$((rows + 1))
    error='([5-9](\.[0-9]+)?e-08|[1-3](\.[0-9]+)?e-07)'
    if ! echo "$row" | grep -Eq "\"ref\":\"$rival-[0-9.]*\",.*\"ref_rel_error\":$error,\"rel_error\":$error,"; then
        echo "$rival: $row"
        cat "rival.$rival"
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
