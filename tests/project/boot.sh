#!/usr/bin/env bash
# Boots a small Debian with fftd in a container. Checks that systemd starts fftd, restarts it after a
# crash, and stops it. Needs root.
#
#     boot.sh BUILD-TREE
. "$(dirname "$0")/../support/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?}
. "$here/machine.sh"

fetch() { from_there curl --silent --show-error --fail --max-time 10 "http://127.0.0.1:8010$1"; }
page_is_served() { fetch / | grep -qi '<!doctype html'; }
# frame JQ-CONDITION [TOKEN]
frame() {
    local got
    got=$(from_there node "$here/fetch_frame.mjs" ws://127.0.0.1:8010/ws "${@:2}") &&
        node -e 'const got = JSON.parse(process.argv[1]); process.exit(eval(process.argv[2]) ? 0 : 1)' \
            "$got" "$1" || { echo "got: $got"; return 1; }
}

cp "$conf" "$work/plain" && configure record record /var/lib/fftd/recordings
boot
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
check "it runs as a transient user" runs_unprivileged
check "the page is served" page_is_served
check "/healthz returns success" eventually 10 fetch /healthz
check "a websocket client gets a spectrum of the simulation" \
    frame 'got.kind === 1 && got.simulated && got.view === 7 && got.columns === 500 && got.seen > 0'

# The filter of system calls lets a thread lower its priority.
recordings() { from_there curl -sS --fail --max-time 10 -X "$2" "http://127.0.0.1:8010/api/v1/recordings$1"; }
has_low_priority() { inside ps -L -o ni=,comm= -p "$(property MainPID)" | grep -E '^ *4 +recording$'; }
check "a recording starts" recordings '?duration=60&low=99.99M&high=100M' POST
check "its thread has a low priority" eventually 20 has_low_priority
check "the recording ends" recordings /1 DELETE

cp "$work/plain" "$conf" && inside systemctl restart fftd
before=$(property MainPID)
check "systemctl reload succeeds" inside systemctl reload fftd
sleep 0.5
check "the reload kept the process" is MainPID "$before"

inside systemctl kill --signal SEGV --kill-whom main fftd
back() { [ "$(property SubState)" = running ] && [ "$(property MainPID)" != "$before" ]; }
check "systemd restarts it after a crash (SEGV)" eventually 30 back
check "systemd counts one restart" is NRestarts 1
check "the page is served again" eventually 10 page_is_served

store=$machine/etc/credstore
mkdir -p -m 700 "$store" && echo "open sesame, please" >"$store/fftd.token" && chmod 600 "$store/fftd.token"
check "fftd restarts with a token in the credential store" inside systemctl restart fftd
check "a client without the token has no control" frame 'got.control === false'
check "a client with the token has control" frame 'got.control === true' "open sesame, please"
check "only root and fftd can read the token" equals 400 \
    inside stat -c %a /run/credentials/fftd.service/token

check "systemctl stop fftd" inside systemctl stop fftd
check "it exited with status 0" is ExecMainStatus 0
check "systemd reports success" is Result success
check "no unit has failed" equals "" inside systemctl --failed --no-legend --plain

check "systemctl start fftd.socket" inside systemctl start fftd.socket
check "fftd does not run before the first connection" is ActiveState inactive
check "the first connection gets the page" page_is_served
check "the connection started fftd" is ActiveState active
check "the inherited socket delivers spectra" frame 'got.simulated'
inside systemctl stop fftd.socket fftd.service

dropin=$machine/etc/systemd/system/fftd.service.d
socket=/run/fftd/http.sock
# as_proxy: asks for /healthz on the Unix socket, as www-data.
as_proxy() {
    inside setpriv --reuid=www-data --regid=www-data --clear-groups perl -MIO::Socket::UNIX -e \
        '$to = IO::Socket::UNIX->new(Peer => shift) or die "$!\n";
         print $to "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
         print((split / /, <$to>)[1], "\n")' "$socket" 2>&1
}
cp "$conf" "$work/conf"
configure server listen "unix:$socket"
configure output csv /var/lib/fftd/lines.csv
check "systemctl start fftd with a Unix socket" inside systemctl start fftd
check "a proxy of another group cannot connect" equals "Permission denied" as_proxy
inside systemctl stop fftd
configure server socket-group www-data
mkdir -p "$dropin" && printf '[Service]\nSupplementaryGroups=www-data\nSystemCallFilter=@chown\n' >"$dropin/group.conf"
inside systemctl daemon-reload
check "systemctl start fftd with a group for the socket" inside systemctl start fftd
check "a proxy of that group can connect" eventually 30 equals 200 as_proxy
check "other users cannot" equals "www-data 660" inside stat -c '%G %a' "$socket"
has_rows() { inside grep -q '^20' /var/lib/fftd/lines.csv; }
check "CSV rows are written to the state directory" eventually 30 has_rows
inside systemctl stop fftd
cp "$work/conf" "$conf"
rm "$dropin/group.conf"

# A sensor: the broker is of this machine, in the network of the container.
link_connected() {
    fetch /api/v1/status | node -e 'const { nats } = JSON.parse(require("fs").readFileSync(0, "utf8"));
        process.exit(nats.connected ? 0 : 1)'
}
link_process() { inside pgrep -x fftd-link; }
link_limits() {
    inside sh -c 'cd /proc/$(pgrep -x fftd-link) && awk "/^Max data size/ { print \$4 }" limits && cat oom_score_adj' |
        xargs
}
crash_is_logged() { inside journalctl --no-pager --identifier fftd | grep 'connection crashed (Segmentation fault)'; }
has_broker=$(command -v nats-server)
"$build/daemon/fftd" --version | grep -qx 'nats: yes' || has_broker=
if [ -n "$has_broker" ]; then
    nsenter -t "$leader" -n nats-server -a 127.0.0.1 -p 4222 >"$work/broker" 2>&1 & # a function would be a process more
    broker=$!
    trap 'kill "$broker"; clean_up' EXIT
    check "a broker runs beside it" eventually 20 grep -q 'Server is ready' "$work/broker"
    configure nats nats nats://127.0.0.1:4222
    inside systemctl start fftd
    check "a sensor as a service is connected" eventually 20 link_connected
    check "the process of its connection has its limits" equals "268435456 1000" link_limits
    before=$(property MainPID)
    inside systemctl kill --signal KILL --kill-whom main fftd
    check "systemd restarts the sensor" eventually 30 back
    check "it is connected again" eventually 20 link_connected
    check "with one process of a connection" equals 1 inside pgrep -cx fftd-link
    check "systemctl stop ends both" inside systemctl stop fftd
    check "no process of a connection stays" equals "" link_process
    check "the sensor exited with status 0" is ExecMainStatus 0
else
    skip_check "a sensor as a service is connected" "no nats-server, or built without libnats"
fi

mkdir -p "$dropin" && printf '[Service]\nWatchdogSec=3\n' >"$dropin/watchdog.conf"
inside systemctl daemon-reload
check "started with a watchdog of 3 s" inside systemctl start fftd
sleep 4
check "it feeds the watchdog" is NRestarts 0
before=$(property MainPID)
inside systemctl kill --signal STOP --kill-whom main fftd
check "systemd restarts a frozen process" eventually 40 back
inside systemctl stop fftd

check "fftd logged no warning" equals "-- No entries --" \
    inside journalctl --no-pager --identifier fftd --priority warning
if [ -n "$has_broker" ]; then
    rm "$dropin/watchdog.conf" && inside systemctl daemon-reload
    inside systemctl start fftd
    before=$(property MainPID)
    check "the sensor is connected once more" eventually 20 link_connected
    inside kill -SEGV "$(link_process)"
    check "a crash of the link is logged" eventually 20 crash_is_logged
    check "the link comes back" eventually 30 link_connected
    check "the crash did not restart the service" is MainPID "$before"
    inside systemctl stop fftd
fi
# udevd does not run in a container. A dry run of udevadm reads and checks all rules.
udev_rules() {
    inside udevadm test --action=add /sys/devices/virtual/mem/null 2>&1 |
        grep -E '60-fftd.rules:[0-9]|60-fftd.rules.*(ignor|invalid)'
    return 0
}
check "udev accepts the rules" silent udev_rules
check "the machine shuts down" shut_down
finish
