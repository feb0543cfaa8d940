#!/usr/bin/env bash
# `cmake --install`, looked at: what lies where, whether it runs, what systemd thinks of the units.
#
#     install.sh BUILD-TREE
. "$(dirname "$0")/../support/tap.sh"
build=${1:?}
stage=$work/stage
trap 'rm -rf "$work"' EXIT

install_below() { DESTDIR=$1 cmake --install "$build" "${@:2}"; }
lies_there() { (cd "$stage" && ls -d "$@"); }

check "installs below a prefix" install_below "$stage" --prefix /usr || finish
check "everything is in its place" lies_there usr/bin/fftd etc/fftd/fftd.conf \
    usr/lib/systemd/system/fftd.{service,socket} usr/lib/sysusers.d/fftd.conf \
    usr/lib/udev/rules.d/60-fftd.rules usr/share/doc/fftd/{LICENSE,README.md}
if command -v scdoc >/dev/null; then
    check "the man pages too" lies_there usr/share/man/man1/fftd.1 usr/share/man/man1/fft-bench.1 usr/share/man/man5/fftd.conf.5
fi
check "the installed fftd runs" "$stage/usr/bin/fftd" --version
check "the installed configuration is correct" \
    "$stage/usr/bin/fftd" -c "$stage/etc/fftd/fftd.conf" --check-config

conf=$stage/etc/fftd/fftd.conf
check "everybody may read the configuration" equals 644 stat -c %a "$conf"
holds_no_secret() { ! grep -E '^[[:space:]]*token[[:space:]]*=[[:space:]]*[^[:space:]]' "$conf"; }
check "it holds no secret" holds_no_secret
keeps_the_owners_configuration() {
    echo "# mine" >"$conf"
    install_below "$stage" --prefix /usr && equals "# mine" cat "$conf"
}
check "a configuration that is there is kept" keeps_the_owners_configuration

prefixed_unit_runs_the_prefixed_program() {
    install_below "$work/other" --prefix /opt/sdr &&
        grep -xF "ExecStart=/opt/sdr/bin/fftd -c /opt/sdr/etc/fftd/fftd.conf" \
            "$work/other/opt/sdr/lib/systemd/system/fftd.service"
}
check "the unit follows the prefix" prefixed_unit_runs_the_prefixed_program

# The library, as another program finds it: its own prefix, whatever it was configured with.
links_with_the_library() {
    local pc
    pc=$(find "$stage" -name fftd-fft.pc) || return
    # shellcheck disable=SC2046
    cc -std=gnu17 -Wall -Wextra -Werror "$(dirname "$0")/library_user.c" -o "$work/user" \
        $(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs fftd-fft) && "$work/user"
}
check "a program builds with the installed library and its pkg-config file" links_with_the_library

command -v systemd-analyze >/dev/null || {
    skip_check "the units" "no systemd-analyze"
    finish
}
# verify returns 0 for keys that it does not know, and only says so: hence silent. It looks at the
# stage alone, which lacks what every system has.
cp /lib/systemd/system/*.target /lib/systemd/system/*.slice "$stage/usr/lib/systemd/system/"
install -D /bin/true "$stage/bin/kill"
check "systemd finds nothing wrong with the units" \
    silent systemd-analyze verify --root="$stage" --man=no fftd.service fftd.socket
check "systemd's exposure score is at most 2.0" \
    systemd-analyze security --offline=true --threshold=20 --root="$stage" --no-pager fftd.service
creates_only_the_group() {
    local said
    said=$(systemd-sysusers --root="$stage" --dry-run "$stage/usr/lib/sysusers.d/fftd.conf" 2>&1)
    grep -q "^Creating group 'fftd'" <<<"$said" && ! grep "^Creating user" <<<"$said"
}
check "sysusers creates the group fftd and no user" creates_only_the_group
finish
