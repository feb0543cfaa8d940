# Warnings for all of our C. -Werror is the presets' choice, so that a newer compiler still builds.
option(FFTD_WERROR "Treat warnings as errors" OFF)

add_library(fftd_warnings INTERFACE)
target_compile_options(fftd_warnings INTERFACE
    -Wall -Wextra -Wshadow -Wundef -Wpointer-arith -Wwrite-strings -Wvla
    $<$<COMPILE_LANGUAGE:C>:-Wconversion -Wstrict-prototypes -Wmissing-prototypes
                            -Wold-style-definition>
    $<$<BOOL:${FFTD_WERROR}>:-Werror>)
