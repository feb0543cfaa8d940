# Shared by script/server and script/test: finding and installing what is missing. Sourced, bash.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$*"; exit 1; }

# as_root COMMAND...: directly, or through sudo.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        say "must be root, or have sudo, for: $*"
        return 1
    fi
}

# missing_packages GROUP...: those of script/packages that are not installed, one a line.
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

# quietly LOG COMMAND...: the output goes to LOG, and is shown when the command fails.
quietly() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 </dev/null && return
    tail -n 40 "$log" >&2
    say "failed: $* (all of it in $log)"
    return 1
}

# install_packages GROUP...: asks apt for what is missing, and only then.
install_packages() {
    local missing log status=0
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "no apt here: the packages named in script/packages must be there already"
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

# install_optional GROUP...: each by itself; one that cannot be had is named, and does no harm.
install_optional() {
    local group
    for group in "$@"; do
        install_packages "$group" >/dev/null 2>&1 || say "not installed: what $group tests need"
    done
}

# build PRESET LOG [TARGET]: configures and builds one preset of CMakePresets.json.
build() {
    quietly "$2" cmake --preset "$1" && quietly "$2" cmake --build --preset "$1" ${3:+--target "$3"}
}
