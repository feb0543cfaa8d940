# lib.sh - functions that the scripts source: messages, package installation, builds. Needs bash.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# say WORDS...: a message; $said has the last one.
say() { said=$*; printf '%s: %s\n' "${0##*/}" "$said" >&2; }
die() { say "$*"; exit 1; }

# as_root COMMAND...: runs the command as root, through sudo if needed.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        say "needs root or sudo: $*"
        return 1
    fi
}

# missing_packages GROUP...: prints the groups' packages in script/packages that are not installed,
# one per line. A package counts as installed if its command exists.
missing_packages() {
    local installed wanted group package command
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' | sed -n 's/ installed$//p')
    while read -r group package command; do
        for wanted in "$@"; do
            [ "$group" = "$wanted" ] || continue
            grep -qxF "$package" <<<"$installed" && continue
            [ -n "$command" ] && command -v "$command" >/dev/null && continue
            echo "$package"
        done
    done <"$root/script/packages"
}

# quietly LOG COMMAND...: writes the output to LOG; prints its last 40 lines if the command fails.
quietly() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 </dev/null && return
    tail -n 40 "$log" >&2
    say "failed: $* (full output in $log)"
    return 1
}

# install_packages GROUP...: installs missing packages; runs apt only if there are any.
install_packages() {
    local missing log status=0
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "apt not found: install the packages of script/packages yourself"
        return 0
    fi
    mapfile -t missing < <(missing_packages "$@")
    [ "${#missing[@]}" -eq 0 ] && return
    say "installing ${missing[*]}"
    log=$(mktemp)
    quietly "$log" as_root apt-get -q -o DPkg::Lock::Timeout=300 update &&
        quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
            -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}" || status=1
    [ "$status" -eq 0 ] && rm -f "$log"
    return "$status"
}

# install_optional GROUP...: installs each group separately; only warns if one is not available.
install_optional() {
    local group
    for group in "$@"; do
        install_packages "$group" >/dev/null 2>&1 || say "not installed: packages of $group"
    done
}

# Where ccache is installed, it compiles, and finds what another clone of the sources has compiled.
use_ccache() {
    command -v ccache >/dev/null || return 0
    export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-ccache}
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
    export CCACHE_BASEDIR=${CCACHE_BASEDIR-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-true}
}

# build PRESET LOG [TARGET]: configures and builds one preset of CMakePresets.json.
build() {
    use_ccache
    quietly "$2" cmake --preset "$1" && quietly "$2" cmake --build --preset "$1" ${3:+--target "$3"}
}
