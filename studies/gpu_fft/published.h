/*
 * published.h - the figures of A. Holme's GPU_FFT: the structures of his document, and the tables
 * of the manual, gpu_fft.txt, for a Raspberry Pi 1 (QPUs at 250 MHz).
 */
#ifndef FFTD_STUDIES_GPU_FFT_PUBLISHED_H
#define FFTD_STUDIES_GPU_FFT_PUBLISHED_H

#include <stdint.h>

enum { GPU_FFT_LENGTHS = 15, GPU_FFT_MIN_LOG2 = 8 };

/* NaN: not published. */
struct gpu_fft {
    uint8_t bits[5];       /* bits of each pass; 0 ends */
    double rms, rms_2;     /* ppm, hello_fft's signal, releases 3.0 and 2.0 */
    double one_ms, ten_ms; /* release 3.0: one transform a launch, and ten, time of each */
    double fftw_ms;        /* FFTW on its ARM */

    /* Counted by running the programs of release 3.0 in an emulator; not in the manual. */
    double instructions; /* of all QPUs, thousands */
    double bound_ms;     /* the instructions of the busiest QPU, four clocks each at 250 MHz */
    double noise;        /* ppm, random input */
};

/* Indexed by log2 of the length, from 8. */
extern const struct gpu_fft gpu_fft[GPU_FFT_LENGTHS];

#endif
