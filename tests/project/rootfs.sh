#!/usr/bin/env bash
# Builds a small Debian with the libraries that a program needs, once, and prints its folder.
#
#     rootfs.sh PROGRAM      status 77: debootstrap failed
#
# Release and mirror are those of this machine, because PROGRAM was linked on it.
set -eu
program=${1:?}
cache=${FFTD_ROOTFS_CACHE:-/var/tmp}

libraries=$(ldd "$program" | awk '$3 ~ /^\// { print "*/" $3 }' | sed 's,.*/,*/,' |
    xargs dpkg -S | sed 's/:.*//' | sort -u)
# systemctl needs dbus. libwebsockets loads its libuv plugin at run time, so ldd does not list it.
packages=$(echo "$libraries" systemd systemd-sysv dbus udev procps libwebsockets-evlib-uv | xargs)
. /etc/os-release
release=$VERSION_CODENAME
folder=$cache/fftd-rootfs-$(echo "$release $packages" | sha256sum | cut -c1-12)
exec 9>"$folder.lock" # two tests may want it at the same time
flock 9
if [ ! -d "$folder" ]; then
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' \
        'Created-By: Packages' | awk -v r="$release" '$2 == r && $3 == "main" { print $1; exit }')
    rm -rf "$folder.new"
    debootstrap --variant=minbase --include="${packages// /,}" "$release" "$folder.new" \
        "${mirror:?no mirror in the configuration of apt}" >"$folder.log" 2>&1 </dev/null 9>&- || {
        tail -n 3 "$folder.log"
        rm -rf "$folder.new"
        exit 77
    }
    rm -rf "$folder.new"/var/cache/apt/* "$folder.new"/var/lib/apt/lists/*
    mv "$folder.new" "$folder"
fi
echo "$folder"
