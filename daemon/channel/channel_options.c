/* channel_options.c - the options of channels. */
#include "daemon/channel/channel_options.h"

#include "daemon/option/rows.h"

#define OPTION_OF struct channel_options

const struct config_option channel_options[] = {
    {"channels", "max-channels", COUNT(most, "64"), .metavar = "COUNT", RANGE(0, 4096),
     .help = "Maximum number of channels that clients have open at a time "
             "(/api/v1/channel-stream); 0 turns channels off"},
    {"channels", "max-pre-memory", BYTES(max_bytes, "64M"), RANGE(0x1p20, 0x1p40),
     .help = "Memory for the samples before transmissions (pre), for all armed channels together"},
    {NULL, "channel", STRING(text, ""), .metavar = "KEY=VALUE,...",
     .expected = "KEY=VALUE,... as in center=433.92M,rate=250k,format=cu8",
     .help =
         "Write the samples of a channel to standard output, or to output=FILE. Required: center, "
         "rate. Optional, as in /api/v1/channel-stream: width, format (cf32, cs16, cs8, cu8), gain "
         "(dB, or auto). A replay waits for the reader"},
    {0}};
