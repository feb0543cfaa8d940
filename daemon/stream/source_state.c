#include "daemon/status/status.h"

const char *radio_state_name(enum radio_state state)
{
    static const char *const names[] = {"starting", "waiting", "running",
                                        "stalled",  "ended",   "failed"};
    return (unsigned)state < sizeof names / sizeof names[0] ? names[state] : "?";
}
