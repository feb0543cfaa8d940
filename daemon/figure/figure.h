/*
 * figure.h - a figure of a part of fftd: a row of a table beside its struct, from which its key in
 * JSON and its metric follow (figure_report.h).
 *
 *     const struct figure figures[] = {
 *         FIGURE_COUNTER(struct store, rows, "rows", "fftd_store_rows", "Rows written."),
 *         FIGURE_GAUGE(struct store, bytes, "bytes", "fftd_store_bytes", "Its size."),
 *         FIGURE_KEY(struct store, failure, "failure"),
 *         FIGURE_END};
 *
 * A member is a bool, a double, an array of char, or an unsigned integer of 32 or 64 bits. The
 * metric of a text is 1 while it is not empty. Order is that of the rows, in both forms.
 */
#ifndef FFTD_DAEMON_FIGURE_FIGURE_H
#define FFTD_DAEMON_FIGURE_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/figure/metric_writer.h"

enum figure_kind { FIGURE_COUNT, FIGURE_FLAG, FIGURE_NUMBER, FIGURE_TEXT, FIGURE_TIME };

struct figure {
    const char *key;                    /* in JSON; NULL: it is a metric alone */
    const char *metric;                 /* its family; NULL: it is in JSON alone */
    const char *help;                   /* of the metric: one sentence */
    enum metric_kind type;              /* METRIC_COUNTER or METRIC_GAUGE */
    enum figure_kind kind;              /* of the member */
    size_t at, size;                    /* of the member, within the struct */
    unsigned parts;                     /* of an array of counts: its elements. 0: no array */
    const char *label;                  /* then: of the metric */
    const char *(*name)(unsigned part); /* then: the key in JSON, and the label's value */
};

#define FIGURE_KIND_OF(value)                                                                      \
    _Generic((value), bool: FIGURE_FLAG, double: FIGURE_NUMBER, char *: FIGURE_TEXT,               \
             default: FIGURE_COUNT)
#define FIGURE_ROW(s, member, json, family, words, form)                                           \
    {                                                                                              \
        .key = (json), .metric = (family), .help = (words), .type = (form),                        \
        .kind = FIGURE_KIND_OF(((s *)NULL)->member), .at = offsetof(s, member),                    \
        .size = sizeof((s *)NULL)->member                                                          \
    }
#define FIGURE_COUNTER(s, member, key, metric, help)                                               \
    FIGURE_ROW(s, member, key, metric, help, METRIC_COUNTER)
#define FIGURE_GAUGE(s, member, key, metric, help)                                                 \
    FIGURE_ROW(s, member, key, metric, help, METRIC_GAUGE)
#define FIGURE_KEY(s, member, key) FIGURE_ROW(s, member, key, NULL, NULL, METRIC_GAUGE)
/* A Unix time in ns, int64_t, as ISO 8601; "": 0. JSON alone. */
#define FIGURE_ISO(s, member, json)                                                                \
    {                                                                                              \
        .key = (json), .kind = FIGURE_TIME, .at = offsetof(s, member), .size = sizeof(int64_t)     \
    }
/* Counters in an array of uint64_t, one for each cause or kind: an object, and a label. */
#define FIGURE_EACH(s, member, json, family, words, label_name, name_of)                           \
    {                                                                                              \
        .key = (json), .metric = (family), .help = (words), .type = METRIC_COUNTER,                \
        .at = offsetof(s, member), .size = sizeof(uint64_t),                                       \
        .parts = sizeof((s *)NULL)->member / sizeof(uint64_t), .label = (label_name),              \
        .name = (name_of)                                                                          \
    }
#define FIGURE_END                                                                                 \
    {                                                                                              \
        .kind = FIGURE_COUNT                                                                       \
    }

#endif
