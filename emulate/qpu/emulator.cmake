# The emulated machine: for tests, and for fft-bench, which shows its counts. Rounding is the run's own,
# which the compiler must respect; vectors of 16 lanes are passed by address, so that no ABI is at stake.
set(emulator emulator.c emulator_alu.c emulator_decode.c emulator_memory.c emulator_ports.c
    emulator_rules.c emulator_step.c emulator_tmu.c emulator_vpm.c)
list(TRANSFORM emulator PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
add_library(qpu_emulator STATIC ${emulator})
target_compile_options(qpu_emulator PRIVATE -O3 -frounding-math -Wno-psabi)
target_link_libraries(qpu_emulator PRIVATE fftd_warnings PUBLIC qpu_isa m)

# A plan in it, its accuracy, and a model of that.
set(run fft_measure.c fft_run.c twiddle_model.c)
list(TRANSFORM run PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
add_library(qpu_fft_run STATIC ${run})
target_link_libraries(qpu_fft_run PRIVATE fftd_warnings PUBLIC qpu_emulator qpu_kernels qpu_plan)
