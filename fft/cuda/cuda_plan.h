/*
 * cuda_plan.h - plans the kernels of one batch of spectra, their order and their launch geometry.
 * Pure: a device is a few properties and memory a few addresses; no driver calls, no allocation.
 * Any thread.
 *
 * The path of a batch, on one stream:
 *
 *     host                                   device
 *     span of raw samples  -- copy in ->     samples
 *                                            launch 0, 1, ... (cuda_spectrum_launch)
 *     sum, max, min, last, hits <- copy out  result
 *
 * `tables` is uploaded once. `samples`, `scratch` and `result` belong to one batch in flight.
 */
#ifndef FFTD_FFT_CUDA_CUDA_PLAN_H
#define FFTD_FFT_CUDA_CUDA_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/fft.h"
#include "kernels/cuda/args.h"

/* Properties of one device, from the attributes of the driver. */
struct cuda_facts {
    uint32_t capability;        /* 10 * major + minor: 75, 86, 90; the minimum is 75 */
    uint32_t processors;        /* streaming multiprocessors */
    uint32_t shared_block;      /* shared memory of one block in bytes, opt-in maximum */
    uint32_t shared_processor;  /* shared memory of one multiprocessor in bytes */
    uint32_t threads_processor; /* resident threads of one multiprocessor, at most */
    uint64_t l2_bytes;          /* second-level cache */
};

/* The single parameter of any kernel. */
union cuda_args {
    struct spectrum_args spectrum;
    struct combine_args combine;
    struct density_args density;
    struct clear_args clear;
    struct pass_args pass;
};

/*
 * One kernel launch. The launches of a list run in order on one stream. More than 48 KiB of
 * `shared` must be allowed first (function attribute for the largest dynamic shared memory); allow
 * once the maximum that cuda_spectrum_kernel returns.
 */
struct cuda_launch {
    const char *module; /* stem of the source file: "spectrum_cs16" */
    const char *kernel; /* its extern "C" name */
    uint32_t grid[3];
    uint32_t block;   /* threads, one dimension */
    uint32_t cluster; /* blocks of a cluster along x; 1: no cluster */
    bool together;    /* all blocks run at the same time, or the launch fails */
    uint32_t shared;  /* bytes of dynamic shared memory */
    union cuda_args args;
};

/* ---- fused spectra ---------------------------------------------------------------------- */

/* Layout of the result of a batch: byte offsets, CUDA_ABSENT for parts that are not planned. */
#define CUDA_ABSENT SIZE_MAX
struct cuda_result {
    size_t sum, max, min, last; /* float [n] */
    size_t hits;                /* uint32_t [columns][levels] */
    size_t bytes;
    bool write_once; /* every word is stored once and never read: may be mapped host memory */
};

struct cuda_form; /* a row of the table of forms: one way to compute one length (cuda_form.h) */

/*
 * A planned spectrum: sizes for the caller; the other fields are for the functions below. Copy
 * freely.
 */
struct cuda_spectrum {
    size_t samples_bytes; /* span of max_frames frames */
    size_t tables_bytes;
    size_t scratch_bytes; /* may be 0 */
    struct cuda_result result;

    struct cuda_facts facts;
    struct fft_spectrum_config plan; /* only cuda_spectrum_tables reads the window */
    const struct cuda_form *bulk;  /* one block or cluster, bulk copies; NULL: not for this plan */
    const struct cuda_form *plain; /* one block, mean alone or detectors; NULL: two kernels */
    const struct cuda_form
        *single; /* one block, one frame, mean alone, twiddles of plain; or NULL */
    const struct cuda_form *columns, *rows;
    const struct cuda_form *relay; /* columns and rows in one kernel; NULL: not for this plan */
    uint32_t pipelines, entries;   /* of relay: frames at a time; frames that wait for their rows */
    uint32_t chunk_frames;         /* frames that the launches compute at a time */
    uint32_t groups;               /* rows of partial detectors in scratch, at most */
    uint32_t clusters;             /* of bulk: how many the device runs at a time; 0: no clusters */
    /* In tables: [0] of plain or two kernels, [1] of bulk, [2] of relay. */
    size_t twiddles_at[3], bridge_at[3];
    size_t first_bins_at; /* in tables: of the density's columns */
    /* In scratch, which begins with the points between two kernels: */
    size_t partial_at, powers_at, progress_at;
    size_t kept_at;        /* two kernels: detectors between chunks */
    uint32_t density_tile; /* two kernels: columns that a block counts */
};

/*
 * Device addresses. samples are aligned to one sample (16 bytes is faster), the others to 256
 * bytes.
 */
struct cuda_spectrum_memory {
    uint64_t samples, tables, scratch, result;
    uint64_t done; /* completion word in mapped memory (cuda_spectrum_signals_done); 0: none */
    struct sample_correction correction; /* of the samples on load */
};

/*
 * Plans a valid fft_spectrum_config (spectrum.c checks it). -ENOTSUP: no form of this length fits
 * into the device.
 */
int cuda_spectrum_plan(struct cuda_spectrum *out, const struct cuda_facts *facts,
                       const struct fft_spectrum_config *plan);

/*
 * Reduces scratch by smaller chunks of frames, for a device with too little memory; false: the
 * chunk is already one frame.
 */
bool cuda_spectrum_shrink(struct cuda_spectrum *s);

/*
 * The launch of a cluster, if batches of s may launch clusters; else false. A device may run fewer
 * of them at a time than its multiprocessors have room for: only the driver knows. Call the second
 * before the first batch; most = 0: no launch has clusters.
 */
bool cuda_spectrum_cluster(const struct cuda_spectrum *s, struct cuda_launch *out);
void cuda_spectrum_limit_clusters(struct cuda_spectrum *s, uint32_t most);

/* Writes `tables`: window and twiddles, computed in double precision. */
void cuda_spectrum_tables(const struct cuda_spectrum *s, void *tables);

/*
 * True if a batch of this many frames sets the word at memory.done to 1 after all its other writes.
 * The host sees the word sooner than a driver call reports completion.
 */
bool cuda_spectrum_signals_done(const struct cuda_spectrum *s, uint32_t frames);

/*
 * Launch number `index` of a batch of `frames` frames (1 .. max_frames); false: there are no more.
 * The list depends only on s, memory and frames. It writes every part of `result`.
 */
bool cuda_spectrum_launch(const struct cuda_spectrum *s, const struct cuda_spectrum_memory *memory,
                          uint32_t frames, uint32_t index, struct cuda_launch *out);

/*
 * Kernel number `index` of the kernels that batches of s may launch, with its largest shared
 * memory. Look all of them up before the first batch. False: there are no more.
 */
bool cuda_spectrum_kernel(const struct cuda_spectrum *s, uint32_t index, const char **module,
                          const char **kernel, uint32_t *shared);

#endif
