#!/usr/bin/env bash
# Boots a small Debian with fftd in a container, with the device nodes of GPUs. Checks which of them
# the service may open, with each drop-in of systemd/drop-ins and without. Needs root.
#
#     boot_gpus.sh BUILD-TREE
#
# The nodes have numbers without a driver (Linux reserves them for experiments). Opening such a node
# ends with ENXIO where it is allowed, with EPERM or EACCES where it is not.
. "$(dirname "$0")/../support/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?}
. "$here/machine.sh"

# As a driver registers them, and as udev makes them: name, number, group, mode.
nodes='nvidia0          120 0   root   666
       nvidiactl        120 255 root   666
       nvidia-uvm       121 0   root   666
       nvidia-uvm-tools 121 1   root   666
       nvidia-modeset   122 254 root   666
       dri/renderD128   123 128 render 660
       kfd              124 0   render 660
       mali0            125 0   video  660
       vcio             126 0   video  660
       vcio2            126 1   video  660
       mem              127 1   kmem   640
       unknown          127 2   root   666'
names=$(awk '{ print $1 }' <<<"$nodes" | xargs)
nvidia='nvidia0 nvidiactl nvidia-uvm nvidia-uvm-tools'

# systemd finds numbers of drivers in /proc/devices. nodev is an option of the container's /dev.
add_nodes() {
    printf '%s\n' 'Character devices:' '  1 mem' ' 10 misc' '120 nvidia' '120 nvidiactl' '121 nvidia-uvm' \
        '122 nvidia-modeset' '123 drm' '124 kfd' '' 'Block devices:' >"$machine/var/tmp/devices"
    nsenter -t "$leader" -m mount --bind /var/tmp/devices /proc/devices || return
    local name major minor group mode
    while read -r name major minor group mode; do
        inside mkdir -p "/dev/$(dirname "$name")" &&
            nsenter -t "$leader" -m rm -f "/dev/$name" &&
            nsenter -t "$leader" -m mknod "/dev/$name" c "$major" "$minor" &&
            inside chgrp "$group" "/dev/$name" && inside chmod "$mode" "/dev/$name" || return
    done <<<"$nodes"
}

# In place of fftd, a program that tries what GPU engines need: nodes, CAP_SYS_RAWIO for /dev/mem, all
# of /proc for the device tree, and the lock file of the QPU engine.
cat >"$machine/usr/local/bin/try_all" <<'E'
#!/usr/bin/perl
use Errno qw(ENXIO EPERM EACCES);
for (@ARGV) {
    if (sysopen(my $f, "/dev/$_", 2) || $! == ENXIO) { push @got, $_ }
    elsif ($! != EPERM && $! != EACCES) { print "$_: $!\n" }
}
open(my $status, "/proc/self/status");
push @got, "CAP_SYS_RAWIO" if hex((map { /^CapEff:\s*(\w+)/ ? $1 : () } <$status>)[0]) & 1 << 17;
push @got, "/proc" if -r "/proc/cpuinfo";
push @got, "lock" if $> == 0 && sysopen(my $f, "/run/lock/fftd-qpu.lock", 0102, 0600);
print "@got\n";
E
chmod 755 "$machine/usr/local/bin/try_all"
dropins=$machine/etc/systemd/system/fftd.service.d
mkdir -p "$dropins"
cat >"$dropins/probe.conf" <<E
[Service]
Type=oneshot
ExecStart=
ExecStart=/usr/local/bin/try_all $names
StandardOutput=truncate:/run/got
Restart=no
E

# gets [DROP-IN]: what the service gets with that drop-in, by its installed name.
gets() {
    rm -f "$dropins"/{nvidia,opencl,qpu,vcio2}.conf
    if [ $# -gt 0 ]; then
        cp "$machine/usr/share/doc/fftd/examples/systemd/$1" "$dropins/" || return
    fi
    inside systemctl daemon-reload
    inside systemctl start fftd || inside journalctl --no-pager -u fftd
    inside cat /run/got
}

# A machine whose kernel refuses the container a device filter cannot show anything here.
filter_works() {
    inside systemd-run --quiet --wait -p DevicePolicy=strict -p DeviceAllow=/dev/null \
        perl -e 'exit sysopen(my $f, "/dev/unknown", 2) || $! != 1'
}

SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 boot --system-call-filter=bpf --capability=CAP_SYS_RAWIO
check "nodes of GPUs are made" add_nodes || finish
filter_works || { echo "# skipped: no device filter in this container"; exit 77; }
check "without a drop-in, the service opens no node" equals "" gets
check "nvidia.conf opens the nodes of CUDA" equals "$nvidia" gets nvidia.conf
check "opencl.conf opens those of Mesa, ROCm and Mali" equals "dri/renderD128 kfd mali0" gets opencl.conf
check "qpu.conf opens the mailbox and memory, and gives what else the engine needs" \
    equals "vcio mem CAP_SYS_RAWIO /proc lock" gets qpu.conf
check "vcio2.conf opens the driver alone, without root" equals "vcio2 /proc" gets vcio2.conf
check "the machine shuts down" shut_down
finish
