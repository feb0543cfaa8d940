/*
 * scene.h - renders the scenes of the simulated radio, with known levels and frequencies.
 *
 * A scene is rendered once into a block of P samples, which repeats without a seam: every frequency
 * is a whole number of cycles per block. P is the largest power of two of at most one
 * second of samples, 65536 <= P <= 2097152 (2.4 MS/s: 2097152 samples, 0.874 s; 61.44 MS/s: 34 ms).
 * Everything scales with the rate. Levels are dBFS (fft/iq.h); offsets from the centre as a
 * fraction of the rate, in brackets for 2.4 MS/s.
 *
 * scene=show (the default)
 *
 *     signal   offset            level  timing
 *     noise    everywhere          -50  total power over the whole rate, white, Gaussian
 *     carrier  +1/8  (+300k)       -20  continuous
 *     FM       -1/4  (-600k)       -25  continuous; two sounds, both sines: rate/2400 (1 kHz) with
 *                                       a peak deviation of 0.02 (48k), rate/700 (3.4 kHz) with
 *                                       0.008 (19.2k): round(P/2400), round(P/700) cycles/block
 *     bursts   +5/16 (+750k)       -30  8 a block: burst j begins at j P/8 + P/16 and lasts P/128
 *                                       (6.8 ms each 109 ms); the first and last P/4096 are
 *                                       raised-cosine edges
 *     hopper   -(1+c)/64           -15  16 dwells of P/16 (55 ms), channel c of dwell d =
 *              (-37.5k..-300k)          5 2 7 0 3 6 1 4  0 4 1 5 2 6 3 7
 *     chirp    +3/8 .. +15/32      -35  4 linear sweeps a block, P/4 (218 ms) each, upwards, each
 *              (900k .. 1125k)          starting at phase 0
 *
 * scene=tone      one tone, level= (default 0 dBFS), offset= Hz (default rate/8), rounded to a
 *                 multiple of rate/P; noise= adds white noise of that total power (default none)
 * scene=noise     white noise of level= total power (default -20 dBFS)
 * scene=silence   zero, as the format writes it (cu8: 128, half a step above its zero of 127.5)
 * scene=counter   cs16 only: I and Q are the low and high 16 bits of the sample's number modulo
 *                 2^32. Samples that a simulated overflow loses are counted: the number jumps.
 * scene=world     tones at absolute frequencies (world.h), which appear when the radio is tuned to
 *                 them; noise= of that total power (default -50 dBFS). The default in a sweep
 * scene=channels, sensor, squitter, nfm, am, ssb, ax25
 *                 transmissions that decoders understand (transmitters.h)
 *
 * Every scene but the counter can have the errors of a receiver: with a gain error of g and a phase
 * error of p,
 *
 *     I = i + a cos 30        Q = g (q cos p + i sin p) + a sin 30
 *
 * where dc= gives the level of a.
 *
 * The same seed gives the same bytes. Pure functions, any thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SIM_SCENE_H
#define FFTD_DAEMON_SOURCE_SIM_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include "fft/iq.h"

enum sim_kind {
    SIM_SHOW,
    SIM_TONE,
    SIM_NOISE,
    SIM_SILENCE,
    SIM_COUNTER,
    SIM_WORLD,
    SIM_CHANNELS, /* from here on: transmitters */
    SIM_SENSOR,
    SIM_SQUITTER,
    SIM_NFM,
    SIM_AM,
    SIM_SSB,
    SIM_AX25,
    SIM_KINDS
};

struct sim_scene {
    enum sim_kind kind;
    uint64_t seed;
    double level_dbfs;                                  /* tone, noise; NAN: the default */
    double noise_dbfs;                                  /* tone, world; NAN: none, or the default */
    double offset_hz;                                   /* tone; NAN: the default */
    double dc_dbfs, gain_error_db, phase_error_degrees; /* of the receiver; NAN: none */
};

uint32_t sim_period(double rate_hz); /* P */
/* The block, [sim_period(rate_hz)] samples. Not for SIM_COUNTER, SIM_WORLD and transmitters. */
void sim_render(const struct sim_scene *scene, double rate_hz, enum fft_iq_format format,
                void *into);
/* Counter-coded cs16: samples number first .. first + count - 1. */
void sim_count(uint64_t first, uint32_t count, void *into);

/* Writes re[count] and im[count] as samples; 1.0 is full scale, beyond it integers are clipped. */
void sim_write(enum fft_iq_format format, const double *re, const double *im, uint32_t count,
               void *into);

#endif
