#!/bin/sh
# check_few.sh - runs a few short frames of every strategy, or of a study's kernels, on other drivers than PoCL.
# oclgrind detects data races and accesses outside of buffers, and its log must be empty. rusticl is a second compiler.
#
#     check_few.sh oclgrind|rusticl TEST
if [ "$1" = oclgrind ]; then
    if ! command -v oclgrind >/dev/null; then
        echo "SKIPPED: no oclgrind"
        exit 77
    fi
    log=$(mktemp) || exit 2
    trap 'rm -f "$log"' EXIT
    export FFTD_OPENCL_DRIVER=liboclgrind-rt.so # for programs that open the loader themselves
    oclgrind --data-races --log "$log" "$2" few
    status=$?
    [ $status -eq 77 ] && echo "SKIPPED: oclgrind shows no device" && exit 77
    if [ -s "$log" ]; then
        head -40 "$log"
        exit 1
    fi
    exit $status
fi
icd=/etc/OpenCL/vendors/$1.icd
if [ ! -e "$icd" ]; then
    echo "SKIPPED: no OpenCL driver $icd"
    exit 77
fi
export OCL_ICD_VENDORS="$icd" RUSTICL_ENABLE=llvmpipe XDG_CACHE_HOME="$PWD/cache"
mkdir -p "$XDG_CACHE_HOME"
exec "$2" few
