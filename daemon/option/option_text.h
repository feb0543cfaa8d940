/*
 * option_text.h - a measurement or a trigger as it was written: keys and values, not checked yet.
 *
 * It comes from a section [measure NAME] of the file, from --measure, or from a client; so do
 * triggers. The rooms measure/ and trigger/ check it (measure_setup.h, trigger_setup.h). Pure, any
 * thread.
 */
#ifndef FFTD_DAEMON_OPTION_OPTION_TEXT_H
#define FFTD_DAEMON_OPTION_OPTION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct reason;

enum { MEASURE_NAME_MAX = 40, MEASURE_KEYS_MAX = 64 };

struct measure_key {
    char *key, *value;
    int line; /* in the file; 0: elsewhere */
};

/* Zeroed: empty. */
struct measure_text {
    char *name; /* NULL: not given */
    int line;   /* of the section in the file; 0: it comes from elsewhere */
    struct measure_key keys[MEASURE_KEYS_MAX];
    size_t count;
};

/* 1 to MEASURE_NAME_MAX letters, digits, '-', '_' and '.': such names need no escapes anywhere. */
bool measure_name_is_valid(const char *name);
extern const char measure_name_expected[]; /* "letters, digits, ..." for messages */

/* -EEXIST: the key is there already; -EINVAL: control characters; -E2BIG: too many keys; -ENOMEM */
int measure_text_add(struct measure_text *t, const char *key, const char *value, int line);
const struct measure_key *measure_text_find(const struct measure_text *t, const char *key);
const char *measure_text_value(const struct measure_text *t, const char *key);    /* "": absent */
int measure_text_copy(struct measure_text *out, const struct measure_text *from); /* -ENOMEM */
bool measure_text_equal(const struct measure_text *a, const struct measure_text *b);
void measure_text_finish(struct measure_text *t);

/*
 * Reads "TYPE,KEY=VALUE,...". A piece without '=' belongs to the value before it: "offsets=5k,10k".
 * The key "name" is the name. -EINVAL (-ENOMEM) with one line in error. Finish it in any case.
 */
int measure_text_split(struct measure_text *out, const char *text, struct reason *why);
/* The same for "KEY=VALUE,...", as triggers have it; a type may be before it. */
int measure_text_split_keys(struct measure_text *out, const char *text, struct reason *why);

#endif
