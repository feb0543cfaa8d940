#!/usr/bin/env bash
# Checks `cmake --install`: the installed files, that fftd runs, and that systemd accepts the units.
#
#     install.sh BUILD-TREE
. "$(dirname "$0")/../support/tap.sh"
build=${1:?}
stage=$work/stage
trap 'rm -rf "$work"' EXIT

install_below() { DESTDIR=$1 cmake --install "$build" "${@:2}"; }
exists() { (cd "$stage" && ls -d "$@"); }

check "installs below a prefix" install_below "$stage" --prefix /usr || finish
check "all files are installed" exists usr/bin/fftd etc/fftd/fftd.conf \
    usr/lib/systemd/system/fftd.{service,socket} usr/lib/sysusers.d/fftd.conf \
    usr/lib/udev/rules.d/60-fftd.rules usr/share/doc/fftd/{LICENSE,README.md} \
    usr/share/{bash-completion/completions/fftd,zsh/site-functions/_fftd,fish/vendor_completions.d/fftd.fish} \
    usr/share/doc/fftd/examples/systemd/{nvidia,opencl,qpu,vcio2}.conf
if command -v scdoc >/dev/null; then
    check "the man pages are installed" exists usr/share/man/man1/fftd.1 usr/share/man/man1/fft-bench.1 usr/share/man/man5/fftd.conf.5
fi
readme_links_to_installed_files() {
    local link
    for link in $(grep -oE '\]\([A-Za-z][^):#]*' "$stage/usr/share/doc/fftd/README.md" | cut -c3- | sort -u); do
        exists "usr/share/doc/fftd/$link" || return
    done
}
check "the installed README links to installed files" readme_links_to_installed_files
check "the installed fftd runs" "$stage/usr/bin/fftd" --version
check "the installed configuration is correct" \
    "$stage/usr/bin/fftd" -c "$stage/etc/fftd/fftd.conf" --check-config

conf=$stage/etc/fftd/fftd.conf
check "all users may read the configuration" equals 644 stat -c %a "$conf"
holds_no_secret() { ! grep -E '^[[:space:]]*token[[:space:]]*=[[:space:]]*[^[:space:]]' "$conf"; }
check "it holds no secret" holds_no_secret
keeps_the_owners_configuration() {
    echo "# mine" >"$conf"
    install_below "$stage" --prefix /usr && equals "# mine" cat "$conf"
}
check "an existing configuration is kept" keeps_the_owners_configuration

prefixed_unit_runs_the_prefixed_program() {
    install_below "$work/other" --prefix /opt/sdr &&
        grep -xF "ExecStart=/opt/sdr/bin/fftd -c /opt/sdr/etc/fftd/fftd.conf" \
            "$work/other/opt/sdr/lib/systemd/system/fftd.service"
}
check "the unit uses the prefix" prefixed_unit_runs_the_prefixed_program

command -v systemd-analyze >/dev/null || {
    skip_check "the units" "no systemd-analyze"
    finish
}
# verify only warns of unknown keys and returns 0, so its output must be empty. It reads units from
# the stage alone, so the stage needs the units that every system has.
cp /lib/systemd/system/*.target /lib/systemd/system/*.slice /lib/systemd/system/modprobe@.service \
    "$stage/usr/lib/systemd/system/"
for program in bin/kill sbin/modprobe usr/bin/nvidia-modprobe; do
    install -D /bin/true "$stage/$program"
done
check "systemd-analyze verify accepts the units" \
    silent systemd-analyze verify --root="$stage" --man=no fftd.service fftd.socket
check "systemd's exposure score is at most 2.0" \
    systemd-analyze security --offline=true --threshold=20 --root="$stage" --no-pager fftd.service
verify_drop_in() {
    install -D -m 644 "$stage/usr/share/doc/fftd/examples/systemd/$1" "$stage/etc/systemd/system/fftd.service.d/gpu.conf" &&
        silent systemd-analyze verify --root="$stage" --man=no fftd.service
}
for drop_in in nvidia opencl qpu vcio2; do
    check "systemd-analyze verify accepts the unit with $drop_in.conf" verify_drop_in "$drop_in.conf"
done
rm "$stage/etc/systemd/system/fftd.service.d/gpu.conf"
creates_only_the_groups() {
    local output
    output=$(systemd-sysusers --root="$stage" --dry-run "$stage/usr/lib/sysusers.d/fftd.conf" 2>&1)
    grep -q "^Creating group 'fftd'" <<<"$output" && grep -q "^Creating group 'plugdev'" <<<"$output" && ! grep "^Creating user" <<<"$output"
}
check "sysusers creates the groups fftd and plugdev, and no user" creates_only_the_groups
finish
