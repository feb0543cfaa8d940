#!/bin/sh
# test_qpu_asm.sh - tests qpu-asm: a listing, C with the same words, errors, and no partial output.
#
#     test_qpu_asm.sh QPU-ASM C-COMPILER SOURCE-TREE
asm=$1 cc=$2 source=$3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
fail() { echo "$*"; exit 1; }

cat >good.qasm <<'END'
.set rb_half, rb30
start: mov rb_half, 0x40   # a published word
mov r0, unif
nop; ldtmu0
thrend
nop
nop
END
cat >expected <<'END'
start:
    0  0x00000040, 0xe00217a7  good.qasm:2	mov rb_half, 0x40
    1  0x15827d80, 0x10020827  good.qasm:3	mov r0, unif
    2  0x009e7000, 0xa00009e7  good.qasm:4	nop; ldtmu0
    3  0x009e7000, 0x300009e7  good.qasm:5	thrend
    4  0x009e7000, 0x100009e7  good.qasm:6	nop
    5  0x009e7000, 0x100009e7  good.qasm:7	nop
END
"$asm" --list good.qasm >listing || fail "no listing"
diff expected listing || fail "another listing"

"$asm" -o out.c good.qasm || fail "no C"
cat >main.c <<'END'
#include "fft/qpu/qpu_kernels.h"
#include <stdio.h>
int main(void)
{
    for (const struct qpu_kernel *k = qpu_kernels; k->name; k++)
        for (uint32_t i = 0; i < k->instructions; i++)
            printf("%s 0x%08x, 0x%08x\n", k->name, k->code[2 * i], k->code[2 * i + 1]);
    return 0;
}
END
"$cc" -I"$source" -o words main.c out.c || fail "the C does not compile"
./words >words.txt
sed -n 's/.*\(0x[0-9a-f]*, 0x[0-9a-f]*\).*/good \1/p' expected | diff - words.txt || fail "other words"

printf 'nop\nfrob r0\n' >bad.qasm
"$asm" -o bad.c good.qasm bad.qasm 2>errors && fail "accepted a bad program"
[ ! -e bad.c ] || fail "left a partial output"
echo "bad.qasm:2: there is no operation 'frob'" | diff - errors || fail "another error"
"$asm" --list nosuch.qasm 2>errors && fail "accepted a missing file"
"$asm" >/dev/null 2>&1
[ $? -eq 2 ] || fail "another status for wrong usage"
exit 0
