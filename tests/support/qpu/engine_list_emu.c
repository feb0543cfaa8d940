/* engine_list_emu.c - the engines of a test that is about the emulated one: instead of the
 * library's. */
#include "emulate/qpu/engine_emu.h"

const struct engine_ops *const fft_engine_list[] = {
    &engine_qpu_emu,
    NULL,
};
