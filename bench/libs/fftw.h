/*
 * fftw.h - FFTW, loaded at run time and never linked: $FFT_BENCH_FFTW, else libfftw3f.so.3.
 *
 * The declarations cover the part of its documented interface that is used here ("FFTW 3.3 manual",
 * chapter 4).
 */
#ifndef FFTD_BENCH_LIBS_FFTW_H
#define FFTD_BENCH_LIBS_FFTW_H

#include <stdbool.h>
#include <stddef.h>

#include "fft/iq.h"

typedef struct fftw_plan_opaque *fftw_plan;

enum { FFTW_FORWARD = -1, FFTW_BACKWARD = 1 };
enum {
    FFTW_MEASURE = 0,
    FFTW_PRESERVE_INPUT = 1 << 4,
    FFTW_PATIENT = 1 << 5,
    FFTW_ESTIMATE = 1 << 6
};

/* Plans of `howmany` transforms; embed: the dimensions of the arrays that contain them. */
struct fftw_api {
    fftw_plan (*plan_c2c)(int rank, const int *n, int howmany, struct fft_iq *in,
                          const int *in_embed, int in_stride, int in_distance, struct fft_iq *out,
                          const int *out_embed, int out_stride, int out_distance, int sign,
                          unsigned flags);
    fftw_plan (*plan_r2c)(int rank, const int *n, int howmany, float *in, const int *in_embed,
                          int in_stride, int in_distance, struct fft_iq *out, const int *out_embed,
                          int out_stride, int out_distance, unsigned flags);
    fftw_plan (*plan_c2r)(int rank, const int *n, int howmany, struct fft_iq *in,
                          const int *in_embed, int in_stride, int in_distance, float *out,
                          const int *out_embed, int out_stride, int out_distance, unsigned flags);
    void (*run_c2c)(fftw_plan plan, struct fft_iq *in, struct fft_iq *out);
    void (*run_r2c)(fftw_plan plan, float *in, struct fft_iq *out);
    void (*run_c2r)(fftw_plan plan, struct fft_iq *in, float *out);
    void (*destroy)(fftw_plan plan);
    void (*cleanup)(void);
    void (*forget)(void); /* forgets all wisdom */
    int (*load_wisdom)(const char *file);
    int (*save_wisdom)(const char *file);
    const char *version;
};

struct fftw {
    void *library;
    struct fftw_api api;
    unsigned effort;  /* FFTW_MEASURE or FFTW_PATIENT */
    char name[80];    /* "fftw-3.3.10-sse2-avx MEASURE" */
    char wisdom[300]; /* the file for PATIENT plans */
};

/* patient: better plans, which take minutes each and are saved in a file for each build of FFTW.
 * -ENODEV or -ENOMEM, with the reason in `why`. */
int fftw_open(struct fftw **out, bool patient, char *why, size_t size);
void fftw_close(struct fftw *f); /* may be NULL; destroy all plans before */
void fftw_keep(struct fftw *f);  /* saves wisdom, if patient */

#endif
