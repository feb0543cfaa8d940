/* channel_info.h - what a channel is asked to be, and what has become of it. Plain values. */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_INFO_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/channel/channel_squelch.h"

struct channel_request {
    double center_hz;
    double rate_hz;  /* of its samples */
    double width_hz; /* of its flat part; 0: all that the rate has room for */
    struct squelch_rule squelch;
    bool armed;   /* only transmissions leave it, which the squelch finds */
    double pre_s; /* what comes before them */
    bool waits;   /* in a lossless replay the replay waits for the reader of its output */
};

enum channel_state {
    CHANNEL_STARTS,  /* no samples yet */
    CHANNEL_OPEN,    /* it is received */
    CHANNEL_ARMED,   /* nobody transmits: nothing leaves it */
    CHANNEL_OUTSIDE, /* the radio is tuned elsewhere: silence */
    CHANNEL_REFUSED, /* this stream cannot have it */
};
const char *channel_state_name(enum channel_state state); /* "starts", "open" ... */

struct channel_info {
    uint64_t id; /* 1, 2, ... */
    enum channel_state state;
    char message[256]; /* why it is refused; "" if it is not */
    struct channel_request request;
    double pass_hz, stop_hz; /* edges of its filter, from the centre; 0: not known yet */
    bool cut;                /* the stream ends within its pass band */
    uint64_t samples;        /* that it has delivered */
    double level_dbfs;       /* of its newest block; -INFINITY: none, or silence */
    double noise_dbfs;       /* of noise alone in it; NAN: not known */
    bool squelch_open;       /* somebody transmits; without a squelch always */
    uint64_t transmissions;  /* of an armed one, so far */
};

#endif
