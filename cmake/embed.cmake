# Embeds files into a program, byte for byte.

# fftd_embed_files(TARGET NAME ALIGN SYMBOLS FILES HEAD TAIL): embeds file i of FILES from symbol i
# to symbol i followed by _end, and a 0 byte after it. NAME.c declares the symbols between the texts
# HEAD and TAIL. Rebuilt when a file changes.
function(fftd_embed_files target name align symbols files head tail)
    set(assembly "/* Written by cmake/embed.cmake. */\n    .section .rodata\n")
    set(declarations "/* Written by cmake/embed.cmake. */\n${head}\n")
    foreach(symbol file IN ZIP_LISTS symbols files)
        string(APPEND assembly "    .balign ${align}\n    .globl ${symbol}\n    .hidden ${symbol}\n${symbol}:\n"
                               "    .incbin \"${file}\"\n"
                               "    .globl ${symbol}_end\n    .hidden ${symbol}_end\n${symbol}_end:\n    .byte 0\n")
        string(APPEND declarations "extern const unsigned char ${symbol}[];\n"
                                   "extern const unsigned char ${symbol}_end[];\n")
    endforeach()
    string(APPEND assembly "    .section .note.GNU-stack,\"\",%progbits\n")
    string(APPEND declarations "\n${tail}")

    set(base ${CMAKE_CURRENT_BINARY_DIR}/${name})
    file(CONFIGURE OUTPUT ${base}.S CONTENT "${assembly}" @ONLY)
    file(CONFIGURE OUTPUT ${base}.c CONTENT "${declarations}" @ONLY)
    set_source_files_properties(${base}.S PROPERTIES OBJECT_DEPENDS "${files}")
    target_sources(${target} PRIVATE ${base}.S ${base}.c)
endfunction()

# fftd_embed(TARGET FOLDER ESBUILD): embeds the page, the files below FOLDER, into TARGET, in the table `embedded_files` of
# daemon/http/answer/assets.h, and each text also compressed if there is zopfli or gzip. ESBUILD joins modules and style sheets;
# if it is false, they are embedded as they are. Rebuilt also when a file is added or removed.
find_program(FFTD_ZOPFLI zopfli) # the same format in 3 % fewer bytes
find_program(FFTD_GZIP gzip)
find_program(FFTD_ESBUILD esbuild)
function(fftd_embed target folder esbuild)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*)
    list(FILTER files EXCLUDE REGEX "(^|/)(\\.|node_modules/)|~$")
    list(REMOVE_ITEM files package.json gallery.html) # for node, for tests
    list(SORT files)

    set(page ${CMAKE_CURRENT_BINARY_DIR}/page)
    set(written index.html hub/index.html sw.js)
    set(program "")
    if(esbuild)
        list(APPEND written main.js late_parts.js page.css hub/main.js hub/hub.css)
        set(program ${esbuild})
    endif()
    file(CONFIGURE OUTPUT ${page}/files CONTENT "${files}" @ONLY)
    list(TRANSFORM files PREPEND ${folder}/ OUTPUT_VARIABLE sources)
    list(TRANSFORM written PREPEND ${page}/ OUTPUT_VARIABLE outputs)
    add_custom_command(OUTPUT ${outputs} ${page}/version.c
        COMMAND ${CMAKE_COMMAND} -P ${CMAKE_SOURCE_DIR}/cmake/page.cmake ${folder} ${page} ${program}
        DEPENDS ${sources} ${page}/files ${CMAKE_SOURCE_DIR}/cmake/page.cmake
        COMMENT "Preparing the files of the page")
    target_sources(${target} PRIVATE ${page}/version.c)

    if(esbuild) # the joined files have the others
        list(FILTER files EXCLUDE REGEX "\\.js$|\\.css$")
        list(APPEND files offline.css ${written})
        list(REMOVE_DUPLICATES files)
    endif()

    set(symbols "")
    set(paths "")
    set(entries "")
    set(i 0)
    foreach(file IN LISTS files)
        set(source ${folder}/${file})
        if(file IN_LIST written)
            set(source ${page}/${file})
        endif()
        list(APPEND symbols embedded_${i})
        list(APPEND paths ${source})
        set(gzip "0, 0")
        if((FFTD_ZOPFLI OR FFTD_GZIP) AND file MATCHES "\\.(css|html|js|json|mjs|svg|txt|webmanifest)$")
            fftd_gzip(${source} ${CMAKE_CURRENT_BINARY_DIR}/embedded_${i}.gz)
            list(APPEND symbols embedded_${i}_gz)
            list(APPEND paths ${CMAKE_CURRENT_BINARY_DIR}/embedded_${i}.gz)
            set(gzip "embedded_${i}_gz, embedded_${i}_gz_end")
        endif()
        string(APPEND entries "    {\"/${file}\", embedded_${i}, embedded_${i}_end, ${gzip}},\n")
        math(EXPR i "${i} + 1")
    endforeach()
    fftd_embed_files(${target} embedded 16 "${symbols}" "${paths}" "#include \"daemon/http/answer/assets.h\"\n"
        "const struct embedded_file embedded_files[] = {\n${entries}    {0, 0, 0, 0, 0},\n};\n")
endfunction()

# fftd_gzip(FILE OUTPUT): compresses FILE, without its name and time, so that builds are reproducible.
function(fftd_gzip file output)
    set(compress ${FFTD_GZIP} -9nc)
    if(FFTD_ZOPFLI)
        set(compress ${FFTD_ZOPFLI} -c)
    endif()
    add_custom_command(OUTPUT ${output} COMMAND ${compress} ${file} > ${output} DEPENDS ${file}
                       COMMENT "Compressing ${file}")
endfunction()
