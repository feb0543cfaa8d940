#!/bin/sh
# The architecture, checked: layers point down only, a foreign library is spoken in one place,
# back-ends export one symbol, files and functions stay small.
#
#     check_layers.sh SOURCE-TREE [BUILD-TREE]
cd "${1:?}" || exit 2
build=${2:-}
bad=0
say() { echo "$*"; bad=1; }

# may_not PATTERN EXCEPT WHY FILE...: no file but those matching EXCEPT may contain PATTERN.
may_not() {
    pattern=$1 except=$2 why=$3
    shift 3
    for hit in $(grep -lE -e "$pattern" "$@" 2>/dev/null | grep -vE -e "$except"); do
        say "$hit: $why"
    done
}
include() { echo "^ *# *include *[<\"]($1)"; }

library=$(find fft -name '*.[ch]')
daemon=$(find daemon -name '*.[ch]')
kernels=$(find kernels -type f 2>/dev/null)
ours="$library $daemon $kernels $(find bench tests -name '*.[ch]' -o -name '*.cpp' -o -name '*.sh' -o -name '*.mjs' | grep -v node_modules)"
ours="$ours $(find web -name '*.js' -o -name '*.css' -o -name '*.html' 2>/dev/null) $(find script .ci -type f)"

nobody='^$'
may_not "$(include 'daemon/|tests/')" "$nobody" 'fft/ may not know the daemon' $library
may_not "$(include 'uv\.h|libwebsockets|jansson|ini\.h|SoapySDR')" "$nobody" \
    'fft/ is a plain library: no loop, server, JSON or radio' $library
may_not "$(include 'CL/|cuda|vulkan')" '^fft/(opencl|cuda|qpu)/' 'only an engine speaks to its GPU' \
    $library $daemon
may_not "$(include 'fft/(cpu|opencl|cuda|qpu)/')" '^fft/((cpu|opencl|cuda|qpu)/|engine_list.c)' \
    'only an engine includes its own folder' $library $daemon
may_not "$(include 'libwebsockets')" '^daemon/server[a-z_]*\.[ch]$' \
    'only server*.[ch] speak libwebsockets' $daemon
may_not "$(include 'SoapySDR')" '^daemon/source_soapy[a-z_]*\.[ch]$' \
    'only source_soapy*.[ch] speak SoapySDR' $daemon
may_not "$(include 'ini\.h')" '^daemon/config[a-z_]*\.c$' 'only config*.c read INI files' $daemon
may_not "$(include 'tests/')" '^tests/' 'the program may not know its tests' $library $daemon
may_not 'float complex|_Complex|complex\.h' '^tests/check_layers' 'no complex types: struct iq' \
    $library $daemon

for file in $ours; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 400 ] || say "$file: $lines lines, 400 at most"
done

# A function of ours begins with "{" alone in the first column and ends with "}" there.
for file in $library $daemon $(find bench tests -name '*.c'); do
    awk -v file="$file" '
        /^\{$/ { from = NR; head = before }
        /^\}$/ && from { if (NR - from - 1 > 60) { print file ": " NR - from - 1 " lines, 60 at most: " head; n++ } from = 0 }
        { before = $0 }
        END { exit n > 0 }' "$file" || bad=1
done

# A back-end gives its ops table away, and nothing else. Its helpers' files are named by its folder
# or after it (engine_cpu.c; daemon/source/soapy/args.c), so only the files that hold the table count.
[ -n "$build" ] || exit $bad
for file in $(grep -lE '^const struct [a-z_]+_ops [a-z0-9_]+ = ' $library $daemon); do
    for object in $(find "$build/daemon" "$build/fft" -path "*/$(echo "$file" | cut -d/ -f2-).o"); do
        symbols=$(nm -g --defined-only "$object" | awk '$2 != "U" { print $3 }' | grep -v '^__\(odr_\)\?asan')
        [ "$(echo "$symbols" | wc -l)" -eq 1 ] ||
            say "$file: exports $(echo $symbols), and should export its ops table alone"
    done
done

# What two files of the library define, a linker takes from whichever comes first.
for archive in $(find "$build/fft" -name 'libfftd-fft.a'); do
    for symbol in $(nm -g --defined-only "$archive" | awk '$2 ~ /^[TDBR]$/ { print $3 }' | sort | uniq -d); do
        say "$symbol: more than one file of the library defines it"
    done
done
exit $bad
