#!/bin/sh
# hardening.sh PROGRAM - reads from the program's ELF file that it is hardened.
program=${1:?}
command -v readelf >/dev/null && command -v objdump >/dev/null || { echo 'binutils are missing'; exit 77; }
bad=0
has() {
    what=$1 pattern=$2
    shift 2
    "$@" "$program" 2>/dev/null | grep -Eq "$pattern" || { echo "$program: no $what"; bad=1; }
}
has 'position-independent executable' 'Type:.*DYN' readelf -hW
has 'RELRO segment' 'GNU_RELRO' readelf -lW
has 'immediate binding' 'BIND_NOW|Flags:.*NOW' readelf -dW
has 'stack that cannot be executed' 'GNU_STACK.* RW +0' readelf -lW
has 'stack protector' '__stack_chk_fail' readelf --dyn-syms -W
has 'checked libc calls' '__[a-z]*printf_chk' readelf --dyn-syms -W
# Debian's start files carry no such note, so the linker leaves it out of the program: look at the code.
if [ "$(uname -m)" = x86_64 ]; then
    objdump -d --disassemble=main "$program" | grep -A1 '<main>:$' | grep -q endbr64 ||
        { echo "$program: no control-flow protection"; bad=1; }
fi
exit $bad
