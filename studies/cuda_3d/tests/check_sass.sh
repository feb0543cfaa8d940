#!/bin/sh
# check_sass.sh FATBIN... - the machine code of the study's kernels has no generic bit reversal: each element's bits
# are reversed once (a thread of the shuffle kernels has four), and stages use constant masks. Only dit128_thread has
# loops, only it and kernels with bounds (_b12) have local memory, and only dit128_h4_fast has the device's own sines.
PATH=$PATH:/usr/local/cuda/bin
if ! command -v cuobjdump >/dev/null; then
    echo 'SKIPPED: no cuobjdump'
    exit 77
fi
bad=0
for fatbin; do
    code=$(cuobjdump -arch sm_90 -sass "$fatbin") || exit 1
    case $code in
    *Function*) ;;
    *)
        echo 'SKIPPED: the build has no machine code for compute capability 9.0'
        exit 77
        ;;
    esac
    echo "$code" | awk -v file="${fatbin##*/}" '
        function value(hex,    i, v) {
            for (v = 0; hex != ""; hex = substr(hex, 2))
                v = 16 * v + index("0123456789abcdef", substr(hex, 1, 1)) - 1
            return v
        }
        function finish() {
            if (!name) return
            printf "%s %s: %d instructions, %d BREV, %d loops, %d local\n", file, name, count, brev, loops, local
            kernels++
            if (name == "dit128_thread") return
            if (loops > 0 || brev != (name ~ /shuffle/ ? 4 : 1)) bad = 1
            if (local > 0 && name !~ /_b[0-9]+$/) bad = 1
            if (name ~ /_fast$/ ? !sines : sines) bad = 1
        }
        /Function : / { finish(); name = $NF; count = brev = loops = local = sines = 0 }
        match($0, /\/\*[0-9a-f][0-9a-f][0-9a-f][0-9a-f]+\*\/ +[@A-Z]/) {
            at = $0; sub(/^[^\/]*\/\*/, "", at); sub(/\*.*/, "", at)
            count++
            if (/ BREV/) brev++
            if (/ (LDL|STL)/) local++
            if (/ MUFU\.(SIN|COS)/) sines++
            if (/ BRA /) {
                to = $0; sub(/.* BRA /, "", to); sub(/^[^0]*0x/, "", to); sub(/[^0-9a-f].*/, "", to)
                if (value(to) < value(at)) loops++
            }
        }
        END { finish(); exit bad || kernels == 0 }' || { echo "check_sass.sh: ${fatbin##*/}: not as expected"; bad=1; }
done
exit $bad
