/*
 * config_case.h - loads a configuration from words and from the text of a file, for the tests.
 */
#ifndef FFTD_TESTS_SUPPORT_CONFIG_CONFIG_CASE_H
#define FFTD_TESTS_SUPPORT_CONFIG_CONFIG_CASE_H

#include "daemon/config/config.h"

struct config_case {
    struct config config;
    int err;
    char error[512];
    char file[64]; /* the written file's name; "" if none */
};

/*
 * words: the command line behind the program's name, split at single spaces ("" words are kept:
 * "--token= x" has two); at most 60. file: text of a file that is given with -c first, or NULL.
 */
void config_case_load(struct config_case *k, const char *words, const char *file);
/* As above, with bytes that may hold NULs. */
void config_case_load_bytes(struct config_case *k, const char *words, const char *file,
                            size_t size);
void config_case_finish(struct config_case *k); /* removes the file */

/* Replaces the file's text, for reloads. */
void config_case_rewrite(struct config_case *k, const char *file);

/* Loads, asserts success. */
void config_case_good(struct config_case *k, const char *words, const char *file);
/*
 * Loads, asserts -EINVAL and that the one line of error is exactly `error`, where each '@'
 * stands for the written file's name. Finishes the case.
 */
void config_case_bad(const char *words, const char *file, const char *error);

/* What `print` writes, as a string to be freed. */
char *config_case_text(void (*print)(const struct config *c, FILE *out), const struct config *c);

#endif
