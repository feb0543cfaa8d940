/*
 * options.h - the table of options, and the parsers of their values.
 *
 * A row defines a key of the file, a long option, and a field of struct config. The table drives
 * parsing, checks, --help, --print-config, config/fftd.conf and the man pages. Pure, any thread.
 */
#ifndef FFTD_DAEMON_CONFIG_OPTIONS_H
#define FFTD_DAEMON_CONFIG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/base/si.h"

/* The form of a value, and the type of its field. */
enum option_kind {
    OPTION_FLAG,     /* bool: yes, no; also true, false, on, off, 1, 0 */
    OPTION_STRING,   /* const char *; "" is stored as NULL */
    OPTION_LABEL,    /* char[] */
    OPTION_NUMBER,   /* double or float, SI suffixes and `unit` */
    OPTION_COUNT,    /* uint32_t or uint64_t, SI suffixes and `unit`: whole numbers */
    OPTION_BYTES,    /* uint64_t, suffixes k M G are powers of 1024 */
    OPTION_INDEX,    /* unsigned: position in the choices; yes and no as in a flag */
    OPTION_WINDOW,   /* struct fft_window */
    OPTION_DETECTOR, /* struct detector_choice: one of the choices, or another percentile */
    OPTION_SPAN,     /* struct span: LOW:HIGH; "" = none */
    OPTION_ASSIGN,   /* -o: sets another row; has no field */
    OPTION_MEASURE,  /* --measure: adds a measurement; has no field */
    OPTION_TRIGGER,  /* --trigger: adds a trigger; has no field */
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
    bool live;                      /* SIGHUP changes it while the daemon runs */
    bool secret;                    /* never printed */
    const char *metavar, *help;     /* help: without the final full stop */
    const char *alias;              /* (optional) an earlier name of the key, which is still read */
};

extern const struct config_option config_options[];
extern const size_t config_option_count;

/* NULL: no such row. With section NULL, searches by key alone. */
const struct config_option *option_find(const char *section, const char *key);
const struct config_option *option_find_letter(char letter);
bool option_is_section(const char *name);
size_t option_index(const struct config_option *o);

/* True if the value is absent or optional on the command line. */
bool option_is_flag(const struct config_option *o);

/*
 * Writes the value into the row's field of `config` (struct config). 0, or -EINVAL. OPTION_STRING
 * stores `text` itself: it must outlive the config.
 */
int option_parse(const struct config_option *o, const char *text, void *config);

/* "one of a, b", "a number from 1 to 10G": the text after "expected". Returns `into`. */
const char *option_expected(const struct config_option *o, char *into, size_t size);

/* Checks of the form of a value, for the table: option_forms.c. */
int option_check_gain(const char *text);
int option_check_listen(const char *text);
int option_check_mode(const char *text);
int option_check_name(const char *text);
int option_check_engine(const char *text);
int option_check_overlap(const char *text);
int option_check_power_of_two(const char *text);
int option_check_key_values(const char *text);
int option_check_origins(const char *text);
int option_check_hosts(const char *text);
int option_check_box(const char *text);
int option_check_nats(const char *text);
int option_check_geolocation(const char *text);
int option_check_word(const char *text);          /* of a NATS subject */
int option_check_archive_tiers(const char *text); /* archive_tiers.c */

#endif
