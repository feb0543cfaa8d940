# lld links the tests in a third of the processor time of GNU's linker: there are 300 of them. Builds with debug
# information use it where it is; what users get does not.
option(FFTD_LLD "Link builds with debug information with lld where it is installed" ON)
if(FFTD_LLD AND CMAKE_BUILD_TYPE MATCHES "^(RelWithDebInfo|Debug)$" AND NOT CMAKE_CROSSCOMPILING)
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=lld)
    check_c_source_compiles("int main(void) { return 0; }" FFTD_HAVE_LLD)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    if(FFTD_HAVE_LLD)
        add_link_options(-fuse-ld=lld)
    endif()
endif()
