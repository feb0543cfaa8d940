#!/bin/sh
# check_programs.sh - compiles programs of every kind, as the planner composes them, with clang: OpenCL C 1.2 without
# any extension, no warning, and no private memory, which on some devices is main memory. The result of sincos() does not
# count: the device's compiler resolves it. Programs named private_* must use private memory.
#
#     check_programs.sh TEST_OPENCL_PLAN
for clang in clang-14 clang-15 clang-16 clang; do
    command -v $clang >/dev/null && break
done
if ! command -v $clang >/dev/null; then
    echo "SKIPPED: no clang"
    exit 77
fi
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
"$1" --programs "$folder" || exit 1

# An alloca that remains at -O2 is private memory. Double constants would need an extension.
bad=0 count=0
for program in "$folder"/*.cl; do
    # clang's header declares vload_half with cl_khr_fp16 only. OpenCL C 1.2 has it without (6.12.7).
    case $(basename "$program") in half_*) extensions=-all,+cl_khr_fp16 ;; *) extensions=-all ;; esac
    $clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Xclang -cl-ext=$extensions -target spir \
        -Wall -Wno-unused-function -Werror -O2 -S -emit-llvm -o "$program.ll" "$program" || bad=1
    private=$(grep ' alloca ' "$program.ll" | grep -v ' alloca \(float\|double\),')
    case $(basename "$program") in
    private_*) [ "$private" ] || { echo "$program: no private memory" && bad=1; } ;;
    *) [ -z "$private" ] || { echo "$program: private memory: $private" && bad=1; } ;;
    esac
    count=$((count + 1))
done
echo "$count programs"
[ "$count" -ge 13 ] || bad=1
exit $bad
