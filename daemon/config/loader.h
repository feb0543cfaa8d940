/*
 * loader.h - internal to the configuration: the text of every option and its origin.
 *
 * struct config_loader carries the state of one load: the target, the origin and the error line.
 */
#ifndef FFTD_DAEMON_CONFIG_LOADER_H
#define FFTD_DAEMON_CONFIG_LOADER_H

#include "daemon/config/config.h"
#include "daemon/option/option.h"

struct reason;

/* In order of precedence. FROM_DROP_IN: a file of FILE.d, each of which wins over those before it.
 */
enum config_origin { FROM_DEFAULT, FROM_FILE, FROM_DROP_IN, FROM_ARGS };

struct option_value {
    char *text; /* "": not given; the strings of struct config point here */
    enum config_origin origin;
    char *file; /* of a drop-in; NULL: another origin */
    int line;   /* in the file */
};

struct config_text {
    struct option_value *options; /* [option_count()] */
    int argc;
    char **argv; /* a copy, NULL last: for the reload */
};

enum text_kind { TEXT_MEASURE, TEXT_TRIGGER, TEXT_CHANNEL, TEXT_KINDS };

struct config_loader {
    struct config *c;
    struct reason *why;
    enum config_origin origin; /* of what is set next */
    const char *file;          /* being read */
    int line;
    size_t texts_before[TEXT_KINDS]; /* those of earlier files, which this one replaces */
    bool failed;                     /* error is written; later errors are dropped */
};

/* Formats the error line, unless there is one already. Returns -EINVAL. */
int config_fail(struct config_loader *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

int config_fail_section(struct config_loader *l, const char *location, const char *section);
/* For a key that is not in the section; `location` starts the message. */
int config_fail_key(struct config_loader *l, const char *location, const char *section,
                    const char *key);
/* Checks and stores a value; `location` starts the message: "fftd.conf:7: rate", "--rate". */
int config_set(struct config_loader *l, const struct config_option *o, const char *text,
               const char *location);
/* Resets the option to its default, as if it was not given. */
int config_unset(struct config_loader *l, const struct config_option *o);

const struct option_value *config_option_value(const struct config *c,
                                               const struct config_option *o);
enum config_origin config_origin_of(const struct config *c, const char *key);
/* "fftd.conf:7: rate", "--rate", or "fftd cut" of a word of that command; returns `into`. */
const char *config_location(const struct config *c, const char *key, char *into, size_t size);

/*
 * option_texts.c: texts of a section or an option that may be repeated. The beginning of a file;
 * the name in the section "measure NAME" and its kind, NULL for another section; the beginning of
 * such a section; a key of the newest one; "TYPE,KEY=VALUE,..."; the names, when all are there.
 */
void config_begin_texts(struct config_loader *l);
const char *config_text_section(const char *section, enum text_kind *kind);
const char *config_text_word(enum text_kind kind, const char **a_noun); /* "measure" */
int config_begin_text(struct config_loader *l, enum text_kind kind, const char *name);
int config_set_text_key(struct config_loader *l, enum text_kind kind, const char *key,
                        const char *value);
int config_add_text(struct config_loader *l, enum text_kind kind, const char *text);
int config_name_texts(struct config_loader *l);
void config_finish_texts(struct config *c);

/* command_line.c: read only -c, or the whole command line. */
int config_find_file(struct config_loader *l, int argc, char **argv);
int config_read_args(struct config_loader *l, int argc, char **argv);
/* config_file.c: l->file. */
int config_read_file(struct config_loader *l);
/* drop_ins.c: those of c->file. */
int config_read_drop_ins(struct config_loader *l);
/* rules.c: checks and fields that depend on more than one option. */
int config_apply_rules(struct config_loader *l);
int config_exclude(struct config_loader *l);       /* exclusions.c */
int config_check_outputs(struct config_loader *l); /* output_rules.c */
/* A warning, or NULL. */
const char *config_warning(const struct config *c);
/* Whether a number on the command line lacks its unit, as -f 433.92; the hint in `into`. */
enum { CONFIG_HINT = 160 };
bool config_hint(const struct config *c, char into[CONFIG_HINT]);

/* print.c */
void config_print(const struct config *c, FILE *out);
void config_print_help(const struct config *c, FILE *out); /* c: NULL, or with a command */
void config_print_version(FILE *out); /* and which optional parts this build has */
/* The lists of commands and options of the manuals, in scdoc format. */
void config_print_man_commands(FILE *out);
void config_print_man_options(FILE *out);
void config_print_man_settings(FILE *out);

#endif
