/*
 * receiver.h - one channel of a line's samples: shifted to zero, filtered and decimated (ddc/).
 *
 * With a bandwidth of 0 the samples stay as they are, around the centre of the span. Only outputs
 * whose impulse response is within the input are made. Any thread.
 */
#ifndef FFTD_DAEMON_MEASURE_TYPES_RECEIVER_H
#define FFTD_DAEMON_MEASURE_TYPES_RECEIVER_H

#include "daemon/ddc/ddc_plan.h"
#include "daemon/measure/measure.h"

struct receiver_channel {
    double center_hz, bandwidth_hz;
    unsigned response; /* enum ddc_response */
};

/* Zeroed at first. */
struct receiver {
    struct ddc_plan plan;
    unsigned response; /* of the plan */
    struct ddc *ddc;

    struct fft_iq *out; /* [count], the result */
    size_t count;
    float *scratch;   /* [2 * count], for the caller */
    size_t capacity;  /* of out and scratch, in outputs */
    double center_hz; /* frequency that is 0 in out */
    double rate_hz;   /* of out */
    double delay_s;   /* from the first input sample to the time of out[0] */
};

/*
 * Runs the input's samples through the channel. -ERANGE with out's reason: there are no samples, or
 * fewer than `least` outputs, or the channel is not within the span; -ENOMEM.
 */
int receiver_run(struct receiver *r, const struct receiver_channel *channel,
                 const struct measure_input *in, size_t least, struct measure_result *out);
/*
 * Whether the samples are those of a carrier near this frequency without modulation, but for the
 * power that errors of quantisation have at most, half a step in I and in Q. These errors repeat
 * with the phase of the carrier, and look like its modulation. A third of that power is usual;
 * noise of the other two thirds makes the errors irregular (dither), so that a carrier that a radio
 * received is rarely taken for one.
 */
bool receiver_is_plain_carrier(const struct measure_input *in, double carrier_hz);
void receiver_finish(struct receiver *r);

#endif
