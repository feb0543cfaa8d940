# Hardening of everything that is built with optimisation and without sanitizers: stack protector,
# checked libc calls, full RELRO, position-independent programs, and control-flow protection.
include(CheckPIESupported)
check_pie_supported()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$" AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
    add_compile_options(-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
        add_compile_options(-fcf-protection=full)
    endif()
    add_link_options(-Wl,-z,relro,-z,now)
endif()
