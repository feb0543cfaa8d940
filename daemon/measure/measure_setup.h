/*
 * measure_setup.h - the set-up of a measurement, checked: its type, its options, and what every
 * type has.
 *
 * The keys of every measurement: type, detector, trace, count, vbw, math, math-reference. The
 * others are the options of its type. Pure, any thread.
 */
#ifndef FFTD_DAEMON_MEASURE_MEASURE_SETUP_H
#define FFTD_DAEMON_MEASURE_MEASURE_SETUP_H

#include <jansson.h>
#include <stdio.h>

#include "daemon/config/config.h"
#include "daemon/line/reference/reference.h"
#include "daemon/measure/measure.h"
#include "daemon/option/option_family.h"

enum { MEASUREMENTS_MAX = 256 }; /* of a configuration */

struct reason;

struct measure_setup {
    struct option_text text; /* as written, with its name; owns the strings of the options */
    const struct measure_ops *ops;
    struct detector_choice detector; /* how frames become the lines that are measured */
    unsigned trace;        /* enum trace_function: how lines become the trace that is measured */
    uint64_t count;        /* lines of an average; 0: all */
    double vbw_hz;         /* of an average, in place of the count; 0: the count */
    unsigned math;         /* enum reference_math: of the trace and the reference */
    const char *reference; /* math-reference: its name; NULL: none */
    void *state;           /* of the type: its options are set */
    uint32_t owner;        /* the client that it belongs to; 0: everybody's */
};

/*
 * Checks a text that has a name. origin: the file of texts with lines, the option of others, or
 * NULL for those of clients, which may not name files; the error begins with it. Files that the
 * text names are read. -EINVAL, -ENOMEM with one line in *why.
 */
int measure_setup_create(struct measure_setup **out, const struct option_text *text,
                         const char *origin, struct reason *why);
void measure_setup_destroy(struct measure_setup *s); /* NULL is fine */
/* Whether two have the same text, and the same in the files that it names. */
bool measure_setup_same(const struct measure_setup *a, const struct measure_setup *b);

/* True: no line will ever have a value, because its detector or trace does not keep power. */
bool measure_setup_is_refused(const struct measure_setup *s, struct reason *why);

/* Memory of its trace for each bin; a percentile takes percentile_bytes on top. */
uint32_t measure_setup_bin_bytes(const struct measure_setup *s);

/*
 * Checks all measurements of a configuration; derives c->measure_detectors, measure_bin_bytes and
 * measure_percentiles.
 */
int measure_check_config(struct config *c, struct reason *why);
/* The set-up of measurement i of a checked configuration. */
int measure_setup_from_config(struct measure_setup **out, const struct config *c, size_t i,
                              struct reason *why);

/* measure_types.c: the types and their keys, for fftd list and for the manual (scdoc). */
struct option_family measure_family(void);
struct option_type measure_type(const struct measure_ops *ops);
void measure_print_types(FILE *out);
void measure_print_man(FILE *out);

#endif
