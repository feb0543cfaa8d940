/* channel_info.h - the request for a channel, and its state. Plain values. */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_INFO_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/channel/channel_squelch.h"
#include "daemon/option/option_text.h"

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
    CHANNEL_IDLE,    /* a named one that nobody reads: it costs nothing */
    CHANNEL_OUTSIDE, /* the radio is tuned elsewhere: silence */
    CHANNEL_REFUSED, /* this stream cannot have it */
};
const char *channel_state_name(enum channel_state state); /* "starts", "open" ... */

struct channel_info {
    uint64_t id;                    /* 1, 2, ... */
    char name[OPTION_NAME_MAX + 1]; /* "": it is the only reader's */
    char mode[8];                   /* of a named one; "": none */
    double passband_hz;             /* of the mode; 0: its own */
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

/* Of an armed channel that has a name. */
struct channel_transmission {
    char name[OPTION_NAME_MAX + 1];
    uint64_t number;               /* of the channel: 1, 2, ... */
    bool ended;                    /* else it has begun, and what is known of its end is not */
    uint64_t event;                /* for the user */
    uint32_t epoch;                /* of the positions */
    uint64_t start, end;           /* positions of the stream's samples, to the block */
    uint64_t first_sample;         /* number of that at `start` */
    int64_t time_ns;               /* Unix time of it */
    double duration_s, block_s;    /* it is known to a block */
    double center_hz, pass_hz;     /* of the channel */
    double level_dbfs, noise_dbfs; /* the highest level of a block, and the noise then */
    double stream_center_hz, stream_rate_hz;
};

#endif
