#!/bin/sh
# Runs a command where SoapySDRServer can live: it ends at once without an mDNS daemon. Uses the
# machine's own avahi, else starts one on a bus of its own (as root), and stops that again.
#
#     with_mdns.sh COMMAND [ARGUMENT...]       77: cannot be had here
skip() {
    echo "skipped: $*"
    exit 77
}
for tool in SoapySDRServer avahi-daemon dbus-daemon dbus-send; do
    command -v $tool >/dev/null || skip "no $tool"
done

# One avahi-daemon a machine; another build tree's tests may be at it.
exec 9>"${TMPDIR:-/tmp}/fftd-mdns.lock"
flock -w 150 9 || skip "other tests use mDNS for minutes"

is_up() {
    dbus-send --system --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
        org.freedesktop.DBus.NameHasOwner string:org.freedesktop.Avahi 2>&1 | grep -q 'boolean true'
}
is_up && exec "$@"
avahi-daemon --check 2>/dev/null && skip "the avahi-daemon here is on a bus that we cannot reach"
[ "$(id -u)" = 0 ] || skip "avahi-daemon does not run, and only root can start it"

folder=$(mktemp -d)
chmod 755 "$folder"
stop() {
    [ -n "$avahi" ] && kill "$avahi" && wait "$avahi"
    [ -n "$bus" ] && kill "$bus" && wait "$bus"
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$folder/bus"
dbus-daemon --system --nofork --nopidfile --address="$DBUS_SYSTEM_BUS_ADDRESS" \
    >"$folder/log" 2>&1 9>&- &
bus=$!
tries=0
until [ -S "$folder/bus" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || skip "no message bus: $(cat "$folder/log")"
    sleep 0.1
done
avahi-daemon --no-rlimits --no-drop-root >"$folder/log" 2>&1 9>&- &
avahi=$!
tries=0
until is_up; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || skip "no avahi: $(tail -1 "$folder/log")"
    sleep 0.1
done
"$@"
