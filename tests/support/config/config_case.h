/*
 * config_case.h - loads a configuration from words and from the text of a file, for the tests.
 */
#ifndef FFTD_TESTS_SUPPORT_CONFIG_CONFIG_CASE_H
#define FFTD_TESTS_SUPPORT_CONFIG_CONFIG_CASE_H

#include "daemon/base/reason.h"
#include "daemon/config/config.h"

struct config_case {
    struct config config;
    int err;
    struct reason why;
    char file[64]; /* name of the written file; "": none */
};

/*
 * words: the arguments of the command line, split at single spaces, at most 60. Empty words are
 * kept. file: text of a file that is passed first, with -c; or NULL.
 */
void config_case_load(struct config_case *k, const char *words, const char *file);
/* As above, with bytes that may hold NULs. */
void config_case_load_bytes(struct config_case *k, const char *words, const char *file,
                            size_t size);
void config_case_finish(struct config_case *k); /* removes the file */

/* Replaces the text of the file, for reloads. */
void config_case_rewrite(struct config_case *k, const char *file);

/* Loads and asserts success. */
void config_case_good(struct config_case *k, const char *words, const char *file);
/*
 * Loads and asserts -EINVAL and the exact error line. Each '@' in `error` is replaced by the name
 * of the written file. Finishes the case.
 */
void config_case_bad(const char *words, const char *file, const char *error);

/* The output of `print`. The caller frees it. */
char *config_case_text(void (*print)(const struct config *c, FILE *out), const struct config *c);

#endif
