/* measuring.h - one measurement at work: its state and its trace. The measure thread only. */
#ifndef FFTD_DAEMON_MEASURE_MEASURING_H
#define FFTD_DAEMON_MEASURE_MEASURING_H

#include "daemon/measure/report.h"

struct measuring {
    struct measure_setup *setup; /* owned */
    struct trace trace;
};

/* Consecutive samples that it needs of this line: 0 for most. */
size_t measuring_iq_samples(const struct measuring *m, const struct line *line);

struct measuring_line {
    const struct line *line;
    const struct fft_iq *iq;
    size_t iq_count; /* from the line's first sample on; 0: none */
    struct measure_result *scratch;
};

/* Adds a line to the trace, measures it, and fills the report. */
void measuring_update(struct measuring *m, const struct measuring_line *in,
                      struct measure_report *out);
void measuring_finish(struct measuring *m);

#endif
