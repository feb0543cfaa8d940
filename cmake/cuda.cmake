# Builds the kernels of the CUDA engine: each file of kernels/cuda becomes a fatbin, which is embedded in
# the program and loaded by NVIDIA's driver at run time. Only this needs nvcc. Without nvcc the build
# leaves the engine out.
set(default AUTO)
if(DEFINED ENV{FFTD_CUDA})
    set(default $ENV{FFTD_CUDA})
endif()
set(FFTD_CUDA ${default} CACHE STRING "Build the CUDA engine: ON, OFF, AUTO (where nvcc is found)")
set(FFTD_CUDA_ARCHITECTURES "$ENV{FFTD_CUDA_ARCHITECTURES}" CACHE STRING
    "Compute capabilities to make machine code for, such as 75;90; empty: all in a release, else 90; check: none")

# Finds a working CUDA compiler and the compute capabilities that it supports.
function(fftd_find_nvcc result)
    find_program(FFTD_NVCC nvcc HINTS ${CMAKE_CUDA_COMPILER} /usr/local/cuda/bin /opt/cuda/bin)
    set(${result} 0 PARENT_SCOPE)
    if(NOT FFTD_NVCC)
        return()
    endif()
    if(NOT DEFINED FFTD_NVCC_KNOWS)
        set(probe ${CMAKE_CURRENT_BINARY_DIR}/nvcc_probe.cu)
        file(WRITE ${probe} "extern \"C\" __global__ void probe(int *x) { *x = 1; }\n")
        execute_process(COMMAND ${FFTD_NVCC} -fatbin -o ${probe}.fatbin ${probe}
                        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
        execute_process(COMMAND ${FFTD_NVCC} --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
        string(REGEX MATCHALL "[0-9]+" known "${known}")
        if(failed)
            set(known "")
        endif()
        set(FFTD_NVCC_KNOWS "${known}" CACHE INTERNAL "")
    endif()
    if(FFTD_NVCC_KNOWS)
        set(${result} 1 PARENT_SCOPE)
    endif()
endfunction()

# Flags for machine code of the wanted capabilities, and for PTX, which a driver compiles for other
# devices. A release has machine code for each generation since Turing (8.6 and 8.9 run that of 8.0).
# Other builds have machine code for one capability and no PTX, which halves the time of the compiler.
# "check" instantiates and checks all kernels but makes no code, in seconds: for tests without a device.
function(fftd_cuda_flags result)
    set(wanted ${FFTD_CUDA_ARCHITECTURES})
    set(ptx 75)
    if(wanted STREQUAL "check")
        set(${result} --fdevice-syntax-only -gencode=arch=compute_90,code=compute_90 PARENT_SCOPE)
        return()
    endif()
    if(NOT wanted AND CMAKE_BUILD_TYPE STREQUAL "Release")
        set(wanted 75 80 90 100 120)
        set(ptx 120)
    elseif(NOT wanted)
        set(wanted 90)
        set(ptx "")
    endif()
    set(flags "")
    if(ptx)
        set(flags "-gencode=arch=compute_${ptx},code=compute_${ptx}")
    endif()
    foreach(arch IN LISTS wanted)
        if(arch IN_LIST FFTD_NVCC_KNOWS)
            list(APPEND flags "-gencode=arch=compute_${arch},code=sm_${arch}")
        endif()
    endforeach()
    set(${result} ${flags} PARENT_SCOPE)
endfunction()

# fftd_cuda_kernels(TARGET FOLDER FUNCTION): compiles the *.cu files of FOLDER and adds the fatbins
# to TARGET, with a function that finds a fatbin by the stem of its file. The kernels named after these
# have machine code in any build.
function(fftd_cuda_kernels target folder function)
    file(GLOB kernels CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cu)
    set(choices "")
    set(symbols "")
    set(fatbins "")
    foreach(kernel IN LISTS kernels)
        get_filename_component(name ${kernel} NAME_WE)
        set(fatbin ${CMAKE_CURRENT_BINARY_DIR}/${name}.fatbin)
        fftd_cuda_flags(architectures)
        if(FFTD_CUDA_ARCHITECTURES STREQUAL "check" AND name IN_LIST ARGN)
            set(architectures -arch=sm_90)
        endif()
        add_custom_command(OUTPUT ${fatbin}
            COMMAND ${FFTD_NVCC} -fatbin -Xfatbin=-compress-all -std=c++17 -O3 -I${CMAKE_SOURCE_DIR}
                    ${architectures}
                    -MD -MF ${fatbin}.d -MT ${fatbin} -o ${fatbin} ${kernel}
            DEPENDS ${kernel} DEPFILE ${fatbin}.d COMMENT "nvcc ${name}.cu" VERBATIM)
        list(APPEND fatbins ${fatbin})
        list(APPEND symbols ${function}_${name})
        string(APPEND choices "    if (strcmp(module, \"${name}\") == 0)\n"
                              "        return ${function}_${name};\n")
    endforeach()
    fftd_embed_files(${target} ${function}s 64 "${symbols}" "${fatbins}"
        "#include <string.h>\n\nconst void *${function}(const char *module);\n"
        "const void *${function}(const char *module)\n{\n${choices}    return 0;\n}\n")
endfunction()

set(FFTD_HAVE_CUDA 0)
if(NOT FFTD_CUDA STREQUAL "OFF")
    file(GLOB kernels CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/cuda/*.cu)
    fftd_find_nvcc(FFTD_HAVE_CUDA)
    if(NOT kernels)
        set(FFTD_HAVE_CUDA 0)
    endif()
    if(FFTD_CUDA STREQUAL "ON" AND NOT FFTD_HAVE_CUDA)
        message(FATAL_ERROR "FFTD_CUDA is ON, but there is no nvcc that compiles")
    endif()
endif()
