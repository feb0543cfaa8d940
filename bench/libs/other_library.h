/*
 * other_library.h - clFFT and VkFFT on the opencl engine's device, as contestants in spectra.
 *
 * They run plain complex transforms of as many points as the spectra have, in place, on points in
 * device memory. That is less work than a spectrum, whose samples come from the host, are unpacked
 * and windowed, and whose powers are summed.
 *
 * clFFT is opened at run time: $FFT_BENCH_CLFFT, else libclFFT.so.2. VkFFT is a header: the module
 * that contains it is $FFT_BENCH_VKFFT, else libfft-bench-vkfft.so in fft-bench's folder (built on
 * demand, see bench/libs/vkfft_module.h).
 */
#ifndef FFTD_BENCH_LIBS_OTHER_LIBRARY_H
#define FFTD_BENCH_LIBS_OTHER_LIBRARY_H

#include "bench/contest.h"
#include "bench/spectrum_case.h"
#include "bench/versus.h"

struct other_library;
struct _cl_mem;

/* engine, options: as in ocl_open. -ENODEV or another error, with the reason in `why`. */
int other_library_open(struct other_library **out, enum versus which, const char *engine,
                       const char *options, char *why, size_t size);
void other_library_close(struct other_library *r);             /* may be NULL */
const char *other_library_name(const struct other_library *r); /* name and version */

struct other_library_spectrum {
    struct other_library *other_library;
    const struct spectrum_case *test_case;
    struct _cl_mem *points; /* [max_frames][n], windowed */
    void *plan;
};

int other_library_spectrum_init(struct other_library_spectrum *s, struct other_library *r,
                                const struct spectrum_case *test_case);
void other_library_spectrum_finish(struct other_library_spectrum *s); /* may be zeroed */
struct contestant other_library_spectrum_contestant(struct other_library_spectrum *s);

#endif
