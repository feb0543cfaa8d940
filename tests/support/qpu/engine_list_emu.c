/* engine_list_emu.c - replaces the library's engine list by qpu-emu alone. */
#include "emulate/qpu/engine_emu.h"

const struct engine_ops *const fft_engine_list[] = {
    &qpu_emu_engine_ops,
    NULL,
};
