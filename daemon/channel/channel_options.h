/* channel_options.h - how many channels clients may open. Plain values. */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_OPTIONS_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_OPTIONS_H

#include <stdint.h>

#include "daemon/option/option.h"

struct channel_options {
    uint32_t most; /* at a time; 0: channels are off */
};

extern const struct config_option channel_options[];

#endif
