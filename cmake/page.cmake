# Prepares the page for a program: cmake -P page.cmake FOLDER OUTPUT PAGE-PACK
#
# OUTPUT/files is the list of the files in FOLDER, VERSION a hash of them and of what PAGE-PACK joins them to. The server
# answers VERSION/PATH with PATH, which browsers may keep for ever. Writes to OUTPUT
#
#     index.html   FOLDER/index.html, with VERSION before each address of a file, and one style sheet
#     main.js      all modules that FOLDER/main.js needs, joined
#     style.css    the style sheets of FOLDER/index.html, joined
#     hub/index.html, hub/main.js, hub.css    the same of a hub's page, FOLDER/hub/; its addresses are relative to FOLDER
#     sw.js        FOLDER/sw.js with VERSION, so that a browser sees that it changed
#     version.c    VERSION, for the server
set(folder ${CMAKE_ARGV3})
set(output ${CMAKE_ARGV4})
set(page_pack ${CMAKE_ARGV5})
file(READ ${output}/files files)

# pack(OUT KIND FILE...): joins the files to OUT.
function(pack out kind first)
    execute_process(COMMAND ${page_pack} ${kind} ${folder} ${first} ${ARGN}
                    OUTPUT_FILE ${output}/${out} ERROR_VARIABLE reason RESULT_VARIABLE failed)
    if(failed)
        file(REMOVE ${output}/${out})
        message(FATAL_ERROR "web/${reason}")
    endif()
endfunction()

# pack_styles(OUT VARIABLE): joins the style sheets of the page in VARIABLE to OUT, and links OUT in their place.
function(pack_styles out variable)
    set(text "${${variable}}")
    set(link " *<link rel=\"stylesheet\" href=\"([^\"]*)\">\n")
    string(REGEX MATCHALL "${link}" links "${text}")
    list(TRANSFORM links REPLACE "${link}" "\\1")
    pack(${out} style ${links})
    list(POP_FRONT links first)
    foreach(sheet IN LISTS links)
        string(REGEX REPLACE " *<link rel=\"stylesheet\" href=\"${sheet}\">\n" "" text "${text}")
    endforeach()
    string(REPLACE "href=\"${first}\"" "href=\"${out}\"" text "${text}")
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

set(hashes "")
foreach(file IN LISTS files)
    file(SHA256 ${folder}/${file} hash)
    string(APPEND hashes "${hash} ${file}\n")
endforeach()

file(MAKE_DIRECTORY ${output}/hub)
list(FILTER files INCLUDE REGEX "\\.js$")
list(REMOVE_ITEM files main.js sw.js hub/main.js)
pack(hub/main.js part hub/main.js ${files})
list(FILTER files EXCLUDE REGEX "^hub/")
pack(main.js script main.js ${files})

file(READ ${folder}/index.html page)
pack_styles(style.css page)
file(READ ${folder}/hub/index.html hub)
pack_styles(hub.css hub)

foreach(file main.js style.css hub/main.js hub.css)
    file(SHA256 ${output}/${file} hash)
    string(APPEND hashes "${hash} ${file}\n")
endforeach()
string(SHA256 version "${hashes}")
string(SUBSTRING ${version} 0 16 version)

foreach(name page hub)
    string(REGEX REPLACE "(href|src)=\"([a-z0-9_/]+\\.(css|js|svg))\"" "\\1=\"${version}/\\2\"" ${name} "${${name}}")
endforeach()
file(WRITE ${output}/index.html "${page}")
file(WRITE ${output}/hub/index.html "${hub}")

file(READ ${folder}/sw.js worker)
string(REPLACE "'source'" "'${version}'" worker "${worker}")
file(WRITE ${output}/sw.js "${worker}")

file(WRITE ${output}/version.c "/* Written by cmake/page.cmake. */\n"
     "#include \"daemon/http/answer/assets.h\"\nconst char embedded_version[] = \"${version}\";\n")
