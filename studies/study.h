/*
 * study.h - fft-study: the tables of documents that the library builds on, next to results of this
 * machine. Columns that begin with "document" hold the document's own figures; all others are
 * measured or counted here.
 *
 * four-easy-ways: L. R. Mullin and S. G. Small, "Four Easy Ways to a Faster FFT" (J. Math.
 * Modelling and Algorithms 1, 2002), derives a radix 2 loop nest from a matrix product, makes the
 * radix a variable of it, and measures it on machines of 1995 to 2000 against the libraries of that
 * time. The loop nests measured here are the library's general radix (fft/general.h) and the
 * derivation's steps (studies/four_easy_ways/derivation).
 *
 * gpu-fft: A. Holme, "GPU_FFT", and its manual gpu_fft.txt (releases 2.0 and 3.0): FFTs on the GPU
 * of a Raspberry Pi. Here the QPU engine's program runs in the emulator (emulate/qpu), which counts
 * instructions and has no clock.
 *
 * cuda-3d: studies/cuda_3d/cuda_study.h. mali: studies/mali/mali.h. bainville:
 * studies/bainville/bainville.h.
 */
#ifndef FFTD_STUDIES_STUDY_H
#define FFTD_STUDIES_STUDY_H

#include "bench/command_line.h"
#include "bench/contest.h"
#include "bench/device/gpu.h"
#include "bench/libs/fftw.h"
#include "bench/message.h"
#include "bench/noise.h"
#include "fft/fft.h"
#include "studies/table.h"

struct study_options {
    const char *engine, *isa, *engine_options;
    const char *table;      /* names, separated by commas; NULL: all tables */
    const char *once;       /* NULL, or the library of one transform */
    struct counts n, radix; /* empty: the table's own */
    const char *picture;    /* file for the table picture of gpu-fft; NULL: none */
    bool quick, json;
};

/* One run of the program. What a document does not need is NULL. */
struct study {
    struct study_options options;
    const struct study_document *document;
    struct fft_engine *engine;
    struct fftw *fftw;   /* also NULL: not installed */
    struct gpu *gpu;     /* cuda-3d; bainville on a device of NVIDIA's */
    struct cufft *cufft; /* also NULL: not installed */
    struct tables tables;
};

struct study_table {
    const char *name;
    int (*print)(struct study *s); /* 0 or -errno; NULL: the document's run() prints it */
};

enum { STUDY_TABLES = 20 };

struct study_document {
    const char *name, *title;
    bool measures;                 /* opens the engine and FFTW */
    int (*once)(struct study *s);  /* (optional) takes --once; returns the exit status */
    int (*check)(struct study *s); /* (optional) takes --n and --radix; -EINVAL, reported */
    int (*run)(struct study *s);   /* (optional) prints all wanted tables */
    struct study_table tables[STUDY_TABLES]; /* the first is always printed; ended by a NULL name */
};
extern const struct study_document study_four_easy_ways, study_gpu_fft, study_cuda_3d, study_mali,
    study_bainville;
extern const struct study_document *const study_documents[]; /* all, ended by NULL */

const struct study_document *study_find(const char *name); /* NULL: no such document */
/* Whether it has every table of the list, "radix,model". */
bool study_has_tables(const struct study_document *document, const char *list);
bool study_wants(const struct study *s, const char *table); /* --table names it, or is missing */

/* Prints the wanted tables of s->document. 0, or -errno after one line on standard error. */
int study_run(struct study *s);
void study_close(struct study *s); /* also after a failed study_run */

/* Seconds of work(user): the median of several runs; long work runs once. */
double study_seconds(const struct study *s, void (*work)(void *user), void *user);

/* The largest size of a table; with --quick at most 4096. */
uint32_t study_largest(const struct study *s, uint32_t largest);

#endif
