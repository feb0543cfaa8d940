# fftd_embed(TARGET FOLDER): puts every file below FOLDER into TARGET, byte for byte, as the table
# `embedded_files` of daemon/assets.h. Rebuilt when a file changes, comes or goes.
function(fftd_embed target folder)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*)
    list(FILTER files EXCLUDE REGEX "(^|/)(\\.|node_modules/)|~$")
    list(SORT files)

    set(assembly "/* Written by cmake/embed.cmake. */\n    .section .rodata\n")
    set(declarations "/* Written by cmake/embed.cmake. */\n#include \"daemon/assets.h\"\n\n")
    set(entries "")
    set(paths "")
    set(i 0)
    foreach(file IN LISTS files)
        string(APPEND assembly "    .balign 16\n    .globl embedded_${i}\nembedded_${i}:\n"
                               "    .incbin \"${folder}/${file}\"\n"
                               "    .globl embedded_${i}_end\nembedded_${i}_end:\n    .byte 0\n")
        string(APPEND declarations "extern const unsigned char embedded_${i}[];\n"
                                   "extern const unsigned char embedded_${i}_end[];\n")
        string(APPEND entries "    {\"/${file}\", embedded_${i}, embedded_${i}_end},\n")
        list(APPEND paths ${folder}/${file})
        math(EXPR i "${i} + 1")
    endforeach()
    string(APPEND assembly "    .section .note.GNU-stack,\"\",@progbits\n")
    string(APPEND declarations "\nconst struct embedded_file embedded_files[] = {\n${entries}"
                               "    {0, 0, 0},\n};\n")

    set(base ${CMAKE_CURRENT_BINARY_DIR}/embedded)
    file(CONFIGURE OUTPUT ${base}.S CONTENT "${assembly}" @ONLY)
    file(CONFIGURE OUTPUT ${base}.c CONTENT "${declarations}" @ONLY)
    set_source_files_properties(${base}.S PROPERTIES OBJECT_DEPENDS "${paths}")
    target_sources(${target} PRIVATE ${base}.S ${base}.c)
endfunction()
