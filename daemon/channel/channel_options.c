/* channel_options.c - the options of channels. */
#include "daemon/channel/channel_options.h"

#include "daemon/option/rows.h"

#define OPTION_OF struct channel_options

const struct config_option channel_options[] = {
    {"channels", "max-channels", COUNT(most, "64"), .metavar = "COUNT", RANGE(0, 4096),
     .help = "Channels that clients may have open at a time, such as by /api/v1/channel-stream; 0 "
             "refuses them"},
    {0}};
