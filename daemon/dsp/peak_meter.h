/*
 * peak_meter.h - how near to its limits the converter of a receiver is: the largest I or Q of late.
 *
 * Up to 4 MS/s it reads all samples. At higher rates it reads the first 4 MS/s of each 10 ms, so a
 * shorter pulse may be missed; samples that are clipped are counted elsewhere, all of them. The
 * figure covers the half second before and the one that has begun.
 *
 * All depends on positions and samples alone, never on time. Internal to the room; the dsp thread
 * only.
 */
#ifndef FFTD_DAEMON_DSP_PEAK_METER_H
#define FFTD_DAEMON_DSP_PEAK_METER_H

#include <stdint.h>

#include "fft/iq.h"

struct peak_meter {
    enum fft_iq_format format;
    uint64_t period;         /* samples of 10 ms */
    uint64_t length;         /* the first of a period that are read */
    uint64_t interval;       /* half second that has begun, since position 0 */
    double newest, previous; /* largest |I| or |Q| of the interval and the one before; -1: none */
};

/* Forgets all samples: for a new stream, tuning or gain. */
void peak_meter_restart(struct peak_meter *m, enum fft_iq_format format, double rate_hz);

/* Reads samples from `position` on. raw: [samples]; floats must be finite. */
void peak_meter_read(struct peak_meter *m, const void *raw, uint64_t position, uint64_t samples);

/*
 * [dB] from the peak to full scale, as a component: 10 for a complex tone of -10 dBFS. Below 0:
 * beyond full scale. NAN: nothing was read; INFINITY: all samples are 0. stream_scale: the full
 * scale of the stream in units of the format's.
 */
double peak_meter_headroom_db(const struct peak_meter *m, double stream_scale);

#endif
