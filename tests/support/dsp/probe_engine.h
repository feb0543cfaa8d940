/*
 * probe_engine.h - the CPU engine, recording which counter-coded samples it gets.
 *
 * Samples are cs16 whose four bytes hold their own stream number. Faults can be switched on.
 */
#ifndef FFTD_TESTS_SUPPORT_DSP_PROBE_ENGINE_H
#define FFTD_TESTS_SUPPORT_DSP_PROBE_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "fft/fft.h"

struct probe {
    uint8_t *seen; /* [size] 1: in at least one frame; set before the engine runs */
    uint32_t size;
    uint64_t jumps; /* spans with numbers that are not consecutive */
    uint64_t batches, frames;
    uint64_t unfinished;    /* batches in flight at the end that it could still read */
    uint64_t fail_after;    /* polls that succeed before one fails with -EIO; 0: never */
    uint32_t delay_ms;      /* in each poll */
    uint32_t no_memory_for; /* FFT size whose plan fails with -ENOMEM; set before it is requested */
    uint32_t slow_n;        /* FFT size whose plan takes until may_finish; set likewise */
    atomic_bool is_making, may_finish; /* the plan of slow_n: any thread */
};

/* The dsp thread writes it while it runs; read it after dsp_thread_stop. */
extern struct probe probe;

struct fft_engine *probe_open(uint32_t size); /* clears `probe`, allocates seen[size] */
void probe_free(void);
uint64_t probe_count(void); /* samples seen */

#endif
