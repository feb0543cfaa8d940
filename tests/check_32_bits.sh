#!/usr/bin/env bash
# Does every C file compile without a warning where sizes and pointers have 32 bits, as on many a Raspberry Pi?
# Prints the compiler's messages; the status is then 1. `gcc -m32` checks the files, with the options of the
# build, and makes nothing, so no 32-bit library is needed. Skipped where it cannot: on another processor.
#
#     tests/check_32_bits.sh                every C file that the build compiles
#     tests/check_32_bits.sh FILE...        these files
#
# BUILD names the folder of the build whose compile_commands.json is read (build/dev).
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "${BUILD:-$root/build/dev}")
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# The headers of the C library serve both widths, except for one that declares nothing.
mkdir "$folder/gnu"
: >"$folder/gnu/stubs-32.h"
headers="-isystem $folder -isystem /usr/include/$(gcc -print-multiarch)"
if ! echo '#include <stdlib.h>' | gcc -m32 $headers -fsyntax-only -x c - 2>/dev/null; then
    echo "gcc -m32 does not work here"
    exit 77
fi
if [ ! -e "$build/compile_commands.json" ]; then
    echo "$build/compile_commands.json is missing; cure: cmake --preset dev"
    exit 2
fi

# A file that is in several programs is checked once. -D_TIME_BITS: see CMakeLists.txt. Not checked: what a build
# for 32 bits leaves out, which is CUDA, and the kernels for wider vectors than every x86-64 has.
commands() {
    node -e '
        const [build, headers, ...files] = process.argv.slice(1)
        const entries = require(`${build}/compile_commands.json`).filter(
            (e) => e.file.endsWith(".c") && !/\/cuda\/|\/cuda_3d\/tests\/|\/vkfft_module/.test(e.file) && !/ -mavx/.test(e.command) &&
                (files.length === 0 || files.some((file) => e.file.endsWith(file))))
        const options = `-m32 -msse2 -fsyntax-only ${headers} -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64`
        for (const [file, { directory, command }] of new Map(entries.map((e) => [e.file, e])))
            process.stdout.write(`cd ${directory} && ${command.replace(/^\S*ccache /, "").replace(/ -o \S+ -c /, ` ${options} `)}\0`)
    ' "$build" "$headers" "$@"
}

commands "$@" | xargs -0 -r -n 1 -P "$(nproc)" sh -c 'eval "$0"' || exit 1
