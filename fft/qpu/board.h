/* board.h - which Raspberry Pi this is, by its device tree, and whether its QPUs may be had. */
#ifndef FFTD_FFT_QPU_BOARD_H
#define FFTD_FFT_QPU_BOARD_H

#include <stdbool.h>

#include "fft/engine.h"
#include "fft/qpu/system.h"

struct qpu_board {
    const char *name;
    uint32_t peripherals; /* their physical address as the ARM sees it */
    uint32_t alloc_flags; /* how the firmware shall allocate memory for both sides */
    uint32_t arm_offset;  /* from a bus address without its alias bits to where /dev/mem has it */
};

/*
 * Finds it. `direct`: on a Pi 0 or 1, memory beside VideoCore's L2 cache, so that OpenGL programs
 * may run at the same time; slower. -ENODEV with the reason and what to change.
 */
int qpu_board_find(const struct qpu_system *os, bool direct, struct qpu_board *out,
                   struct reason why);

#endif
