/* source_state.c - names of the states of a source, as JSON and metrics show them. */
#include "daemon/stream/source_state.h"

const char *source_state_name(enum source_state state)
{
    static const char *const names[] = {"starting", "waiting", "running",
                                        "stalled",  "ended",   "failed"};
    return (unsigned)state < sizeof names / sizeof names[0] ? names[state] : "?";
}
