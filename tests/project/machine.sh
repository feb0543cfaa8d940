#!/usr/bin/env bash
# machine.sh - boots a small Debian with fftd in a container. Sourced by tests, after tap.sh.
#
# In: `here`, this folder; `build`, the build tree; `bare`: without fftd; `program`: another one,
# whose libraries the machine has. Needs root. Sets `machine`, the folder of the
# file system; boot sets `container` and `leader`.
machine=$work/machine
leader=

# inside COMMAND...: runs a command in the container.
# from_there COMMAND...: runs a program of this machine in the network of the container.
inside() { nsenter -t "$leader" -m -u -i -n -p "$@"; }
from_there() { nsenter -t "$leader" -n "$@"; }

# The connection to systemctl breaks during poweroff, so its status means nothing: wait for the end.
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
rootfs=$("$here/rootfs.sh" "${program:-$build/daemon/fftd}")
case $? in
    0) ;;
    77) skip "no Debian to boot: $rootfs" ;;
    *) echo "no root file system"; exit 1 ;;
esac
cp -a "$rootfs" "$machine" || exit 1
conf=$machine/etc/fftd/fftd.conf
# configure SECTION KEY VALUE: takes the key's comment sign away, in its section alone.
configure() {
    sed -i "/^\[$1\]/,/^\[/s|^#\{0,1\}$2 *=.*|$2 = $3|" "$conf"
    grep -qx "$2 = $3" "$conf" || { echo "no $2 in [$1] of $conf"; exit 1; }
}
if [ -z "${bare:-}" ]; then
    DESTDIR=$machine cmake --install "$build" --prefix /usr >"$work/log" || { cat "$work/log"; exit 1; }
    configure source source sim
fi

# boot [OPTION-OF-SYSTEMD-NSPAWN...]: a check that the machine boots.
boot() {
    systemd-nspawn --boot -D "$machine" -M "fftd-test-$$" --register=no --keep-unit \
        --private-network --console=pipe "$@" </dev/null >"$work/console" 2>&1 &
    container=$!
    # systemd-nspawn has children that end soon before it has the one that becomes the first process.
    local until=$((SECONDS + 120))
    while ! leader=$(pgrep -P "$container" -x 'systemd|init') && ! gone && [ "$SECONDS" -lt "$until" ]; do
        sleep 0.1
    done
    check "a machine boots" eventually 120 inside systemctl is-system-running --wait ||
        { cat "$work/console"; finish; }
}

property() { inside systemctl show --value --property "$1" fftd.service; }
is() { equals "$2" property "$1"; }
