# What the cross toolchains have in common: Debian's compiler for TRIPLE, its libraries, and qemu for the tests.
#
# The libraries are the packages of Debian's foreign architecture, or those of a file system: the folder of
# the preset's name in the folder FFTD_SYSROOTS of the environment. In: TRIPLE, SYSROOT_NAME, EMULATOR.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${TRIPLE}-gcc)
set(CMAKE_CXX_COMPILER ${TRIPLE}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${TRIPLE})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

set(sysroot "")
if(EXISTS "$ENV{FFTD_SYSROOTS}/${SYSROOT_NAME}/usr/lib")
    set(sysroot $ENV{FFTD_SYSROOTS}/${SYSROOT_NAME})
endif()
set(CMAKE_SYSROOT "${sysroot}" CACHE PATH "File system with the libraries; empty: this machine's")
set(CMAKE_CROSSCOMPILING_EMULATOR ${EMULATOR})
if(CMAKE_SYSROOT)
    list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -L ${CMAKE_SYSROOT})
endif()
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/${TRIPLE}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
