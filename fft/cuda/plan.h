/*
 * plan.h - what a GPU is signalled to do: the kernels, their order and their geometry for one batch
 * of spectra. Pure: it knows a device as a few facts and memory as a few addresses, calls no
 * driver, and takes no memory. Any thread.
 *
 * The way of a batch, on one stream:
 *
 *     host                                   device
 *     span of raw samples  -- copy in ->     samples
 *                                            launch 0, 1, ... (cuda_spectrum_launch)
 *     sum, max, min, last, hits <- copy out  result
 *
 * `tables` is uploaded write_once; `samples`, `scratch` and `result` belong to one batch in flight.
 */
#ifndef FFTD_FFT_CUDA_PLAN_H
#define FFTD_FFT_CUDA_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/fft.h"
#include "kernels/cuda/args.h"

/* One device, as the driver's attributes tell. */
struct cuda_facts {
    uint32_t capability;        /* 10 * major + minor: 75, 86, 90; below 75 nothing runs */
    uint32_t processors;        /* streaming multiprocessors */
    uint32_t shared_block;      /* bytes of shared memory that one block may have (opt-in) */
    uint32_t shared_processor;  /* ... that the blocks of one processor share */
    uint32_t threads_processor; /* resident threads of one processor, at most */
    uint64_t l2_bytes;          /* second-level cache */
};

/* The one parameter of a kernel, whichever it is. */
union cuda_args {
    struct spectrum_args spectrum;
    struct combine_args combine;
    struct density_args density;
    struct clear_args clear;
    struct pass_args pass;
};

/*
 * One kernel launch. Launches of one list run in order on one stream, each after the one before.
 * `shared` above 48 KiB has to be allowed first (the function attribute for the largest dynamic
 * shared memory); allow it write_once, with the most that cuda_spectrum_kernel tells.
 */
struct cuda_launch {
    const char *module; /* stem of the kernel's file: "spectrum_cs16" */
    const char *kernel; /* its extern "C" name there */
    uint32_t grid[3];
    uint32_t block;   /* threads, one dimension */
    uint32_t cluster; /* blocks of a cluster along x; 1: no cluster */
    uint32_t shared;  /* bytes of dynamic shared memory */
    union cuda_args args;
};

/* ---- fused spectra ---------------------------------------------------------------------- */

/* Where the parts of a batch's result lie: byte offsets, CUDA_ABSENT where not planned. */
#define CUDA_ABSENT SIZE_MAX
struct cuda_result {
    size_t sum, max, min, last; /* float [n] */
    size_t hits;                /* uint32_t [columns][levels] */
    size_t bytes;
    bool write_once; /* each word is stored write_once and never read: may lie in mapped host memory
                      */
};

struct cuda_form; /* a row of the planner's table: one way of doing one length */

/* A planned spectrum: sizes for the caller, the rest for the functions below. Copy freely. */
struct cuda_spectrum {
    size_t samples_bytes; /* the span of max_frames frames */
    size_t tables_bytes;
    size_t scratch_bytes; /* may be 0 */
    struct cuda_result result;

    struct cuda_facts facts;
    struct fft_spectrum_plan plan; /* the window is read by cuda_spectrum_tables only */
    const struct cuda_form *bulk;  /* one block, bulk copies; NULL: not for this plan */
    const struct cuda_form *plain; /* one block, mean alone or traces; NULL: the next two */
    const struct cuda_form *columns, *rows;
    uint32_t chunk_frames;        /* frames that go through the launches at a time */
    uint32_t groups;              /* rows of partial traces in scratch, at most */
    size_t twiddles_at[2];        /* in tables: of plain or columns, and of mean or the bridge */
    size_t first_bins_at;         /* in tables: of the density's columns */
    size_t partial_at, powers_at; /* in scratch; its front is what passes between two kernels */
    uint32_t density_tile;        /* two kernels: columns a block counts */
};

/* Device addresses: samples aligned to one sample (16 bytes: faster), the others to 256 bytes. */
struct cuda_spectrum_memory {
    uint64_t samples, tables, scratch, result;
    uint64_t done; /* a word of mapped memory: see cuda_spectrum_signals_done; 0: none */
};

/* A valid plan (spectrum.c checked it). -ENOTSUP: no form of this length fits into the device. */
int cuda_spectrum_plan(struct cuda_spectrum *out, const struct cuda_facts *facts,
                       const struct fft_spectrum_plan *plan);

/*
 * The same with less scratch, in smaller chunks of frames, for a device that does not have it all;
 * false: chunks of one frame are the smallest.
 */
bool cuda_spectrum_shrink(struct cuda_spectrum *s);

/* Writes what belongs into `tables`: window and twiddles, computed in double. */
void cuda_spectrum_tables(const struct cuda_spectrum *s, void *tables);

/*
 * A batch of so many frames ends by setting the word at memory.done to 1, behind all that it
 * writes: who looks there sees it sooner than the driver tells.
 */
bool cuda_spectrum_signals_done(const struct cuda_spectrum *s, uint32_t frames);

/*
 * Launch number `index` of a batch of `frames` frames (1 .. max_frames); false: there are no more.
 * The list depends on s, memory and frames alone. Everything in `result` is written by it.
 */
bool cuda_spectrum_launch(const struct cuda_spectrum *s, const struct cuda_spectrum_memory *memory,
                          uint32_t frames, uint32_t index, struct cuda_launch *out);

/*
 * Kernel number `index` of those that batches of s may launch, with the most shared memory it is
 * given: what to look up in the module before the first batch. False: there are no more.
 */
bool cuda_spectrum_kernel(const struct cuda_spectrum *s, uint32_t index, const char **module,
                          const char **kernel, uint32_t *shared);

#endif
