#!/bin/sh
# on_driver.sh ICD PROGRAM... - runs each test program on the opencl engine alone, with this driver of
# /etc/OpenCL/vendors. Skipped if it is not installed. $FFTD_TEST_OPTIONS has the options of the engine.
icd=/etc/OpenCL/vendors/$1.icd
shift
if [ ! -e "$icd" ]; then
    echo "SKIPPED: no OpenCL driver $icd"
    exit 77
fi
export OCL_ICD_VENDORS="$icd" FFTD_TEST_ENGINES=opencl
# Compiled programs are kept in the build folder, or where script/test says.
export POCL_CACHE_DIR="${FFTD_POCL_CACHE:-$PWD/pocl}" XDG_CACHE_HOME="$PWD/cache" RUSTICL_ENABLE=llvmpipe
export POCL_WORK_GROUP_METHOD=cbs # PoCL's other one takes its compiler three times as long
mkdir -p "$POCL_CACHE_DIR" "$XDG_CACHE_HOME"
for program; do
    "$program" || exit
done
