# Prepares the page for a program: cmake -P page.cmake FOLDER OUTPUT ESBUILD
#
# OUTPUT/files is the list of the files in FOLDER, VERSION a hash of them and of what esbuild makes of them. The server
# answers VERSION/PATH with PATH, which browsers may keep for ever. Writes to OUTPUT
#
#     index.html, hub/index.html    those of FOLDER, with VERSION before each address of a file
#     sw.js                         FOLDER/sw.js with VERSION, so that a browser sees that it changed
#     version.c                     VERSION, for the server
#
# and, unless ESBUILD is empty, the entries below: each with all that it imports, minified.
set(folder ${CMAKE_ARGV3})
set(output ${CMAKE_ARGV4})
set(esbuild "${CMAKE_ARGV5}")
set(entries main.js late_parts.js page.css hub/main.js hub/hub.css)
file(READ ${output}/files files)

set(hashes "")
foreach(file IN LISTS files)
    file(SHA256 ${folder}/${file} hash)
    string(APPEND hashes "${hash} ${file}\n")
endforeach()

if(esbuild)
    execute_process(COMMAND ${esbuild} ${entries} --bundle --minify --format=esm --target=es2022 --charset=utf8
                            --external:./late_parts.js --legal-comments=none --log-level=warning --outbase=. --outdir=${output}
                    WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed)
    if(failed)
        list(TRANSFORM entries PREPEND ${output}/)
        file(REMOVE ${entries})
        message(FATAL_ERROR "esbuild did not join the files of ${folder}")
    endif()
    foreach(file IN LISTS entries)
        file(SHA256 ${output}/${file} hash)
        string(APPEND hashes "${hash} ${file}\n")
    endforeach()
endif()
string(SHA256 version "${hashes}")
string(SUBSTRING ${version} 0 16 version)

foreach(file index.html hub/index.html)
    file(READ ${folder}/${file} page)
    string(REGEX REPLACE "(href|src)=\"([a-z0-9_/]+\\.(css|js|svg))\"" "\\1=\"${version}/\\2\"" page "${page}")
    file(WRITE ${output}/${file} "${page}")
endforeach()

file(READ ${folder}/sw.js worker)
string(REPLACE "'source'" "'${version}'" worker "${worker}")
file(WRITE ${output}/sw.js "${worker}")

file(WRITE ${output}/version.c "/* Written by cmake/page.cmake. */\n"
     "#include \"daemon/http/answer/assets.h\"\nconst char embedded_version[] = \"${version}\";\n")
