/* active_measurement.h - a measurement that runs: its state and its trace. The measure thread only.
 */
#ifndef FFTD_DAEMON_MEASURE_ACTIVE_MEASUREMENT_H
#define FFTD_DAEMON_MEASURE_ACTIVE_MEASUREMENT_H

#include "daemon/line/percentile.h"
#include "daemon/line/reference/reference_store.h"
#include "daemon/measure/report.h"

struct active_measurement {
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

/* Takes over the set-up. The trace continues if the new set-up has the same trace. */
void active_measurement_replace(struct active_measurement *m, struct measure_setup *setup);
/* The largest memory for lines of this size, without spectra that the type itself keeps. */
size_t active_measurement_bytes(const struct active_measurement *m, const struct line *line);
/* Consecutive samples that it needs of this line: 0 for most. */
size_t active_measurement_iq_samples(const struct active_measurement *m, const struct line *line);

struct active_measurement_line {
    const struct line *line;
    const struct band_rules *rules;
    const struct calibration_radio *radio;
    const struct fft_iq *iq;
    size_t iq_count; /* from the line's first sample on; 0: none */
    struct measure_result *scratch;
    struct reference_store *references; /* NULL: none */
};

/* Adds a line to the trace, measures it, and fills the report. */
void active_measurement_update(struct active_measurement *m,
                               const struct active_measurement_line *in,
                               struct measure_report *out);
/* Frees the trace, and fills the report with this reason. */
void active_measurement_refuse(struct active_measurement *m, const char *reason,
                               struct measure_report *out);
/* After a line: stores the trace as a reference, if that is asked for. */
void active_measurement_store_trace(struct active_measurement *m, const struct line *line,
                                    struct reference_store *store);
void active_measurement_finish(struct active_measurement *m);

#endif
