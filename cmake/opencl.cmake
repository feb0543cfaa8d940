# fftd_opencl_sources(TARGET FOLDER FUNCTION HEADER): embeds FOLDER/*.cl in TARGET as text. FUNCTION, declared in
# HEADER, returns the text of a file by its stem. The device's own compiler compiles the texts at run time.
function(fftd_opencl_sources target folder function header)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cl)
    set(assembly "/* Written by cmake/opencl.cmake. */\n    .section .rodata\n")
    set(declarations "/* Written by cmake/opencl.cmake. */\n#include \"${header}\"\n\n#include <string.h>\n\n")
    set(choices "")
    foreach(file IN LISTS files)
        get_filename_component(name ${file} NAME_WE)
        set(symbol ${function}_${name})
        string(APPEND assembly "    .globl ${symbol}\n${symbol}:\n"
                               "    .incbin \"${file}\"\n    .byte 0\n")
        string(APPEND declarations "extern const char ${symbol}[];\n")
        string(APPEND choices "    if (strcmp(stem, \"${name}\") == 0)\n        return ${symbol};\n")
    endforeach()
    string(APPEND assembly "    .section .note.GNU-stack,\"\",%progbits\n")
    string(APPEND declarations "\nconst char *${function}(const char *stem)\n{\n${choices}"
                               "    return 0;\n}\n")
    set(base ${CMAKE_CURRENT_BINARY_DIR}/${function}s)
    file(CONFIGURE OUTPUT ${base}.S CONTENT "${assembly}" @ONLY)
    file(CONFIGURE OUTPUT ${base}.c CONTENT "${declarations}" @ONLY)
    set_source_files_properties(${base}.S PROPERTIES OBJECT_DEPENDS "${files}")
    target_sources(${target} PRIVATE ${base}.S ${base}.c)
endfunction()
