/* qpu_board.h - identifies the Raspberry Pi by its device tree; checks whether its QPUs are usable.
 */
#ifndef FFTD_FFT_QPU_QPU_BOARD_H
#define FFTD_FFT_QPU_QPU_BOARD_H

#include <stdbool.h>

#include "fft/engine.h"
#include "fft/qpu/qpu_system.h"

struct qpu_board {
    const char *name;
    uint32_t peripherals; /* physical address of the peripherals, as the ARM sees it */
    uint32_t alloc_flags; /* the firmware's flags for memory that the ARM and the QPUs share */
    uint32_t arm_offset;  /* from a bus address without alias bits to its address in /dev/mem */
};

enum { QPU_BUS_ALIAS = (int)0xc0000000 }; /* bits of a bus address that select the caching */

/* The address at which the ARM maps memory with this bus address. */
static inline uint32_t qpu_board_physical(const struct qpu_board *board, uint32_t bus)
{
    return (bus & ~(uint32_t)QPU_BUS_ALIAS) + board->arm_offset;
}

/*
 * Identifies the board. `direct`, on a Pi 0 or 1 only: allocate memory that bypasses VideoCore's L2
 * cache. OpenGL programs can then run at the same time, but the engine is slower. Returns 0, or
 * -ENODEV or -EINVAL; the reason then also says what to change.
 */
int qpu_board_find(const struct qpu_system *os, bool direct, struct qpu_board *out,
                   struct fft_reason why);

#endif
