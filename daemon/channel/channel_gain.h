/*
 * channel_gain.h - the samples of a channel in a format that programs read, with a digital gain.
 *
 * A narrow channel of a wide stream has little power: its 8-bit samples may all be zero. The
 * automatic gain changes in steps of 6.02 dB, and only between blocks. It falls at once, so that
 * peaks stay below -1 dBFS, and rises at most every ten seconds, to the highest gain that would
 * have kept the peaks of that time below -1 dBFS and the mean power below -24 dBFS: a gain that
 * follows each burst would spoil on-off keying. One thread.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_GAIN_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_GAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/iq.h"

struct reason;

enum { CHANNEL_GAIN_STEPS = 20 }; /* the highest automatic gain: 120 dB */

/* As it is asked for. */
struct channel_format {
    enum fft_iq_format format;
    bool automatic; /* the gain; else it is gain_db */
    double gain_db;
    bool framed; /* of a reader: a head before each block, and no zeros */
};

/*
 * Reads the gain: "auto", decibels within +-120, or NULL or "", which is automatic for 8 bits and
 * 0 dB for others. f->format is set. -EINVAL, with a line in *why.
 */
int channel_format_read_gain(struct channel_format *f, const char *text, struct reason *why);

struct channel_gain {
    bool automatic;
    double gain;     /* a factor */
    double power;    /* mean of the last seconds */
    double peak;     /* of a component, since the gain could rise last */
    double waited_s; /* since then */
    bool begun;
    uint64_t clipped; /* samples beyond full scale so far; none in cf32 */
};

void channel_gain_init(struct channel_gain *g, bool automatic, double gain_db);
double channel_gain_db(const struct channel_gain *g);
/*
 * Packs the samples of a block of this rate: [count] of fft_iq_bytes, rounded to the nearest,
 * clipped at full scale.
 */
void channel_gain_pack(struct channel_gain *g, enum fft_iq_format format, double rate_hz,
                       const struct fft_iq *in, size_t count, void *out);

#endif
