/* metric_writer.c - the syntax of metrics in both formats. */
#include "daemon/figure/metric_writer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "daemon/base/text.h"

static const struct {
    const char *openmetrics, *text; /* names of the type in the two formats */
    const char *suffix;             /* of the samples */
} kinds[] = {
    [METRIC_COUNTER] = {"counter", "counter", "_total"},
    [METRIC_INFO] = {"info", "gauge", "_info"},
    [METRIC_STATESET] = {"stateset", "gauge", ""},
    [METRIC_GAUGE] = {"gauge", "gauge", ""},
};

void metrics_open(struct metric_writer *m, enum metrics_format format)
{
    *m = (struct metric_writer){.format = format};
    m->f = open_memstream(&m->text, &m->size);
}

char *metrics_close(struct metric_writer *m, size_t *size)
{
    if (m->format == METRICS_OPENMETRICS)
        fputs("# EOF\n", m->f);
    if (fclose(m->f) != 0) {
        free(m->text);
        return NULL;
    }
    *size = m->size;
    return m->text;
}

const char *metric_suffix(enum metric_kind kind)
{
    return kinds[kind].suffix;
}

/* In OpenMetrics, TYPE and HELP name the family without the suffix; in the text format with it. */
void metric_head(const struct metric_writer *m, const char *name, enum metric_kind kind,
                 const char *help)
{
    const bool text = m->format == METRICS_TEXT;
    const char *suffix = text ? kinds[kind].suffix : "";
    fprintf(m->f, "# TYPE %s%s %s\n# HELP %s%s %s\n", name, suffix,
            text ? kinds[kind].text : kinds[kind].openmetrics, name, suffix, help);
}

void metric_counter(const struct metric_writer *m, const char *name, const char *help,
                    uint64_t value)
{
    metric_head(m, name, METRIC_COUNTER, help);
    fprintf(m->f, "%s_total %llu\n", name, (unsigned long long)value);
}

void metric_value(FILE *f, double value)
{
    char number[NUMBER_TEXT];
    if (isnan(value))
        fputs(" NaN\n", f);
    else if (isinf(value))
        fprintf(f, " %cInf\n", value > 0 ? '+' : '-');
    else
        fprintf(f, " %s\n", number_text(value, number));
}

void metric_gauge(const struct metric_writer *m, const char *name, const char *help, double value)
{
    metric_head(m, name, METRIC_GAUGE, help);
    fputs(name, m->f);
    metric_value(m->f, value);
}

/* Writes a label with its value escaped. '?' replaces bytes above 127: they may not be UTF-8. */
void metric_label(FILE *f, const char *name, const char *value, char before)
{
    fprintf(f, "%c%s=\"", before, name);
    for (; *value; value++) {
        if (*value == '\n')
            fputs("\\n", f);
        else if (*value == '"' || *value == '\\')
            fprintf(f, "\\%c", *value);
        else
            fputc((unsigned char)*value < 128 ? *value : '?', f);
    }
    fputc('"', f);
}

const char *metrics_type(enum metrics_format format)
{
    return format == METRICS_TEXT ? "text/plain; version=0.0.4; charset=utf-8"
                                  : "application/openmetrics-text; version=1.0.0; charset=utf-8";
}
