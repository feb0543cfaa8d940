/*
 * iq_guess.h - guesses the sample format of raw IQ data from the bytes. Pure, any thread.
 *
 * A radio's samples leave marks in the bytes: components lie around zero, I and Q are alike, an
 * 8-bit component is one byte, the low byte of a 16-bit component is uniform while the high byte is
 * not, and the exponents of floats are close together. Each format is
 *
 *     excluded    the data contradict it and fit another, or the length is not whole samples
 *     possible    nothing contradicts it, and nothing speaks for it
 *     likely      the data have all marks of it
 *
 * and the guess is the format that alone is likely. Clipped signals, silence, and data that are no
 * samples (text, compressed files, other formats) give no guess.
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_IQ_GUESS_H
#define FFTD_DAEMON_FORMAT_RECORDING_IQ_GUESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/iq.h"

enum { IQ_GUESS_MIN = 16384 }; /* bytes; fewer give no guess */

/* Counts over the bytes added so far. Zero it before the first iq_guess_add. */
struct iq_guess_counts {
    uint64_t bytes;        /* a multiple of 8 */
    uint32_t byte[8][256]; /* by position modulo 8 */
    /* pairs of bytes as 16-bit components */
    uint32_t pairs, nonzero, rails;
    uint32_t extended[2];    /* of nonzero: the high, the low byte repeats the other's sign */
    uint32_t low[256];       /* low bytes of pairs that are not on a rail */
    uint8_t seen[65536 / 8]; /* bit v: the component v occurred, as unsigned */
    /* groups of four bytes as floats */
    uint32_t floats, zeros, negative_floats, bad_floats; /* bad: not finite, huge or denormal */
    uint32_t exponent[256];
};

enum iq_likelihood { IQ_EXCLUDED, IQ_POSSIBLE, IQ_LIKELY };

struct iq_guess {
    enum fft_iq_format format; /* FFT_IQ_FORMATS: no guess */
    bool sure;                 /* every other format is excluded */
    enum iq_likelihood likelihood[FFT_IQ_FORMATS];
};

/* Counts a block that starts at a multiple of 8 bytes in the data. Ignores the last size % 8. */
void iq_guess_add(struct iq_guess_counts *c, const uint8_t *bytes, size_t size);

/* length: of all data in bytes; 0: not known. */
struct iq_guess iq_guess_result(const struct iq_guess_counts *c, uint64_t length);

#endif
