#!/usr/bin/env bash
# Has clang-tidy nothing to report, with the checks of .clang-tidy and tests/.clang-tidy? Prints what it
# reports; the status is then 1. Skipped without clang-tidy 14: other versions have other checks.
#
#     tests/check_tidy.sh                   every C file of the tree
#     tests/check_tidy.sh FILE...           these files; headers are checked with files that include them
#
# BUILD names the folder of the build whose compile_commands.json is read (build/dev). A file that this
# build does not compile is checked with the options of a file beside it.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-$root/build/dev}
major=14
tidy=
for program in clang-tidy-$major clang-tidy; do
    "$program" --version 2>/dev/null | grep -q "version $major\." && tidy=$program && break
done
if [ -z "$tidy" ]; then
    echo "clang-tidy $major is not here"
    exit 77
fi
if [ ! -e "$build/compile_commands.json" ]; then
    echo "$build/compile_commands.json is missing; cure: cmake --preset dev"
    exit 2
fi

# vkfft_module.c is compiled where a user runs it, with VkFFT's header, which is not in the tree.
files() {
    if [ $# -gt 0 ]; then
        printf '%s\0' "$@"
    else
        find "$root" -path "$root/build" -prune -o -name node_modules -prune -o -name '*.c' -print0
    fi | grep -z '\.c$' | grep -zv '/vkfft_module\.c$'
}

# The status counts, not the text: a crash must not pass for silence. Tests of studies are tests, too.
export tidy build root
files "$@" | xargs -0 -r -n 1 -P "$(nproc)" sh -c '
    case $0 in
    *studies/*tests/*) set -- --config-file="$root/tests/.clang-tidy" ;;
    esac
    report=$("$tidy" -p "$build" --quiet "$@" "$0" 2>&1) && exit
    printf "%s\n" "$report" | grep -v "warnings generated\|treated as errors\|^Suppressed\|^Use -header"
    echo "$0: clang-tidy has reports, or failed"
    exit 1' || exit 1
