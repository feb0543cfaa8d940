/*
 * gpu_fft.h - runs of the QPU program in the emulator, for the tables of gpu-fft.
 */
#ifndef FFTD_STUDIES_GPU_FFT_GPU_FFT_H
#define FFTD_STUDIES_GPU_FFT_GPU_FFT_H

#include "emulate/qpu/fft_run.h"
#include "studies/gpu_fft/published.h"
#include "studies/study.h"

/* The result of one transform with a given structure. */
struct qpu_result {
    struct qpu_plan plan;
    struct emulator_report report; /* of the signal's inverse transform */
    double rms;                    /* ppm, hello_fft's signal */
    double noise;                  /* ppm, random input, forward; NaN: not measured */
    double seconds;                /* wall time of the emulator */
};

/* The largest log2 of a length in these tables; smaller with --quick. */
uint32_t study_gpu_fft_largest(const struct study *s);

/* Runs a length with the structure that the planner chooses, once, and keeps the result. NULL after
 * a failure, which was printed on standard error. */
const struct qpu_result *study_gpu_fft_length(uint32_t log2_n);

enum qpu_twiddles { QPU_TWIDDLES_WHOLE, QPU_TWIDDLES_SINGLE /* the low halves are zeros */ };

/* Runs a given structure. 0, or -errno after one line on standard error. */
int study_gpu_fft_structure(const uint8_t *bits, enum qpu_twiddles twiddles,
                            const struct emulator_mode *mode, struct qpu_result *result);

/* Describes one transform of this structure, to bins. */
struct qpu_task study_gpu_fft_task(const uint8_t *bits, bool inverse);

/* "6+6+5" */
const char *study_gpu_fft_name(const uint8_t *bits, char *text, size_t size);

int study_gpu_fft_twiddles(struct study *s);
int study_gpu_fft_order(struct study *s);
int study_gpu_fft_swizzle(struct study *s);
int study_gpu_fft_lookup(struct study *s);
int study_gpu_fft_launch(struct study *s);
int study_gpu_fft_modes(struct study *s);
int study_gpu_fft_counters(struct study *s);
int study_gpu_fft_picture(struct study *s);

#endif
