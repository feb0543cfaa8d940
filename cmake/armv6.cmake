# Cross toolchain for ARMv6, such as a Raspberry Pi Zero or 1: Debian's armel, with its soft-float calls and
# the processor's floating point.
set(CMAKE_SYSTEM_PROCESSOR armv6l)
set(CMAKE_C_FLAGS_INIT "-march=armv6 -mfpu=vfp -mfloat-abi=softfp")
set(CMAKE_CXX_FLAGS_INIT "-march=armv6 -mfpu=vfp -mfloat-abi=softfp")
set(CMAKE_ASM_FLAGS_INIT "-march=armv6 -mfpu=vfp -mfloat-abi=softfp")
set(TRIPLE arm-linux-gnueabi)
set(SYSROOT_NAME armv6)
set(EMULATOR qemu-arm -cpu arm1176) # the processor of a Raspberry Pi Zero and 1
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
