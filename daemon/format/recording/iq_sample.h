/*
 * iq_sample.h - the formats of samples in files and radios, and their conversion into the formats
 * of the ring (fft/iq.h). Pure, any thread.
 *
 *     name                          component                           in the ring
 *     cu8 cs8 cs16 cf32             as in fft/iq.h                      unchanged
 *     cu16 (cu16_be)                16 bits, zero at 32768              cs16
 *     cs12                          12 bits, I first, in 3 bytes        cs16, full scale 2048
 *     cs16_be                       16 bits                             cs16
 *     cs24 cs32 cu32 (.._be)        24 or 32 bits; cu32: zero at 2^31   cf32
 *     cf32_be cf64 cf64_be          IEEE 754                            cf32
 *     ru8 ri8 ru16 ri16 ri24 ru32   real samples; two of them count     cf32, see half_band.h
 *       ri32 rf32 rf64 (.._be)      as one, at half the rate
 *     wav8                          8 bits of WAV, zero at 128          cs8
 *     sdriq24                       24 bits in 32, low bits first       cf32
 *
 * _be: big-endian; others are little-endian. Integers that become cf32 have full scale 1, and their
 * largest code reads as full scale, so that clipped samples are counted; a 32-bit integer keeps
 * the 24 bits of a float.
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_IQ_SAMPLE_H
#define FFTD_DAEMON_FORMAT_RECORDING_IQ_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/iq.h"

enum { IQ_SAMPLE_BYTES_MAX = 16 };

struct iq_sample {
    const char *name;
    size_t bytes;            /* of a sample, in the file: I and Q, or two real samples */
    bool real;               /* `convert` gives pairs of real samples as floats */
    enum fft_iq_format ring; /* what `convert` writes */
    double full_scale;       /* of a component, in the units of the file */
    double ring_scale;       /* the same in the units of the ring */
    /* from: [samples * bytes]; into: [samples] of `ring`. NULL: the bytes are those of the ring. */
    void (*convert)(const uint8_t *restrict from, void *restrict into, size_t samples);
};

/* By a name above, in any case; also as SigMF spells it: ci16_le, ri8. NULL: no such format. */
const struct iq_sample *iq_sample_find(const char *name);
const struct iq_sample *iq_sample_of(enum fft_iq_format ring); /* that which is not converted */
/* All, NULL after the last one. */
const struct iq_sample *iq_sample_at(size_t index);

#endif
