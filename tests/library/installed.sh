#!/usr/bin/env bash
# Installs the library alone below a scratch folder, and uses it from there as another project would: through
# pkg-config, from C and C++, shared and static. Compares what the shared library exports with the headers.
#
#     installed.sh BUILD-TREE
. "$(dirname "$0")/../support/tap.sh"
trap 'rm -rf "$work"' EXIT
build=${1:?}
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
: "${CC:=cc}" "${CXX:=c++}"
command -v pkg-config >/dev/null || skip "no pkg-config"

install_library() { DESTDIR=$work/stage cmake --install "$build" --prefix /opt/sdr --component library; }
check "installs alone" install_library || finish
stage=$work/stage/opt/sdr
include=$stage/include/fftd
PKG_CONFIG_PATH=$(dirname "$(find "$stage" -name fftd-fft.pc)")
export PKG_CONFIG_PATH
lib=$(pkg-config --variable=libdir fftd-fft)
shared=$lib/libfftd-fft.so

installs_nothing_else() {
    equals "include lib" sh -c "ls '$stage' | xargs" && equals fft ls "$include"
}
check "nothing but headers and libraries is installed" installs_nothing_else

# ---- what the shared library exports ----------------------------------------------------------------------

# The functions that the installed headers declare.
declared() {
    local header
    for header in "$include"/fft/*.h; do
        "$CC" -E -P -I"$include" "$header"
    done | grep -oE '\bfft_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u
}
exported() { nm -D --defined-only "$shared" | awk '{ print $3 }' | grep -vE '^(__bss_start|_edata|_end|_init|_fini)$' | sort; }
declared >"$work/declared"
exported >"$work/exported"
check "the headers declare functions" test "$(wc -l <"$work/declared")" -gt 40
check "the shared library exports the functions of the headers, and nothing else" diff "$work/declared" "$work/exported"

defined() { nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort; }
defined "$lib/libfftd-fft.a" >"$work/defined"
check "so does the static library" diff "$work/declared" "$work/defined"

soname() { objdump -p "$1" | awk '$1 == "SONAME" { print $2 }'; }
version=$(pkg-config --modversion fftd-fft)
check "its SONAME is the version without the last number" equals "libfftd-fft.so.${version%.*}" soname "$shared"
check "the linker's name leads to the file of this version" test "$(readlink -f "$shared")" = "$(readlink -f "$lib/libfftd-fft.so.$version")"

# ---- headers --------------------------------------------------------------------------------------------

# Each compiles alone, with every warning, in old and new standards of both languages.
compiles_alone() {
    local header standard
    for header in "$include"/fft/*.h; do
        for standard in c99 c17; do
            printf '%s\n' "#include <fft/$(basename "$header")>" "typedef int not_empty;" |
                "$CC" -x c -std=$standard -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -fsyntax-only -I"$include" - || return
        done
        for standard in c++11 c++17; do
            echo "#include <fft/$(basename "$header")>" |
                "$CXX" -x c++ -std=$standard -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$include" - || return
        done
    done
}
check "each header compiles alone, in C and C++" compiles_alone

# ---- programs of another project --------------------------------------------------------------------------

flags() { pkg-config --cflags --libs "$@" fftd-fft; }
run() { LD_LIBRARY_PATH=$lib "$@"; }
needs() { objdump -p "$1" | grep -qE "NEEDED +libfftd-fft\.so"; }

c_program() {
    # shellcheck disable=SC2046
    "$CC" -std=gnu17 -Wall -Wextra -Werror "$here/user.c" -o "$work/user" $(flags) -lm &&
        needs "$work/user" && equals "$version" run "$work/user"
}
check "a C program uses the shared library, which has the version of the package" c_program

static_program() {
    # shellcheck disable=SC2046
    "$CC" -std=gnu17 -Wall -Wextra -Werror "$here/user.c" -o "$work/static" \
        $(flags --static | sed 's/-lfftd-fft/-l:libfftd-fft.a/') && ! needs "$work/static" && equals "$version" "$work/static"
}
check "a C program uses the static library" static_program

cpp_program() {
    # shellcheck disable=SC2046
    "$CXX" -std=c++17 -Wall -Wextra -Werror "$here/user.cpp" -o "$work/user_cpp" $(flags) &&
        needs "$work/user_cpp" && run "$work/user_cpp"
}
check "a C++ program uses the shared library" cpp_program

# examples/ includes installed headers alone, so it builds without the source of the library.
example() {
    cp -r "$root/examples" "$work/examples"
    # shellcheck disable=SC2046
    (cd "$work" && "$CC" -std=gnu17 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I. examples/*.c -o fft-image $(flags) -lm) &&
        needs "$work/fft-image"
}
check "fft-image builds with the installed library" example || finish
blurs_a_picture() {
    { printf 'P5 64 48 255\n'; head -c 3072 /dev/zero | tr '\0' d; } >"$work/flat.pgm"
    run "$work/fft-image" --low-pass 0.1 --engine cpu "$work/flat.pgm" "$work/blurred.pgm" &&
        cmp <(tail -c 3072 "$work/flat.pgm") <(tail -c 3072 "$work/blurred.pgm")
}
check "... and leaves a flat picture as it is" blurs_a_picture
finish
