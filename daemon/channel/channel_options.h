/*
 * channel_options.h - options of channels: limits of their number and memory, and --channel. Plain
 * values.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_OPTIONS_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_OPTIONS_H

#include <stdint.h>

#include "daemon/channel/channel_text.h"
#include "daemon/option/option.h"

struct channel_options {
    uint32_t most;             /* at a time; 0: channels are off */
    uint64_t max_bytes;        /* of what armed channels keep from before a transmission */
    const char *text;          /* --channel; NULL: not given */
    struct channel_text asked; /* the same; derived in config/ */
};

extern const struct config_option channel_options[];

#endif
