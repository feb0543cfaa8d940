/*
 * option.h - the row of an option, and what follows from it: parsing, checks, and its value as
 * text.
 *
 * A room declares the rows of its options beside its code, in a table that ends with {0}. config/
 * collects the tables: see option_table.h. Measurements, triggers and resources have rows of their
 * own. Pure, any thread.
 */
#ifndef FFTD_DAEMON_OPTION_OPTION_H
#define FFTD_DAEMON_OPTION_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/base/si.h"

/* The form of a value, and the type of its field. */
enum option_kind {
    OPTION_FLAG,    /* bool: yes, no; also true, false, on, off, 1, 0 */
    OPTION_STRING,  /* const char *; "" is stored as NULL */
    OPTION_LABEL,   /* char[] */
    OPTION_NUMBER,  /* double or float, SI suffixes and `unit` */
    OPTION_COUNT,   /* uint32_t or uint64_t, SI suffixes and `unit`: whole numbers */
    OPTION_BYTES,   /* uint64_t, suffixes k M G are powers of 1024 */
    OPTION_INDEX,   /* unsigned: position in the choices; yes and no as in a flag */
    OPTION_WINDOW,  /* struct fft_window */
    OPTION_OTHER,   /* what `form` says */
    OPTION_ASSIGN,  /* -o: sets another row; has no field */
    OPTION_MEASURE, /* --measure: adds a measurement; has no field */
    OPTION_TRIGGER, /* --trigger: adds a trigger; has no field */
};

/* How a field of another kind is read and written. */
struct option_form {
    int (*parse)(const char *text, void *field); /* 0 or -EINVAL */
    /* (optional) The text that parse reads as this value. Returns `into`. */
    const char *(*format)(const void *field, char *into, size_t size);
};

/* Where the value goes: a member of the struct that the rows are of. */
#define OPTION_FIELD(type, member)                                                                 \
    .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/* The order of the members is that of the rows.
 * NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct config_option {
    const char *section; /* in the file; NULL: only on the command line */
    const char *key;     /* in the file, and the long option's name */
    char letter;         /* short option; 0: none */
    enum option_kind kind;
    size_t offset, size;  /* OPTION_FIELD */
    const char *fallback; /* the default's text; "" = not given */
    const char *choices;  /* "a, b, c": the allowed values; NULL: any */
    const char *expected; /* the form of other values, for messages and manuals */
    enum si_unit unit;    /* of a number */
    double min, max;      /* range of a number, if max > min */
    double missing;       /* value of a number for ""; must be in the range unless fallback is "" */
    int (*check)(const char *text); /* (optional) form beyond kind and range: 0 or -EINVAL */
    const struct option_form *form; /* of OPTION_OTHER */
    bool live;                      /* SIGHUP changes it while the daemon runs */
    bool secret;                    /* never printed */
    const char *metavar, *help;     /* help: without the final full stop */
    const char *alias;              /* (optional) an earlier name of the key, which is still read */
    /* (optional) What clients call a live option, with its unit, and what people call it. Such an
     * option is a key of the settings, a field of the page, and in the status. */
    const char *api, *label;
};

/* True if the value is absent or optional on the command line. */
bool option_is_flag(const struct config_option *o);

/*
 * Writes the value into the row's field of `fields`, the struct that the row is of. 0, or -EINVAL.
 * OPTION_STRING stores `text` itself, which must outlive the fields.
 */
int option_parse(const struct config_option *o, const char *text, void *fields);
/* Whether both structs have the same value. */
bool option_is_same(const struct config_option *o, const void *a, const void *b);

/* "one of a, b", "a number from 1 to 10G": the text after "expected". Returns `into`. */
const char *option_expected(const struct config_option *o, char *into, size_t size);

/* ---- checks for rows: option_forms.c ---------------------------------------------------- */

int option_check_name(const char *text); /* letters, digits, '-', '_' and '.' */
int option_check_word(const char *text); /* the same without '.' */
int option_check_power_of_two(const char *text);
int option_check_overlap(const char *text);
int option_check_key_values(const char *text); /* KEY=VALUE,... */
/*
 * Calls check with a copy of each comma-separated item, without surrounding spaces. -EINVAL: an
 * item is empty, too long or refused.
 */
int option_each_item(const char *text, int (*check)(char *item));
/* Splits "key=value" in place. NULL: no '=', or an empty key. */
char *option_split_value(char *item);

#endif
