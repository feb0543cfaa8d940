/* engine_list.c - every engine in this build, best first. A new engine is one line here. */
#include "fft/engine.h"

#include "fft/cpu/engine_cpu.h"

const struct engine_ops *const engine_list[] = {
    &engine_cpu,
    NULL,
};
