/*
 * fftw.h - FFTW as a contestant: the best pipeline that a careful user builds around it.
 *
 * Convert x window into a buffer, transform, |X|^2 and sum, each loop vectorised by the compiler for
 * this machine; the batch (frames a call) and in or out of place are chosen by measuring. FFTW is
 * loaded at run time if it is there and never linked: $FFT_BENCH_FFTW, else libfftw3f.so.3.
 */
#ifndef FFTD_BENCH_FFTW_H
#define FFTD_BENCH_FFTW_H

#include <stdbool.h>

#include "bench/contest.h"

struct fftw;

/* patient: better plans, minutes for each; kept in the wisdom file beside those of other runs. */
int fftw_open(struct fftw **out, bool patient, char *why, size_t size);
void fftw_close(struct fftw *f);             /* NULL is fine */
const char *fftw_name(const struct fftw *f); /* "fftw-3.3.10-sse2-avx MEASURE" */

int fftw_prepare(struct fftw *f, const struct job *job); /* finds the best plan */
void fftw_release(struct fftw *f);                       /* of the job */
struct contestant fftw_contestant(struct fftw *f);

#endif
