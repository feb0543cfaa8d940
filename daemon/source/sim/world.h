/*
 * world.h - the scene `world` of the simulated radio: tones at absolute frequencies, wider than any
 * rate. A radio receives those within half its rate of its centre, all at their full level.
 *
 *     tones=98.7M@-20/101M@-35   frequency and dBFS of each
 *     without tones=             a carrier at every multiple k of 10 MHz above 0, of
 *                                -20 - 5 * (k mod 7) dBFS
 *
 * A tone has phase 0 at sample 0, at any centre. Pure, any thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SIM_WORLD_H
#define FFTD_DAEMON_SOURCE_SIM_WORLD_H

#include <stdint.h>

#include "fft/iq.h"

enum { SIM_TONES = 32 };

struct sim_tone {
    double hz, dbfs;
};

struct sim_world {
    struct sim_tone tone[SIM_TONES];
    unsigned tones; /* 0: the carriers */
};

/* What a radio receives of it: frequencies as fractions of the rate, -1/2 .. 1/2; and noise. */
struct sim_reception {
    const struct fft_iq *noise; /* [period], which repeats; a power of two. Set by the caller */
    uint32_t period;
    struct sim_reception_tone {
        double fraction, amplitude;
    } tone[SIM_TONES]; /* more than these are left out: a rate above 310 MS/s */
    unsigned tones;
};

int sim_world_parse(const char *text, struct sim_world *out); /* 0 or -EINVAL */
/* Sets the tones of *out. */
void sim_world_receive(const struct sim_world *w, double center_hz, double rate_hz,
                       struct sim_reception *out);
/* Writes the samples number first .. first + count - 1: the tones, and the noise of that number. */
void sim_reception_render(const struct sim_reception *r, uint64_t first, uint32_t count,
                          enum fft_iq_format format, void *into);

#endif
