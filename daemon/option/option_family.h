/*
 * option_family.h - options in families: common options and options of each type, as
 * for measurements and triggers. Finds keys and lists them for people. Pure, any thread.
 */
#ifndef FFTD_DAEMON_OPTION_OPTION_FAMILY_H
#define FFTD_DAEMON_OPTION_OPTION_FAMILY_H

#include <stdio.h>

#include "daemon/option/option.h"

struct option_type {
    const char *name, *about; /* "channel-power"; about: one sentence */
    const struct config_option *options;
    size_t option_count;
};

struct option_family {
    const char *member, *every;         /* "measurement", "type": as lists and the manual say */
    const struct config_option *common; /* options of every member */
    size_t common_count;
    size_t type_count;
    struct option_type (*type)(size_t i);
};

/* The option of a type, or a common one. NULL: none. */
const struct config_option *option_family_find(const struct option_family *f,
                                               const struct option_type *type, const char *key);
/* "file" or "URL": a place that the option names, which clients may not. NULL: it names none. */
const char *option_place(const struct config_option *o);
/* "a, b, c": keys of a type, names of the types. The caller frees it. NULL: no memory. */
char *option_family_keys(const struct option_family *f, const struct option_type *type);
char *option_family_types(const struct option_family *f);
/* All types with their keys, in columns for a terminal, and as scdoc for the manual. */
void option_family_print(const struct option_family *f, FILE *out);
void option_family_print_man(const struct option_family *f, FILE *out);

#endif
