# Cross toolchain for 64-bit ARM: Debian's arm64.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(TRIPLE aarch64-linux-gnu)
set(SYSROOT_NAME aarch64)
set(EMULATOR qemu-aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
