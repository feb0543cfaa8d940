/*
 * mali.h - G. M. Iodice, "Speeding-up Fast Fourier Transform Mixed-Radix on Mobile ARM Mali GPU by
 * means of OpenCL" (2017), measured on this machine's OpenCL device: his steps
 * (studies/mali/mali_pipeline.h), which differ in one thing each, the same steps with roots of
 * unity from tables, and the engine. His figures are for a Mali-T760; the transcription has only
 * ratios of most of them.
 */
#ifndef FFTD_STUDIES_MALI_MALI_H
#define FFTD_STUDIES_MALI_MALI_H

#include "reference/reference.h"
#include "studies/mali/mali_pipeline.h"
#include "studies/ocl_times.h"
#include "studies/study.h"

/* What the tables share. Internal to studies/mali/. */
struct mali_study {
    struct study *study;
    struct ocl *ocl;
    struct _cl_mem *in, *out;   /* [longest] each, noise in `in` */
    uint32_t points;            /* that the rows of a table fill */
    uint32_t longest;           /* single row, >= points */
    struct fft_iq *noise, *got; /* [longest] */
    struct complex64 *want; /* [want_n]: the transform of the first points of the noise, computed
                               again when n changes */
    uint32_t want_n;
};

struct mali_result {
    double seconds, error; /* error: relative, L2, of the first row */
};

enum { MALI_CONTESTANTS = 4 };

/* Measures forms of rows alternately: the time of some parts, the error of all of them. 0, or
 * -errno after one line on standard error. */
int mali_study_rows(struct mali_study *s, const struct mali_batch *batch,
                    const struct mali_form *forms, uint32_t count, unsigned parts,
                    struct mali_result *results);
int mali_study_want(struct mali_study *s, uint32_t n); /* computes s->want. 0 or -ENOMEM */
/* Compares n points, or the first n points of `out`, with the noise's transform in double
 * precision. */
int mali_study_hold(struct mali_study *s, const struct fft_iq *got, uint32_t n, double *error);
int mali_study_error(struct mali_study *s, uint32_t n, double *error);

int mali_study_cost(struct mali_study *s);
int mali_study_ratios(struct mali_study *s); /* the wanted tables of forms */
int mali_study_lengths(struct mali_study *s);
int mali_study_images(struct mali_study *s);
int mali_study_half(struct mali_study *s);
int mali_study_engine(struct mali_study *s);

#endif
