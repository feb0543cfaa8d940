#!/usr/bin/env bash
# Checks what a configuration contains: the engine of the tests' emulator in builds for developers alone, and a summary
# that says why a part is missing.
#
#     configure.sh SOURCE-TREE
. "$(dirname "$0")/../support/tap.sh"
source=${1:?}
trap 'rm -rf "$work"' EXIT

configure() { cmake -S "$source" -B "$work/$1" -DFFTD_DAEMON=OFF -DFFTD_CUDA=OFF "${@:2}" >"$work/$1.log" 2>&1; }
says() { grep -xF -e "--   $2" "$work/$1.log" || { cat "$work/$1.log"; return 1; }; }

# None: as Debian's packages are configured.
for type in None Release RelWithDebInfo; do
    check "the type $type is configured" configure "$type" "-DCMAKE_BUILD_TYPE=$type" || finish
done
for type in None Release; do
    check "the type $type has no emulated engine" \
        says "$type" 'engine qpu-emu, for tests: NO (a build for tests of type Debug or RelWithDebInfo has it)'
done
check "a build for developers has it" says RelWithDebInfo 'engine qpu-emu, for tests: yes'
check "a part that was left out says by which option" says None 'engine cuda: NO (FFTD_CUDA is OFF)'
check "so does the daemon" says None 'daemon, sources file and sim: NO (FFTD_DAEMON is OFF)'
check "tests are there" says None 'tests: yes'
check "a build without tests is configured" configure None -DBUILD_TESTING=OFF
check "it says that it has no tests" says None 'tests: NO (BUILD_TESTING is OFF)'
check "and no emulated engine" \
    says None 'engine qpu-emu, for tests: NO (a build for tests of type Debug or RelWithDebInfo has it)'
finish
