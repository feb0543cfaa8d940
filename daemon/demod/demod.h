/*
 * demod.h - demodulators: the samples of a channel become audio. Pure, without threads and clocks.
 *
 *     channel ==> mode filter --> detector --> audio filter --> gain ==> audio
 *     plan.rate_hz    |               |                             plan.audio_rate_hz
 *                     +---- report ---+
 *
 * A demodulator is one file with one table, and a row of the list. Its caller opens a channel of
 * the rate, width and centre that `plan` asks for, and gives all of its samples to `run`. A config
 * with zeros has the mode's own values. The output depends only on the positions of samples: their
 * division into calls changes when audio comes out, never its bytes. Each demodulator belongs to
 * one thread at a time.
 *
 * Audio is float, full scale 1.0. Values may exceed it; the caller clips them. After create and
 * reset, the audio is silent until the filters have settled, and then fades in, to avoid clicks.
 * Frame i since then belongs to the time i / audio_rate_hz - delay_s after the first sample.
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_H
#define FFTD_DAEMON_DEMOD_DEMOD_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/demod/demod_rds_groups.h"
#include "fft/iq.h"

struct reason;
struct demod;
struct demod_ops;

/* Plain values. Zero the config and set ops; 0 selects the mode's default, or none. */
struct demod_config {
    const struct demod_ops *ops;
    double width_hz;      /* of the mode filter, between its points of -6 dB */
    double deviation_hz;  /* FM: rated, which is -3 dBFS at 1 kHz */
    double deemphasis_us; /* FM */
    double pitch_hz;      /* CW: of a carrier at the receiver's frequency */
    double tone_hz;       /* NFM: CTCSS tone without which the audio is silent; it is taken out */
    double notch_hz;      /* taken out of the audio */
    double gain_db;       /* AM, SSB, CW: with manual_gain */
    bool manual_gain;     /* no AGC */
    bool flat;            /* NFM: without de-emphasis and audio filter, from 0 Hz, for decoders */
    bool mono;            /* WFM */
};

/* What a demodulator needs, and what it gives. */
struct demod_plan {
    double rate_hz;     /* of the channel */
    double width_hz;    /* the flat part of the channel; 0: all that the rate has room for */
    double passband_hz; /* of the mode filter: the config's, or the mode's own */
    double offset_hz;   /* the channel's centre less the receiver's frequency */
    double audio_rate_hz;
    double delay_s;
    unsigned audio_channels;
};

/* Figures of the newest samples; NAN: not known, or not of this mode. */
struct demod_report {
    double level_dbfs;   /* behind the mode filter, before any gain */
    double snr_db;       /* behind the mode filter, of a carrier of constant amplitude: FM */
    double noise_db;     /* NFM: above speech, compared with that of no carrier */
    double offset_hz;    /* of the carrier from the receiver's frequency */
    double deviation_hz; /* FM: half of the distance of the peaks */
    double depth;        /* AM: 0 .. 1 and more */
    double tone_hz;      /* NFM: the CTCSS tone that is there */
    double pilot;        /* WFM: its part of the rated deviation */
    double gain_db;      /* of the AGC */
    bool stereo;         /* WFM: the audio is */
    bool locked;         /* SAM, WFM: to the carrier, the pilot */
    struct demod_rds_station rds; /* WFM */
};

struct demod_ops {
    const char *name, *about;
    /* -EINVAL with the key that is wrong, and what works. */
    int (*plan)(const struct demod_config *c, struct demod_plan *p, struct reason *why);
    int (*create)(struct demod **out, const struct demod_config *c, struct reason *why);
    /* audio: [demod_audio_max(plan, count)]. Returns frames. Allocates nothing. */
    size_t (*run)(struct demod *d, const struct fft_iq *in, size_t count, float *audio);
    void (*reset)(struct demod *d); /* samples are missing before the next ones */
    void (*report)(const struct demod *d, struct demod_report *r);
    void (*destroy)(struct demod *d); /* NULL is fine */
};

extern const struct demod_ops *const demods[]; /* the last one is NULL */

const struct demod_ops *demod_find(const char *name); /* NULL: there is none */
/* Floats of audio that `count` samples in one call give at most. */
size_t demod_audio_max(const struct demod_plan *p, size_t count);
/* All figures unknown. */
void demod_report_init(struct demod_report *r);

#endif
