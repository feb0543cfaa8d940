# The commit that "fftd version" and fftd_build_info name: what FFTD_REVISION says, the one in an archive of git
# (revision.txt), or git's, "-dirty" with changes since. Git is asked only where users may get the program, while cmake runs.
set(FFTD_REVISION "" CACHE STRING "The commit of the sources; empty: as an archive or git says")

# fftd_find_revision(VARIABLE SOURCE-FOLDER ASK-GIT): "" if nobody knows. Sets VARIABLE_FILE, a file that changes with it.
function(fftd_find_revision variable source ask_git)
    set(${variable}_FILE "" PARENT_SCOPE)
    set(${variable} "${FFTD_REVISION}" PARENT_SCOPE)
    if(FFTD_REVISION)
        return()
    endif()
    file(STRINGS ${source}/cmake/revision.txt archived LIMIT_COUNT 1)
    if(archived MATCHES "^[0-9a-f]+$")
        set(${variable} ${archived} PARENT_SCOPE)
        return()
    endif()
    find_program(FFTD_GIT git)
    mark_as_advanced(FFTD_GIT)
    if(NOT ask_git OR NOT FFTD_GIT OR NOT EXISTS ${source}/.git) # not the repository of a folder above
        return()
    endif()
    execute_process(COMMAND ${FFTD_GIT} -C ${source} describe --always --abbrev=40 --exclude=* --dirty
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        return()
    endif()
    set(${variable} ${commit} PARENT_SCOPE)
    execute_process(COMMAND ${FFTD_GIT} -C ${source} rev-parse --git-path logs/HEAD WORKING_DIRECTORY ${source}
                    OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${source})
    if(EXISTS ${file})
        set(${variable}_FILE ${file} PARENT_SCOPE)
    endif()
endfunction()
