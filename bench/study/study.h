/*
 * study.h - the tables of documents that the library builds on, beside ours. Columns that begin
 * with "document" are its figures; all others come about here.
 *
 * four-easy-ways: L. R. Mullin and S. G. Small, "Four Easy Ways to a Faster FFT" (J. Math.
 * Modelling and Algorithms 1, 2002), derives a radix 2 loop nest from a matrix product, makes the
 * radix a variable of it, and measures it on machines of 1995 to 2000 against the libraries of that
 * time. The loop nests are the library's own general radix (fft/general.h) and the derivation's
 * steps (tests/derivation).
 *
 * gpu-fft: A. Holme, "GPU_FFT", and its manual gpu_fft.txt (releases 2.0 and 3.0): FFTs on the GPU
 * of a Raspberry Pi. Ours is the QPU engine's program in the tests' emulator, which counts and has
 * no clock.
 *
 * cuda-3d: bench/study/cuda_3d/cuda_study.h. mali: bench/study/mali/mali.h. bainville:
 * bench/study/bainville/bainville.h.
 */
#ifndef FFTD_BENCH_STUDY_STUDY_H
#define FFTD_BENCH_STUDY_STUDY_H

#include "bench/bench.h"
#include "bench/study/table.h"
#include "fft/general.h"

struct study {
    const struct options *options;
    struct fft_engine *engine; /* NULL: the document does not measure */
    struct fftw *fftw;         /* NULL: none here */
    struct tables tables;
};

struct study_table {
    const char *name;
    int (*print)(struct study *s); /* 0 or -errno */
};

enum { STUDY_TABLES = 12 };

struct study_document {
    const char *name;
    bool measures;               /* the engine, and FFTW */
    int (*run)(struct bench *b); /* (optional) prints them, in place of the tables' own */
    struct study_table tables[STUDY_TABLES]; /* the first is always printed; ended by a NULL name */
};
extern const struct study_document study_four_easy_ways, study_gpu_fft, study_cuda_3d, study_mali,
    study_bainville;

const struct study_document *study_find(const char *name); /* NULL: none of that name */
bool study_has(const struct study_document *document, const char *table);
int study_run(struct bench *b); /* all tables, or the one that was asked for; 0 or -errno */

int study_ladder(struct study *s);
int study_share(struct study *s);
int study_radix(struct study *s);
int study_streams(struct study *s);
int study_faults(struct study *s);
int study_doubling(struct study *s);
int study_plan(struct study *s);
int study_libraries(struct study *s);
int study_size(struct study *s);
int study_padding(struct study *s);

/* Seconds that work(user) takes: the median of several runs, fewer if they are long. */
double study_seconds(const struct study *s, void (*work)(void *user), void *user);

/* The largest size of a table, less when only trying out. */
uint32_t study_largest(const struct study *s, uint32_t largest);

/* A float's pair of noise each, and what double precision makes of it: the relative L2 error. */
void study_noise(struct fft_iq *x, uint32_t n);
double study_error(const struct fft_iq *in, const struct fft_iq *out, uint32_t n);

/* ---- a general radix at work ------------------------------------------------------------- */

struct study_general {
    struct general general;
    struct fft_iq *from, *to; /* [n], noise and its transform */
};

/* n by passes of this base alone. -EINVAL: n is no power of it; -ENOMEM. finish follows in any
 * case. */
int study_general_init(struct study_general *g, uint32_t n, uint32_t base);
void study_general_finish(struct study_general *g);
void study_general_run(void *study_general);

#endif
