#!/bin/sh
# Is everything formatted as .clang-format says? Skipped without the clang-format that wrote it:
# another version has other opinions.
#
#     check_format.sh SOURCE-TREE
cd "${1:?}" || exit 2
major=14
if ! clang-format --version 2>/dev/null | grep -q "version $major\."; then
    echo "clang-format $major is not here"
    exit 77
fi
files=$(find bench daemon emulate examples fft kernels reference studies tests tools -name node_modules -prune -o \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' \) -print)
unformatted=$(clang-format --dry-run $files 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning: .*//p' | sort -u)
[ -z "$unformatted" ] && exit 0
echo "not formatted; cure: clang-format -i $(echo $unformatted)"
exit 1
