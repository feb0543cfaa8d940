/*
 * metric_writer.h - writes metric families in the text format of Prometheus (version 0.0.4) or as
 * OpenMetrics 1.0 (https://openmetrics.io). Any thread.
 */
#ifndef FFTD_DAEMON_FIGURE_METRIC_WRITER_H
#define FFTD_DAEMON_FIGURE_METRIC_WRITER_H

#include <stdint.h>
#include <stdio.h>

enum metrics_format { METRICS_TEXT, METRICS_OPENMETRICS };
const char *metrics_type(enum metrics_format format); /* for Content-Type */

struct metric_writer {
    FILE *f; /* NULL: no memory */
    enum metrics_format format;
    char *text;
    size_t size;
};

/* A writer into memory: m->f. */
void metrics_open(struct metric_writer *m, enum metrics_format format);
/* Ends the text. The caller frees it; NULL: no memory. *size does not count the final NUL. */
char *metrics_close(struct metric_writer *m, size_t *size);

/* A counter, an info (a constant 1 with labels), a set of states, or a gauge. */
enum metric_kind { METRIC_COUNTER, METRIC_INFO, METRIC_STATESET, METRIC_GAUGE };

/* The head of a family; the samples follow, their names end with the suffix. */
void metric_head(const struct metric_writer *m, const char *name, enum metric_kind kind,
                 const char *help);
const char *metric_suffix(enum metric_kind kind); /* of the names of its samples */
/* A family of one sample. */
void metric_counter(const struct metric_writer *m, const char *name, const char *help,
                    uint64_t value);
void metric_gauge(const struct metric_writer *m, const char *name, const char *help, double value);
/* The value of a sample, and the end of its line. */
void metric_value(FILE *f, double value);
/* A label, escaped. before: '{' or ','. */
void metric_label(FILE *f, const char *name, const char *value, char before);

#endif
