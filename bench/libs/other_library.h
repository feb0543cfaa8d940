/*
 * other_library.h - other libraries' transforms on the opencl engine's device, as contestants in
 * spectra: plain complex ones of as many points as the spectra have, in place, on points that lie
 * there already. That is less than a spectrum, whose samples come from the host, are unpacked and
 * windowed, and whose powers are summed.
 *
 * clFFT is opened at run time: $FFT_BENCH_CLFFT, else libclFFT.so.2. VkFFT is a header: the module
 * that has it is $FFT_BENCH_VKFFT, else libfft-bench-vkfft.so beside fft-bench (made on demand, see
 * bench/libs/vkfft_module.h).
 */
#ifndef FFTD_BENCH_LIBS_OTHER_LIBRARY_H
#define FFTD_BENCH_LIBS_OTHER_LIBRARY_H

#include "bench/contest.h"
#include "bench/spectrum_case.h"
#include "bench/versus.h"

struct rival;
struct _cl_mem;

/* engine, options: as of ocl_open. -ENODEV and others, with the reason. */
int rival_open(struct rival **out, enum versus which, const char *engine, const char *options,
               char *why, size_t size);
void rival_close(struct rival *r);             /* NULL is fine */
const char *rival_name(const struct rival *r); /* with its version */

struct rival_spectrum {
    struct rival *rival;
    const struct spectrum_job *job;
    struct _cl_mem *points; /* [max_frames][n], windowed */
    void *plan;
};

int rival_spectrum_init(struct rival_spectrum *s, struct rival *r, const struct spectrum_job *job);
void rival_spectrum_finish(struct rival_spectrum *s); /* zeroed is fine */
struct contestant rival_spectrum_contestant(struct rival_spectrum *s);

#endif
