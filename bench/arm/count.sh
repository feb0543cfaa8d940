#!/bin/sh
# count.sh REPEAT OPERATION POINTS... - prints the instructions that an operation executes on 64-bit ARM, under
# qemu-user: all of them, floating-point arithmetic of vectors, other instructions on vectors, loads and stores, and
# the rest. CPUS="cortex-a53 cortex-a72" adds the cycles that llvm-mca computes for these processors.
#
# REPEAT is arm-bench-repeat, which lists the operations. SYSROOT is a folder with the C library of arm64, and with
# FFTW's if it is counted (/usr/aarch64-linux-gnu). BLOCKS names a file for what was executed of the last POINTS: one
# line for each block of instructions, as run() describes it.
#
# qemu writes every block of instructions when it translates it, and one line whenever it executes it. A count is the
# difference of two runs, so plans are not in it. The cycles are the sum over the blocks of executions times cycles of
# the block in a loop: caches always hit, and branches are predicted.
sysroot=${SYSROOT:-/usr/aarch64-linux-gnu}
times=2
repeat=$1 operation=$2
[ $# -ge 3 ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
shift 2
skip() { echo "SKIPPED: $*"; exit 77; }
find_program() { # the first of these
    for program; do
        command -v "$program" && return
    done
    return 1
}
qemu=$(find_program qemu-aarch64 qemu-aarch64-static) || skip 'no qemu-aarch64'
[ -x "$repeat" ] || skip "no $repeat (cmake --build --preset aarch64)"
[ -e "$sysroot/lib/ld-linux-aarch64.so.1" ] || skip "no C library in $sysroot"
if [ "$CPUS" ]; then
    mca=$(find_program llvm-mca llvm-mca-14) && mc=$(find_program llvm-mc llvm-mc-14) || skip 'no llvm-mca'
fi
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/log" || exit 2

# A run of OPERATION with $1 points, $2 times. One line for each block of instructions: its executions, the
# instructions of each class, and all of them in hexadecimal.
run() {
    awk '
    /^----/ { block = ""; next }
    /^0x/ && NF > 2 {
        address = $1
        sub(/^0x0*/, "", address); sub(/:$/, "", address)
        if (block == "") {
            block = address
            words[block] = ""
            all[block] = arithmetic[block] = vectors[block] = memory[block] = 0
        }
        words[block] = words[block] " " $2
        all[block]++
        if ($3 ~ /^(ld|st|prfm)/)
            memory[block]++
        else if (/[ ,]v[0-9]+\./ && $3 ~ /^f/ && $3 != "fmov")
            arithmetic[block]++
        else if (/[ ,]v[0-9]+\./)
            vectors[block]++
        next
    }
    /^Trace / { split($4, part, "/"); sub(/^0*/, "", part[2]); executions[part[2]]++ }
    END { for (block in executions)
              print executions[block], all[block], arithmetic[block], vectors[block], memory[block] words[block] }
    ' "$folder/log" &
    $qemu -cpu cortex-a72 -L "$sysroot" -d nochain,exec,in_asm -D "$folder/log" "$repeat" "$operation" "$1" "$2" || return 1
    wait
}

# The blocks of one operation, as in run(): those of $2 without those of $1.
subtract() {
    awk -v times=$times '
    { words = $0; sub(/^[0-9]+ /, "", words)
      executions[words] += FILENAME == ARGV[1] ? -$1 : $1 }
    END { for (words in executions)
              if (executions[words])
                  print executions[words] / times, words }' "$1" "$2" | sort -rn
}

# Cycles of the blocks $2 on the processor $1. llvm-mca reads text, so llvm-mc disassembles first. A call becomes a
# branch: llvm-mca assumes 100 cycles for what it calls.
cycles() {
    awk '{ for (i = 6; i <= NF; i++)
               printf "0x%s 0x%s 0x%s 0x%s\n", substr($i, 7), substr($i, 5, 2), substr($i, 3, 2), substr($i, 1, 2) }' "$2" |
        $mc -disassemble -triple=aarch64 |
        sed '/^.\.text/d; s/^.bl\t/\tb\t/; s/^.blr\t/\tbr\t/; s/^.ret.*/\tbr\tx30/' | awk '
        FILENAME == ARGV[1] { size[++blocks] = NF - 5; next }
        left == 0 { print "# LLVM-MCA-BEGIN"; left = size[++at] }
        { print }
        --left == 0 { print "# LLVM-MCA-END" }' "$2" - >"$folder/text"
    $mca -mtriple=aarch64 -mcpu="$1" -iterations=100 -resource-pressure=0 -instruction-info=0 "$folder/text" \
        2>"$folder/warnings" | awk '
        FILENAME == ARGV[1] { executions[++blocks] = $1; next }
        /^Total Cycles:/ { sum += $3 / 100 * executions[++at] }
        END { if (at != blocks) exit 1
              printf "%d", sum }' "$2" - || { echo "llvm-mca: not every block" >&2; head -3 "$folder/warnings" >&2; exit 1; }
}

printf '%-12s %8s %10s %10s %10s %10s %10s' operation points all arithmetic vectors memory rest
for cpu in $CPUS; do printf ' %10s' "${cpu#cortex-}"; done
echo
for points; do
    run "$points" $times >"$folder/once" && run "$points" $((2 * times)) >"$folder/twice" || exit 1
    subtract "$folder/once" "$folder/twice" >"$folder/blocks"
    [ "$BLOCKS" ] && cp "$folder/blocks" "$BLOCKS"
    awk -v operation="$operation" -v points="$points" '
        { for (i = 2; i <= 5; i++) n[i] += $1 * $i }
        END { printf "%-12s %8d %10.0f %10.0f %10.0f %10.0f %10.0f", operation, points, n[2], n[3], n[4], n[5],
                     n[2] - n[3] - n[4] - n[5] }' "$folder/blocks"
    for cpu in $CPUS; do
        sum=$(cycles "$cpu" "$folder/blocks") || exit 1
        printf ' %10s' "$sum"
    done
    echo
done
