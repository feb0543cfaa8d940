#!/usr/bin/env bash
# A small Debian is booted in a container, with fftd installed: systemd starts it, sees it die,
# brings it back, stops it. Root only.
#
#     boot.sh BUILD-TREE
. "$(dirname "$0")/../support/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?}
machine=$work/machine
leader=

# inside COMMAND...: in the container.  from_there COMMAND...: a program of ours in its network.
inside() { nsenter -t "$leader" -m -u -i -n -p "$@"; }
from_there() { nsenter -t "$leader" -n "$@"; }

# The connection breaks while systemctl waits for its answer: only the end itself counts.
shut_down() {
    inside systemctl poweroff
    eventually 30 gone
}
gone() { ! kill -0 "$container" 2>/dev/null; }
clean_up() {
    if [ -n "${container:-}" ] && ! gone; then
        shut_down || kill -KILL "$container" "$leader"
    fi >/dev/null 2>&1
    rm -rf "$work"
}
trap clean_up EXIT

[ "$(id -u)" -eq 0 ] || skip "not root"
for tool in systemd-nspawn debootstrap nsenter node curl; do
    command -v "$tool" >/dev/null || skip "no $tool"
done
unshare --mount --pid --net --uts --ipc --fork true 2>/dev/null || skip "no namespaces here"
rootfs=$("$here/rootfs.sh" "$build/daemon/fftd")
case $? in
    0) ;;
    77) skip "no Debian to boot: $rootfs" ;;
    *) echo "no root file system"; exit 1 ;;
esac

# Begins to boot: sets container and leader.
boot() {
    systemd-nspawn --boot -D "$machine" -M "fftd-test-$$" --register=no --keep-unit \
        --private-network --console=pipe </dev/null >"$work/console" 2>&1 &
    container=$!
    local tries=100
    while [ -z "$leader" ] && [ $((tries -= 1)) -gt 0 ]; do
        sleep 0.1
        leader=$(pgrep -P "$container" | head -n 1)
    done
}

property() { inside systemctl show --value --property "$1" fftd.service; }
is() { equals "$2" property "$1"; }
fetch() { from_there curl --silent --show-error --fail --max-time 10 "http://127.0.0.1:8010$1"; }
page_is_served() { fetch / | grep -qi '<!doctype html'; }
# frame JQ-CONDITION [TOKEN]
frame() {
    local got
    got=$(from_there node "$here/fetch_frame.mjs" ws://127.0.0.1:8010/ws "${@:2}") &&
        node -e 'const got = JSON.parse(process.argv[1]); process.exit(eval(process.argv[2]) ? 0 : 1)' \
            "$got" "$1" || { echo "got: $got"; return 1; }
}

cp -a "$rootfs" "$machine" && DESTDIR=$machine cmake --install "$build" --prefix /usr >"$work/log" ||
    { cat "$work/log"; exit 1; }
conf=$machine/etc/fftd/fftd.conf
sed -i 's/^[# ]*source *=.*/source = sim/' "$conf"

boot
check "a machine with fftd boots" eventually 60 inside systemctl is-system-running --wait || { cat "$work/console"; finish; }
check "systemctl start fftd" inside systemctl start fftd || {
    inside journalctl --no-pager -u fftd
    finish
}
check "it is running" is SubState running
runs_unprivileged() {
    local uid
    uid=$(inside stat -c %u "/proc/$(property MainPID)")
    [ "$uid" -ge 61184 ] && [ "$uid" -le 65519 ] || { echo "uid $uid"; return 1; }
}
check "as a user that exists only meanwhile" runs_unprivileged
check "the page is served" page_is_served
check "healthz is well" eventually 10 fetch /healthz
check "a websocket client gets a spectrum of the simulation" \
    frame 'got.kind === 1 && got.simulated && got.view === 7 && got.columns === 500 && got.seen > 0'

before=$(property MainPID)
check "systemctl reload keeps the process" inside systemctl reload fftd
sleep 0.5
check "the same process runs on" is MainPID "$before"

inside systemctl kill --signal SEGV --kill-whom main fftd
back() { [ "$(property SubState)" = running ] && [ "$(property MainPID)" != "$before" ]; }
check "killed by SEGV, it comes back" eventually 30 back
check "systemd counts one restart" is NRestarts 1
check "the page is served again" eventually 10 page_is_served

store=$machine/etc/credstore
mkdir -p -m 700 "$store" && echo "open sesame" >"$store/fftd.token" && chmod 600 "$store/fftd.token"
check "a token is put into the credential store, fftd restarted" inside systemctl restart fftd
check "without the token nobody controls" frame 'got.control === false'
check "with it somebody does" frame 'got.control === true' "open sesame"
check "nobody but root and fftd can read it" equals 400 \
    inside stat -c %a /run/credentials/fftd.service/token

check "systemctl stop fftd" inside systemctl stop fftd
check "it ended by itself, with status 0" is ExecMainStatus 0
check "and systemd calls that a success" is Result success
check "no unit has failed" equals "" inside systemctl --failed --no-legend --plain

check "systemctl start fftd.socket" inside systemctl start fftd.socket
check "nothing runs before the first visitor" is ActiveState inactive
check "the first visitor gets the page" page_is_served
check "which started fftd" is ActiveState active
check "spectra come through the handed-over socket" frame 'got.simulated'
inside systemctl stop fftd.socket fftd.service

dropin=$machine/etc/systemd/system/fftd.service.d
mkdir -p "$dropin" && printf '[Service]\nWatchdogSec=3\n' >"$dropin/watchdog.conf"
inside systemctl daemon-reload
check "started with a watchdog of 3 s" inside systemctl start fftd
sleep 4
check "it feeds the watchdog" is NRestarts 0
before=$(property MainPID)
inside systemctl kill --signal STOP --kill-whom main fftd
check "frozen, it is replaced" eventually 40 back
inside systemctl stop fftd

check "fftd complained of nothing in the journal" equals "-- No entries --" \
    inside journalctl --no-pager --identifier fftd --priority warning
# udevd does not run in a container; a dry run reads and checks all rules.
udev_rules() {
    inside udevadm test --action=add /sys/devices/virtual/mem/null 2>&1 |
        grep -E '60-fftd.rules:[0-9]|60-fftd.rules.*(ignor|invalid)'
    return 0
}
check "udev reads our rules without complaint" silent udev_rules
check "the machine goes down" shut_down
finish
