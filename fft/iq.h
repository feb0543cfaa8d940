/*
 * iq.h - the raw sample formats, and what full scale means in each.
 *
 * Samples are interleaved I,Q pairs in the machine's byte order (little-endian files are read on
 * little-endian machines; fftd supports no other).
 *
 *     format  bytes  value of one component
 *     cu8     2      (v - 127.5) / 127.5
 *     cs8     2      v / 128
 *     cs16    4      v / 32768
 *     cf32    8      v
 *
 * Full scale 1.0 is the amplitude of a complex exponential that reads 0 dBFS; both rails at once
 * read +3.01 dBFS. Pure functions, any thread.
 */
#ifndef FFTD_FFT_IQ_H
#define FFTD_FFT_IQ_H

#include <stddef.h>
#include <stdint.h>

#include "fft/export.h"

FFT_API_BEGIN

enum fft_iq_format { FFT_IQ_CU8, FFT_IQ_CS8, FFT_IQ_CS16, FFT_IQ_CF32, FFT_IQ_FORMATS };

struct fft_iq {
    float re, im; /* the same bytes as a float2 and as one cf32 sample */
};

size_t fft_iq_bytes(enum fft_iq_format format);              /* bytes a sample */
const char *fft_iq_name(enum fft_iq_format format);          /* "cu8" ... */
double fft_iq_full_scale(enum fft_iq_format format);         /* raw units: 127.5, 128, 32768, 1 */
int fft_iq_parse(const char *name, enum fft_iq_format *out); /* 0, or -EINVAL: no such format */

/* Converts to floats as in the table above. raw: [samples], out: [samples]. */
void fft_iq_unpack(enum fft_iq_format format, const void *raw, struct fft_iq *out, size_t samples);

/* Samples by the larger of their two components; a sample is in one count at most. */
struct fft_iq_levels {
    uint64_t clipped; /* at a rail: the format's extreme codes, or for a stream whose own full scale
                         is smaller (a 12-bit device in cs16: 2048) |v| >= full_scale - 1;
                         cf32: |v| == full_scale */
    uint64_t beyond;  /* cf32: beyond full scale; such a stream is not normalised */
    uint64_t invalid; /* cf32: NaN, infinite, or beyond FFT_IQ_LIMIT times full scale */
    size_t first_invalid; /* index; 0: none */
};

/* +300 dBFS. Sums of powers below it stay finite in float, whatever the frame and batch. */
#define FFT_IQ_LIMIT 1e15

/*
 * Counts samples, and writes 0 over the invalid ones, so that no engine reads them. `full_scale` is
 * in raw units.
 */
struct fft_iq_levels fft_iq_check(enum fft_iq_format format, double full_scale, void *raw,
                                  size_t samples);
/* The clipped samples alone. cf32: 0, because its samples must be checked before they are used. */
uint64_t fft_iq_clipped(enum fft_iq_format format, double full_scale, const void *raw,
                        size_t samples);

FFT_API_END

#endif
