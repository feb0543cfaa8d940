/* output_state.c - names the state of an output. */
#include "daemon/status/output_state.h"

#include <errno.h>

const struct figure output_figures[] = {
    FIGURE_COUNTER(struct output_state, rows, "rows", "fftd_output_rows",
                   "Rows made for an output."),
    FIGURE_KEY(struct output_state, folded, "folded"),
    FIGURE_KEY(struct output_state, missed, "missed"),
    FIGURE_COUNTER(struct output_state, dropped, "dropped", "fftd_output_dropped_lines",
                   "Lines dropped because the output could not be written."),
    FIGURE_END,
};

const char *output_state_name(const struct output_state *s)
{
    if (s->ended)
        return s->error < 0 && s->error != -EPIPE ? "failed" : "ended";
    return s->error < 0 ? "retrying" : s->waiting ? "waiting" : "ok";
}
