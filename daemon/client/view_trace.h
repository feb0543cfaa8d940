/*
 * view_trace.h - the trace of one client: max hold, averages and the like, over all bins of a line,
 * so that a zoomed view shows what the whole span has held. Loop thread.
 *
 * Its result is a line like those of the ring, but with one detector, which views render.
 */
#ifndef FFTD_DAEMON_CLIENT_VIEW_TRACE_H
#define FFTD_DAEMON_CLIENT_VIEW_TRACE_H

#include "daemon/line/trace.h"

/* Memory of the traces of all clients, in bytes. */
enum { VIEW_TRACES_BUDGET = 256 << 20 };

struct view_trace {
    struct view_trace *next; /* the feed's list */
    uint32_t id;             /* never 0 */
    unsigned detector;       /* index */
    struct trace trace;
    struct line *line; /* the result; NULL: none yet, or no memory */
};

/* What a view asks for. Zeroed: clear/write, which needs no view_trace. */
struct trace_choice {
    enum trace_function function;
    uint64_t count; /* lines of an average; 0: all */
};

/* Bytes for lines of n bins. */
size_t view_trace_bytes(uint32_t n);
/* Adds a line to the trace, and renews its result. Without memory there is no result. */
void view_trace_update(struct view_trace *t, const struct line *line);
void view_trace_finish(struct view_trace *t); /* zeroed is fine */

#endif
