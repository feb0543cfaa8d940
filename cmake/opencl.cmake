# fftd_opencl_sources(TARGET): puts kernels/opencl/*.cl into TARGET, as text, with the function of
# fft/opencl/sources.h. The device's own compiler reads them at run time.
function(fftd_opencl_sources target)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/opencl/*.cl)
    set(assembly "/* Written by cmake/opencl.cmake. */\n    .section .rodata\n")
    set(declarations "/* Written by cmake/opencl.cmake. */\n#include \"fft/opencl/sources.h\"\n\n#include <string.h>\n\n")
    set(choices "")
    foreach(file IN LISTS files)
        get_filename_component(name ${file} NAME_WE)
        string(APPEND assembly "    .globl opencl_source_${name}\nopencl_source_${name}:\n"
                               "    .incbin \"${file}\"\n    .byte 0\n")
        string(APPEND declarations "extern const char opencl_source_${name}[];\n")
        string(APPEND choices "    if (strcmp(stem, \"${name}\") == 0)\n"
                              "        return opencl_source_${name};\n")
    endforeach()
    string(APPEND assembly "    .section .note.GNU-stack,\"\",@progbits\n")
    string(APPEND declarations "\nconst char *opencl_source(const char *stem)\n{\n${choices}"
                               "    return 0;\n}\n")
    set(base ${CMAKE_CURRENT_BINARY_DIR}/opencl_sources)
    file(CONFIGURE OUTPUT ${base}.S CONTENT "${assembly}" @ONLY)
    file(CONFIGURE OUTPUT ${base}.c CONTENT "${declarations}" @ONLY)
    set_source_files_properties(${base}.S PROPERTIES OBJECT_DEPENDS "${files}")
    target_sources(${target} PRIVATE ${base}.S ${base}.c)
endfunction()
