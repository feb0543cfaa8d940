# Cross toolchain for 32-bit ARM from ARMv7 on, such as a Raspberry Pi 2: Debian's armhf.
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(TRIPLE arm-linux-gnueabihf)
set(SYSROOT_NAME armv7)
set(EMULATOR qemu-arm -cpu cortex-a7) # the processor of a Raspberry Pi 2
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
