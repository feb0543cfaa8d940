#!/bin/sh
# opencl_methods.sh - counts what makes a method of an OpenCL kernel: functions, operations and accesses in the code that
# clang makes of it, before any device's compiler. A kernel that computes the same by another method has other counts.
#
#     opencl_methods.sh TEST COUNTS            compares with the file COUNTS
#     opencl_methods.sh TEST COUNTS --print    prints what it counts of the kernels in COUNTS
#
# TEST --programs FOLDER writes the programs. A line of COUNTS is a program, a kernel, and its counts that are not 0:
#
#     sincos, sin, cos, native    calls of these functions, native_sin and native_cos as one
#     mad, mul, add               on numbers, add with differences; mul4, add4: on vectors of four or more
#     div, float                  quotients and remainders of integers; conversions of integers to float
#     vload, wide                 vector loads and stores of floats; loads and stores of four floats at an address
#     local, barrier              accesses of local memory; barriers
#     row                         points in a row of a local array of two dimensions
for clang in clang-14 clang-15 clang-16 clang; do
    command -v $clang >/dev/null && break
done
if ! command -v $clang >/dev/null; then
    echo "SKIPPED: no clang"
    exit 77
fi
test=$1 counts=$2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
"$test" --programs "$folder" || exit 1

# count PROGRAM: a line for each of its kernels.
count() {
    $clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir -Wno-everything -O1 -ffp-contract=off \
        -S -emit-llvm -o - "$folder/$1.cl" | awk -v program="$1" '
        /^@.* = internal .*addrspace\(3\) global \[[0-9]+ x \[[0-9]+ x / {
            split($0, of, "[@.]"); split($0, size, "\\[[0-9]+ x \\["); row[of[2]] = size[2] + 0
        }
        /^define .*spir_kernel/ { match($0, /@[A-Za-z0-9_]+/); kernel = substr($0, RSTART + 1, RLENGTH - 1); split("", n) }
        !kernel { next }
        /^}/ {
            line = program " " kernel
            n["row"] = row[kernel]
            for (i = split("sincos sin cos native mad mul add mul4 add4 div float vload wide local row barrier", key, " "); i > 0; i--)
                if (n[key[i]]) counted = " " key[i] "=" n[key[i]] counted
            print line counted
            kernel = counted = ""
        }
        / call .*@_Z6sincos/ { n["sincos"]++ }
        / call .*@_Z3sin/ { n["sin"]++ }
        / call .*@_Z3cos/ { n["cos"]++ }
        / call .*@_Z1[01]native_(sin|cos)/ { n["native"]++ }
        / call .*@_Z3mad/ { n["mad"]++ }
        / call .*@_Z[67]v(load|store)[0-9]/ { n["vload"]++ }
        / call .*@_Z7barrier/ { n["barrier"]++ }
        / = fmul / { n[/ <(4|8|16) x / ? "mul4" : "mul"]++ }
        / = f(add|sub) / { n[/ <(4|8|16) x / ? "add4" : "add"]++ }
        / = [us](div|rem) / { n["div"]++ }
        / = [us]itofp / { n["float"]++ }
        / (load|store) <4 x float>/ && /addrspace\(1\)/ { n["wide"]++ }
        / (load|store) / && /addrspace\(3\)/ { n["local"]++ }'
}
grep -v '^#' "$counts" | cut -d ' ' -f 1 | sort -u | while read -r program; do count "$program"; done >"$folder/all"
grep -v '^#' "$counts" | while read -r program kernel wanted; do
    grep -E "^$program $kernel( |$)" "$folder/all" || echo "$program $kernel is not there"
done >"$folder/here"
if [ "$3" = --print ]; then
    cat "$folder/here"
    exit
fi
grep -v '^#' "$counts" >"$folder/wanted"
[ "$(wc -l <"$folder/wanted")" -ge 10 ] || exit 1
diff "$folder/wanted" "$folder/here" || { echo "opencl_methods.sh: < as the method has it, > as it is"; exit 1; }
