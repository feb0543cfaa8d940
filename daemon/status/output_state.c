/* output_state.c - names the state of an output. */
#include "daemon/status/output_state.h"

#include <errno.h>

const char *output_state_name(const struct output_state *s)
{
    if (s->ended)
        return s->error < 0 && s->error != -EPIPE ? "failed" : "ended";
    return s->error < 0 ? "retrying" : s->waiting ? "waiting" : "ok";
}
