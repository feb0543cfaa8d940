#!/bin/sh
# mali_statistics.sh ROOT [PROGRAM.cl...] - prints the statistics of Mesa's compiler for Mali-G52: cycles of loads and
# stores, also for each point if the name of the program has the points of a work-item, arithmetic, spills, private
# memory. The figures are the compiler's model, not times on a device. Fails if a radix 8 stage with two columns and
# powers of one root costs more than 1.1 cycles for each point, or spills.
#
# No test run includes this script. ROOT has Debian 13's arm64 packages mesa-drm-shim, mesa-opencl-icd,
# ocl-icd-libopencl1 and their dependencies, unpacked there with dpkg -x. The default PROGRAMs are those of the mali
# study. --programs of the tests writes others. A program takes a minute.
source=$(cd "$(dirname "$0")/../../.." && pwd)
build_programs=${BUILD_PROGRAMS:-$source/build/aarch64/studies/mali/build_programs}
study=$source/build/dev/studies/mali/test_opencl_study_mali
root=${1:-/nowhere}
[ $# -gt 0 ] && shift
libraries=$root/usr/lib/aarch64-linux-gnu
shim=libpanfrost_noop_drm_shim.so
skip() { echo "SKIPPED: $*"; exit 77; }
for qemu in qemu-aarch64-static qemu-aarch64 none; do
    command -v $qemu >/dev/null && break
done
[ $qemu != none ] || skip 'no qemu-aarch64'
[ -e "$libraries/$shim" ] || skip "no $libraries/$shim"
[ -e "$libraries/libRusticlOpenCL.so.1" ] || skip "no $libraries/libRusticlOpenCL.so.1"
[ -x "$build_programs" ] || skip "no $build_programs (cmake --build --preset aarch64)"

folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/vendors"
echo libRusticlOpenCL.so.1 >"$folder/vendors/rusticl.icd"
if [ $# -eq 0 ]; then
    [ -x "$study" ] || skip "no $study"
    "$study" --programs "$folder" || exit 2
    set -- "$folder"/mali_radix_4_2.cl "$folder"/mali_radix_8_2.cl
fi
[ -e "$root/lib" ] || ln -s usr/lib "$root/lib" || exit 2

# 7212: Mali-G52. The compiler needs a larger stack than qemu's default.
$qemu -s 134217728 -L "$root" -E LD_PRELOAD=$shim -E LD_LIBRARY_PATH="$libraries" \
    -E RUSTICL_ENABLE=panfrost -E PAN_GPU_ID=7212 -E BIFROST_MESA_DEBUG=shaderdb \
    -E OCL_ICD_VENDORS="$folder/vendors" "$build_programs" "$@" 2>"$folder/log" || {
    tail -5 "$folder/log"
    exit 1
}

# The compiler prints the statistics of kernels before their names, in the same order, each twice.
awk '
function flush(  i, line, points) {
    if (count != 2 * kernels) { print program ": " count " statistics of " kernels " kernels"; bad = 1 }
    for (i = 0; i < kernels && count == 2 * kernels; i++) {
        points = program ~ /_[0-9]+_[12]\.cl$/ ? radix * columns : 0
        printf "%-24s %-24s %6.1f %8s %8.1f %8s %8s\n", program, name[i], ldst[2 * i],
               points ? sprintf("%.2f", ldst[2 * i] / points) : "-", arith[2 * i], spills[2 * i], private[i]
        if (program == "mali_radix_8_2.cl" && name[i] == "merged_chain_8") {
            seen = 1
            if (ldst[2 * i] / points > 1.1 || spills[2 * i] != "0:0") { print "above the limit"; bad = 1 }
        }
    }
    count = kernels = 0
}
BEGIN { count = kernels = 0; printf "%-24s %-24s %6s %8s %8s %8s %8s\n", "program", "kernel", "ldst", "a point", "arith", "spills", "private" }
/^program / { if (program) flush(); program = $2; sub(/.*\//, "", program)
              split(program, part, /[_.]/); radix = part[3]; columns = part[4] }
/^SHADER-DB/ { for (i = 1; i < NF; i++) { if ($(i + 1) ~ /^ldst/) ldst[count] = $i
                   if ($(i + 1) ~ /^arith/) arith[count] = $i; if ($(i + 1) ~ /^spills/) spills[count] = $i }
               count++ }
/^kernel / { name[kernels] = $2 }
/^group / { private[kernels++] = $4 }
END { flush(); exit bad }' "$folder/log"
