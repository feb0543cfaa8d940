/* measuring.h - one measurement at work: its state and its trace. The measure thread only. */
#ifndef FFTD_DAEMON_MEASURE_MEASURING_H
#define FFTD_DAEMON_MEASURE_MEASURING_H

#include "daemon/line/percentile.h"
#include "daemon/line/reference/reference_store.h"
#include "daemon/measure/report.h"

struct measuring {
    struct measure_setup *setup; /* owned */
    struct trace trace;
    struct percentile percentile; /* of the newest line, if its detector is one */
    float *computed;              /* [n] the trace after math; NULL: none yet */
    uint32_t n;
    char reference[REFERENCE_NAME]; /* to store its trace as, with the next line; "": none */
    bool changed;                   /* its set-up is not measured yet */
    bool has_line;                  /* the trace contains the line `line` */
    uint64_t line;
};

enum { OWN_IQ_MAX = 1 << 18 }; /* samples of a line for a measurement that a client owns */

/* Takes over the set-up. The trace goes on if the new one asks for the same. */
void measuring_replace(struct measuring *m, struct measure_setup *setup);
/* Memory for lines of this size, at most, but for what the type itself keeps of spectra. */
size_t measuring_bytes(const struct measuring *m, const struct line *line);
/* Consecutive samples that it needs of this line: 0 for most. */
size_t measuring_iq_samples(const struct measuring *m, const struct line *line);

struct measuring_line {
    const struct line *line;
    const struct band_rules *rules;
    const struct calibration_radio *radio;
    const struct fft_iq *iq;
    size_t iq_count; /* from the line's first sample on; 0: none */
    struct measure_result *scratch;
    struct reference_store *references; /* NULL: none */
};

/* Adds a line to the trace, measures it, and fills the report. */
void measuring_update(struct measuring *m, const struct measuring_line *in,
                      struct measure_report *out);
/* Frees the trace, and fills the report with this reason. */
void measuring_refuse(struct measuring *m, const char *reason, struct measure_report *out);
/* After a line: stores the trace as a reference, if that is asked for. */
void measuring_store_trace(struct measuring *m, const struct line *line,
                           struct reference_store *store);
void measuring_finish(struct measuring *m);

#endif
