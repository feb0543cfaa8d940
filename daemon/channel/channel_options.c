/* channel_options.c - the options of channels. */
#include "daemon/channel/channel_options.h"

#include "daemon/option/rows.h"

#define OPTION_OF struct channel_options

const struct config_option channel_options[] = {
    {"channels", "max-channels", COUNT(most, "64"), .metavar = "COUNT", RANGE(0, 4096),
     .help = "Channels that clients may have open at a time, such as by /api/v1/channel-stream; 0 "
             "refuses them"},
    {"channels", "max-pre-memory", BYTES(max_bytes, "64M"), RANGE(0, 1e12),
     .help = "Memory of all armed channels for what comes before their transmissions (pre)"},
    {NULL, "channel", STRING(text, ""), .metavar = "KEY=VALUE,...",
     .expected = "KEY=VALUE,... as in center=433.92M,rate=250k,format=cu8",
     .help =
         "Write the samples of a channel to standard output, or to output=FILE: center and rate "
         "are needed; width of the flat part, format (cf32, cs16, cs8, cu8) and gain (dB, or "
         "auto) are as for /api/v1/channel-stream. A replay waits for the reader"},
    {0}};
