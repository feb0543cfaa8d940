#!/usr/bin/env bash
# Makes the Debian packages and looks at them, then installs, upgrades, removes and purges them in a container.
#
#     package.sh BUILD-TREE
#
# FFTD_PACKAGES names a folder of packages of this commit that are there already.
. "$(dirname "$0")/../support/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
build=${1:?}
for tool in dpkg-buildpackage dh lintian git; do
    command -v "$tool" >/dev/null || skip "no $tool: packages debhelper, dpkg-dev, lintian, git"
done
[ -e "$source/.git" ] || skip "no clone: script/package takes the committed tree"
[ "$(id -u)" -eq 0 ] || skip "not root"

packages=${FFTD_PACKAGES:-$source/build/package}
if [ -z "${FFTD_PACKAGES:-}" ]; then
    check "script/package makes the packages, twice the same bytes" "$source/script/package" --twice || finish
fi
deb() { ls "$packages/$1"_*.deb; }
# A machine with the libraries of the package's program, which the build tree's may not have.
dpkg-deb -x "$(deb fftd)" "$work/unpacked" || exit 1
bare=yes program=$work/unpacked/usr/bin/fftd
. "$here/machine.sh"

no_errors() { lintian --fail-on error --allow-root --tag-display-limit 0 "$packages"/*.deb; }
check "lintian finds no error" no_errors
contains() { # PACKAGE PATH...: the package has them
    local package=$1 list path
    list=$(dpkg-deb -c "$(deb "$package")" | awk '{ print $6 }')
    shift
    for path; do
        grep -qE "^\./$path\$" <<<"$list" || { echo "no $path"; return 1; }
    done
}
check "fftd has program, units, rules, pages and completions" contains fftd usr/bin/fftd lib/systemd/system/fftd.service \
    lib/systemd/system/fftd.socket lib/udev/rules.d/60-fftd.rules usr/lib/sysusers.d/fftd.conf usr/share/man/man1/fftd.1.gz \
    usr/share/bash-completion/completions/fftd usr/share/zsh/vendor-completions/_fftd \
    usr/share/fish/vendor_completions.d/fftd.fish usr/share/doc/fftd/README.md usr/share/doc/fftd/examples/fftd.conf
check "the library is shared, static, and found by pkg-config" contains libfftd-fft-dev 'usr/lib/.*/libfftd-fft.a' \
    'usr/lib/.*/pkgconfig/fftd-fft.pc' usr/include/fftd/fft/fft.h
commit=$(git -C "$source" rev-parse HEAD)

# fetch PATH: from the service in the container.
fetch() { from_there curl --silent --show-error --fail --max-time 10 "http://127.0.0.1:8010$1"; }
# dpkg of the container, which has no apt: all libraries are there.
packaged() { inside env DEBIAN_FRONTEND=noninteractive dpkg "$@"; }
# What an installation leaves; dpkg's own records and caches of others are not ours.
traces() {
    inside find /etc /lib/systemd /usr /var /run -xdev \( -name '*fftd*' -o -path '/etc/systemd/system/*fftd*' \) \
        ! -path '/var/log/*' ! -path '/var/lib/dpkg/*' ! -path '/run/log/*' ! -path '/packages/*' | sort
}

mkdir -p "$machine/packages" && cp "$(deb fftd)" "$machine/packages/fftd.deb"
boot
before=$(traces)
check "it is installed without a question" packaged -i /packages/fftd.deb || { inside journalctl --no-pager -u fftd; finish; }
check "the service runs" eventually 20 is ActiveState active
check "it is enabled" equals enabled inside systemctl is-enabled fftd.service
check "its socket is not" equals disabled inside systemctl is-enabled fftd.socket
check "the page is served" eventually 20 fetch /
waits() { fetch /api/v1/status | grep -E '"state": ?"waiting"'; }
check "without a radio it waits" eventually 30 waits
check "no unit has failed" equals "" inside systemctl --failed --no-legend --plain
check "--version names the commit" equals "commit: $commit" sh -c "nsenter -t $leader -m -p fftd --version | sed -n 2p"
names_the_commit() { fetch /metrics | grep -F "revision=\"$commit\""; }
check "so do the metrics" names_the_commit
check "the group of radios is there" inside getent group fftd

echo '[source]
source = sim' >"$machine/etc/fftd/fftd.conf.d/50-local.conf"
check "a restart reads fftd.conf.d" inside systemctl restart fftd
simulated() { fetch /api/v1/status | grep -E '"simulated": ?true'; }
check "it runs the simulation that 50-local.conf names" eventually 30 simulated
main=$(property MainPID)
restarted() { [ "$(property SubState)" = running ] && [ "$(property MainPID)" != "$main" ]; }
check "an upgrade asks nothing" packaged -i /packages/fftd.deb
check "it restarts the service" eventually 20 restarted
check "which keeps its settings" eventually 30 simulated

check "remove stops it" packaged -r fftd
check "the service is gone" is ActiveState inactive
check "its settings stay" inside test -e /etc/fftd/fftd.conf.d/50-local.conf
check "purge" packaged -P fftd
check "purge leaves nothing" equals "$before" traces
check "no unit has failed at the end" equals "" inside systemctl --failed --no-legend --plain
check "the machine shuts down" shut_down
finish
