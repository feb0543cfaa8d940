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

enum { OPTION_NAME_MAX = 40, OPTION_KEYS_MAX = 64 };

struct option_pair {
    char *key, *value;
    int line; /* in the file; 0: elsewhere */
};

/* Zeroed: empty. */
struct option_text {
    char *name; /* NULL: not given */
    char *file; /* that has the section, if it is not that of -c; NULL */
    int line;   /* of the section in the file; 0: it comes from elsewhere */
    struct option_pair keys[OPTION_KEYS_MAX];
    size_t count;
};

/* 1 to OPTION_NAME_MAX letters, digits, '-', '_' and '.': such names need no escapes anywhere. */
bool option_name_is_valid(const char *name);
extern const char option_name_expected[]; /* "letters, digits, ..." for messages */

/* -EEXIST: the key is there already; -EINVAL: control characters; -E2BIG: too many keys; -ENOMEM */
int option_text_add(struct option_text *t, const char *key, const char *value, int line);
const struct option_pair *option_text_find(const struct option_text *t, const char *key);
const char *option_text_value(const struct option_text *t, const char *key);   /* "": absent */
int option_text_copy(struct option_text *out, const struct option_text *from); /* -ENOMEM */
/* Where it was written, for messages: its file, `file` (that of -c), or `option` of the command
 * line. */
const char *option_text_origin(const struct option_text *t, const char *file, const char *option);
bool option_text_equal(const struct option_text *a, const struct option_text *b);
void option_text_finish(struct option_text *t);

/*
 * Reads "TYPE,KEY=VALUE,...". A piece without '=' belongs to the value before it: "offsets=5k,10k".
 * The key "name" is the name. -EINVAL (-ENOMEM) with one line in *why. Finish it in any case.
 */
int option_text_split(struct option_text *out, const char *text, struct reason *why);
/* The same for "KEY=VALUE,...", as triggers have it; a type may be before it. */
int option_text_split_keys(struct option_text *out, const char *text, struct reason *why);

#endif
