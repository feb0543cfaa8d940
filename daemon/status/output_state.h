/* output_state.h - how an output fares, for the status and the metrics. */
#ifndef FFTD_DAEMON_STATUS_OUTPUT_STATE_H
#define FFTD_DAEMON_STATUS_OUTPUT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/figure/figure.h"

struct output_state {
    const char
        *name; /* "csv", "json", "measure", "events", "channel"; NULL: there is no such output */
    bool ended;
    bool waiting; /* a FIFO has no reader yet */
    /*
     * -errno: why the output ended before the lines did, or, while it has not ended, why rows
     * cannot be written now. -EPIPE: the reader left.
     */
    int error;
    uint64_t rows, folded, missed; /* folded: lines in another line's row; missed: in no row */
    uint64_t dropped;              /* lines in no row because the file could not be written */
};
extern const struct figure output_figures[]; /* of the JSON and the metrics, beside its state */

/* "ok", "waiting", "retrying", "ended" or "failed" */
const char *output_state_name(const struct output_state *s);

#endif
