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
tests_of_a_package() {
    local all of_package
    all=$(ctest --test-dir "$work/None" -N | sed -n 's/^ *Test *#[0-9]*: //p' | sort)
    of_package=$(ctest --test-dir "$work/None" -N -L '^package$' | sed -n 's/^ *Test *#[0-9]*: //p' | sort)
    grep -qx test_transform <<<"$of_package" && [ -z "$(comm -13 <(echo "$all") <(echo "$of_package"))" ] || return
    ! grep -vE '^test_' <<<"$of_package" && ! grep -xE 'test_opencl_study_mali|test_cuda_kernels' <<<"$of_package"
}
check "the label package has tests in C, and none that takes long" tests_of_a_package
check "a build without tests is configured" configure None -DBUILD_TESTING=OFF
check "it says that it has no tests" says None 'tests: NO (BUILD_TESTING is OFF)'
check "and no emulated engine" \
    says None 'engine qpu-emu, for tests: NO (a build for tests of type Debug or RelWithDebInfo has it)'
finish
