/*
 * setup.h - the set-up of a measurement, checked: its type, its options, and what every type has.
 *
 * The keys of every measurement: type, detector, trace, count. The others are the options of its
 * type. Pure, any thread.
 */
#ifndef FFTD_DAEMON_MEASURE_SETUP_H
#define FFTD_DAEMON_MEASURE_SETUP_H

#include <jansson.h>
#include <stdio.h>

#include "daemon/config/config.h"
#include "daemon/measure/measure.h"

struct measure_setup {
    struct measure_text text; /* as written, with its name; owns the strings of the options */
    const struct measure_ops *ops;
    unsigned detector; /* index: how frames become the lines that are measured */
    unsigned trace;    /* enum trace_function: how lines become the trace that is measured */
    uint64_t count;    /* lines of an average; 0: all */
    void *state;       /* of the type: its options are set */
};

/*
 * Checks a text that has a name. origin: the file of texts with lines, the option of others, or
 * NULL for those of clients; the error begins with it. -EINVAL, -ENOMEM with one line in error.
 */
int measure_setup_create(struct measure_setup **out, const struct measure_text *text,
                         const char *origin, char *error, size_t error_size);
void measure_setup_destroy(struct measure_setup *s); /* NULL is fine */

/*
 * Reads {"name": ..., "type": ..., KEY: ...}, whose values are texts as in the file, numbers or
 * booleans. -EINVAL, -ENOMEM with one line in error. Finish it in any case.
 */
int measure_text_from_json(struct measure_text *out, const json_t *object, char *error,
                           size_t error_size);

/* Checks all measurements of a configuration, and derives c->measure_detectors. */
int measure_check_config(struct config *c, char *error, size_t error_size);
/* The set-up of measurement i of a checked configuration. */
int measure_setup_from_config(struct measure_setup **out, const struct config *c, size_t i,
                              char *error, size_t error_size);

/* types.c: the types and their keys, for --list-measurements and for the manual (scdoc). */
extern const struct config_option measure_common[];
extern const size_t measure_common_count;
const struct config_option *measure_option(const struct measure_ops *ops, const char *key);
/* "a, b, c": the keys of a type; the caller frees it. NULL: no memory. */
char *measure_keys(const struct measure_ops *ops);
char *measure_types(void);
void measure_print_types(FILE *out);
void measure_print_man(FILE *out);

#endif
