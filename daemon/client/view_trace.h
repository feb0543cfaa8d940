/*
 * view_trace.h - traces of clients: max hold, averages and the like, over all bins of a line,
 * so that a zoomed view shows what the whole span has held. Loop thread.
 *
 * The result of a trace is a line like those of the ring, but with one detector, which views
 * render.
 */
#ifndef FFTD_DAEMON_CLIENT_VIEW_TRACE_H
#define FFTD_DAEMON_CLIENT_VIEW_TRACE_H

#include "daemon/line/trace.h"

/* Memory of the traces of all clients, in bytes. */
enum { VIEW_TRACES_BUDGET = 256 << 20 };

struct view_trace {
    struct view_trace *next;
    uint32_t id;       /* never 0 */
    unsigned detector; /* index */
    struct trace trace;
    struct line *line; /* the result; NULL: none yet, or no memory */
};

/* The traces of all clients. Zeroed: none. */
struct view_traces {
    struct view_trace *first;
    uint32_t last_id;
};

/* How the lines of a detector are combined. Zeroed: clear/write, which needs no view_trace. */
struct trace_choice {
    enum trace_function function;
    uint64_t count; /* lines of an average; 0: all */
};

struct view_trace_choice {
    unsigned detector;
    struct trace_choice trace;
    bool restart;
};

/*
 * *out: `own` (the client's trace, or NULL) if it is what the choice asks for, else a new one that
 * begins with the line `latest` (may be NULL); NULL for clear/write. The caller drops `own` if it
 * is not *out. -ENOBUFS: the budget is used up; -ENOMEM.
 */
int view_traces_choose(struct view_traces *all, struct view_trace *own,
                       const struct view_trace_choice *choice, const struct line *latest,
                       struct view_trace **out);
/*
 * Adds a line to every trace, and renews the results. If a larger FFT size needs more than the
 * budget, there are no results.
 */
void view_traces_update(struct view_traces *all, const struct line *line);
void view_traces_drop(struct view_traces *all, struct view_trace *trace); /* NULL is fine */

#endif
