/*
 * view_trace.h - traces of clients: max hold, averages and the like, over all bins of a line,
 * so that a zoomed view has the traces of the whole span. Loop thread.
 *
 * The result of a trace is a line like those of the ring, but with one detector, which views
 * render. A percentile is taken from the density of each line, then lines become a trace, then the
 * trace is computed against a reference. Where that is not possible, there is a reason instead.
 */
#ifndef FFTD_DAEMON_CLIENT_VIEW_TRACE_H
#define FFTD_DAEMON_CLIENT_VIEW_TRACE_H

#include "daemon/line/percentile.h"
#include "daemon/line/reference/reference_store.h"
#include "daemon/line/trace.h"

/* Memory of the traces of all clients, in bytes. */
enum { VIEW_TRACES_BUDGET = 256 << 20 };

struct view_trace {
    struct view_trace *next;
    uint32_t id;       /* never 0 */
    unsigned detector; /* index */
    double percent;    /* 0: no percentile */
    enum reference_math math;
    char reference[REFERENCE_NAME];
    struct trace trace;
    struct percentile percentile;  /* of the newest line */
    struct line *line;             /* the result; NULL: none yet, or there is a reason */
    char reason[REFERENCE_REASON]; /* why there is no result; "": there is, or no line yet */
    double vbw_hz;                 /* that the trace settles at; NAN: not known */
    uint64_t first_line;           /* of the trace, which may have restarted; 0 before it */
    uint32_t changes;              /* counts changes of reason, VBW and first line */
};

/* The traces of all clients. Zeroed: none. */
struct view_traces {
    struct reference_store *references; /* NULL: there are none */
    struct view_trace *first;
    uint32_t last_id;
};

/* How the lines of a detector are combined. Zeroed: clear/write, which needs no view_trace. */
struct trace_choice {
    enum trace_function function;
    uint64_t count; /* lines of an average; 0: all */
    double vbw_hz;  /* of an average, in place of the count; 0: the count */
};

struct view_trace_choice {
    unsigned detector;
    double percent;
    struct trace_choice trace;
    enum reference_math math;
    const char *reference;
    bool restart;
};

/*
 * *out: `own` (the client's trace, or NULL) if it is what the choice asks for, else a new one that
 * begins with the line `latest` (may be NULL); NULL for a plain line of a detector. The caller
 * drops `own` if it is not *out. -ENOBUFS: the budget is used up; -ENOMEM.
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

/*
 * The newest line alone, as a line of one detector: its percentile, computed against a reference
 * (NULL: none). Any thread. -ENODATA: it has no density; -ERANGE, with one line in reason.
 */
int view_line_create(struct line **out, const struct line *line,
                     const struct view_trace_choice *choice, const struct reference *reference,
                     struct reason *why);

#endif
