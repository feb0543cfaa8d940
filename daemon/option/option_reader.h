/*
 * option_reader.h - reads the keys of a measurement or a trigger into its options, and reports what
 * is wrong with them. Any thread.
 */
#ifndef FFTD_DAEMON_OPTION_OPTION_READER_H
#define FFTD_DAEMON_OPTION_OPTION_READER_H

#include "daemon/option/option_family.h"
#include "daemon/option/option_text.h"

struct reason;

/* What is read, and where its faults go. */
struct option_reader {
    struct option_family family;
    const struct option_text *text;
    const char *origin; /* file of texts with lines, option of others; NULL: a client wrote it */
    struct reason *why;
};

/*
 * Writes "fftd.conf:7: ", "--measure voice: " or "" and the reason. key: of the value that is
 * wrong; "": it is not a single one. -EINVAL, -ENOMEM.
 */
int option_reader_fail(const struct option_reader *r, int line, const char *key, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));
/*
 * r->text: the first of `count` texts of a configuration. If they are more than `most`, fails at
 * the first beyond. file: origin of texts with lines; that of others is r->origin.
 */
int option_reader_check_count(const struct option_reader *r, size_t count, size_t most,
                              const char *file);
/* No type has the name `typed`. missing: what to say without the key `type`. */
int option_reader_fail_type(const struct option_reader *r, const char *typed, const char *missing);
/*
 * Sets common options in `common` and those of the type in `state`: to their fallbacks, then to
 * what the text says. Clients may not name files and URLs. 0, or as option_reader_fail().
 */
int option_reader_set(const struct option_reader *r, const struct option_type *type, void *common,
                      void *state);
/* What a type has besides its options. All optional; 0, or negative with one line in *why. */
struct option_hooks {
    int (*check)(const void *state, struct reason *why);
    int (*load)(void *state, struct reason *why); /* reads files that are named */
};
/* Calls both in this order, after the options are set. 0, or as option_reader_fail(). */
int option_reader_finish(const struct option_reader *r, const struct option_hooks *hooks,
                         void *state);

#endif
