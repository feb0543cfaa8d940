/* command_line.c - parses the command line with getopt_long, from the table of options. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/config/commands.h"
#include "daemon/config/loader.h"
#include "daemon/config/option_table.h"
#include "daemon/config/suggest.h"

enum { LONG_BASE = 1000, OPTIONS_MAX = 200 }; /* getopt's value of a row: base + its index */

/* Called for every option of the command line; a flag without a value has "yes". */
typedef int visit_function(struct config_loader *l, const struct config_option *o,
                           const char *value);

struct spelling {
    char letters[3 + 2 * OPTIONS_MAX]; /* "-:c:..": words in their order; report, do not print */
    struct option longs[OPTIONS_MAX + 1];
};

/* Actions take no value, other flags an optional one (--loop=no, or --loop no). */
static int argument_kind(const struct config_option *o)
{
    if (!option_is_flag(o))
        return required_argument;
    return o->section ? optional_argument : no_argument;
}

static void spell(struct spelling *s)
{
    char *at = s->letters;
    memset(s, 0, sizeof *s);
    *at++ = '-';
    *at++ = ':';
    struct option *next = s->longs;
    for (size_t i = 0; i < option_count() && next < s->longs + OPTIONS_MAX - 1; i++) {
        const struct config_option *o = option_at(i);
        *next++ = (struct option){o->key, argument_kind(o), NULL, LONG_BASE + (int)i};
        if (o->alias)
            *next++ = (struct option){o->alias, argument_kind(o), NULL, LONG_BASE + (int)i};
        if (!o->letter)
            continue;
        *at++ = o->letter;
        if (!option_is_flag(o))
            *at++ = ':';
    }
}

/* What the words before the current one were. */
struct words {
    const struct config_option *previous; /* NULL: not a setting */
    const char *recording;                /* NULL: none yet */
    const struct command *command;        /* NULL: none */
    unsigned command_words;               /* after it */
};

static const struct config_option *row_of(int value)
{
    if (value >= LONG_BASE)
        return option_at((size_t)(value - LONG_BASE));
    return option_find_letter((char)value);
}

/* For a word that abbreviates several options, or none. */
static int fail_unknown(struct config_loader *l, const char *word)
{
    char list[256] = "";
    int found = 0;
    const char *name = word + strspn(word, "-");
    const size_t length = strcspn(name, "=");
    for (size_t i = 0; i < option_count(); i++) {
        if (strncmp(option_at(i)->key, name, length) != 0)
            continue;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s--%s", found++ ? ", " : "", option_at(i)->key);
    }
    const char *place = suggest_other_place(name);
    if (place)
        return config_fail(l, "%s: there is no such option: %s", word, place);
    if (found && strncmp(word, "--", 2) == 0)
        return config_fail(l, "%s: ambiguous option: could be %s", word, list);
    const char *near = suggest_option(NULL, name);
    if (near)
        return config_fail(l, "%s: unknown option: did you mean --%s?", word, near);
    return config_fail(l, "%s: unknown option (see --help)", word);
}

static int fail_letter(struct config_loader *l, char letter, const char *word)
{
    char near[32];
    if (suggest_is_name(word + 1))
        return config_fail(l, "%s: unknown option: did you mean --%s?", word,
                           suggest_option(NULL, word + 1));
    if (suggest_letter(letter, near, sizeof near))
        return config_fail(l, "-%c: unknown option: did you mean %s?", letter, near);
    return config_fail(l, "-%c: unknown option (see --help)", letter);
}

/* "" leaves a setting of the file at its default, but a command has none. */
static int fail_empty(struct config_loader *l, const struct config_option *o)
{
    char expected[256];
    return config_fail(l, "--%s: needs a value: %s", o->key,
                       option_expected(o, expected, sizeof expected));
}

/* For a result of '?' or ':' from getopt_long. */
static int fail_option(struct config_loader *l, int code, char **argv)
{
    const struct config_option *o = optopt ? row_of(optopt) : NULL;
    if (code == ':' && o)
        return fail_empty(l, o);
    if (o)
        return config_fail(l, "--%s: takes no value", o->key);
    if (optopt && strncmp(argv[optind - 1], "--", 2) != 0)
        return fail_letter(l, (char)optopt, argv[optind - 1]);
    return fail_unknown(l, argv[optind - 1]);
}

/* True for "no" after --loop, which is read as --loop=no. */
static bool is_flag_value(const struct config_option *flag, const char *word)
{
    bool value;
    const struct config_option any = {.kind = OPTION_FLAG, .fallback = "no"};
    return flag && option_is_flag(flag) && option_parse(&any, word, &value) == 0;
}

/*
 * For a word that is no file: "calibrate" is the beginning of --calibrate-level and others,
 * "verify" the name of an option. Writes "--a, --b" and returns true if there are any.
 */
static bool names_options(const char *word, char *list, size_t size)
{
    const size_t length = strlen(word);
    list[0] = '\0';
    for (size_t i = 0; i < option_count(); i++) {
        const char *key = option_at(i)->key;
        const size_t used = strlen(list);
        if (strncmp(key, word, length) == 0 && (key[length] == '\0' || key[length] == '-'))
            snprintf(list + used, size - used, "%s--%s", used ? ", " : "", key);
    }
    return list[0] && access(word, F_OK) != 0;
}

/* ---- commands --------------------------------------------------------------------------- */

static int fail_usage(struct config_loader *l, const struct command *c, const char *what)
{
    return config_fail(l, "fftd %s%s%s: expected fftd %s%s%s", c->name, *what ? ": " : "", what,
                       c->name, *c->usage ? " " : "", c->usage);
}

/* KEY or KEY=VALUE. */
static int visit_pair(struct config_loader *l, const char *word, const struct command *c,
                      visit_function *visit)
{
    char key[64];
    const size_t length = strcspn(word, "=");
    const bool has_value = word[length] == '=';
    snprintf(key, sizeof key, "%s%.*s", c->prefix, (int)length, word);
    const struct config_option *o = option_find(NULL, key);
    if (!o || option_is_flag(o) == has_value)
        return fail_usage(l, c, word);
    return visit(l, o, has_value ? word + length + 1 : "yes");
}

/* The word after help. */
static int visit_command_name(struct config_loader *l, const char *word, struct words *seen)
{
    const struct command *named = command_find(word);
    const char *near = command_near(word);
    if (seen->command_words > 1)
        return fail_usage(l, seen->command, word);
    if (named) {
        l->c->command = named;
        return 0;
    }
    return near ? config_fail(l, "fftd %s %s: there is no such command: did you mean %s?",
                              seen->command->name, word, near)
                : config_fail(l, "fftd %s %s: there is no such command", seen->command->name, word);
}

static int visit_command_word(struct config_loader *l, const char *word, struct words *seen,
                              visit_function *visit)
{
    const struct command *c = seen->command;
    const unsigned at = seen->command_words++;
    seen->previous = NULL;
    if (c->names_command)
        return visit_command_name(l, word, seen);
    if (c->prefix)
        return visit_pair(l, word, c, visit);
    if (at >= COMMAND_WORDS || !c->word[at])
        return fail_usage(l, c, word);
    return visit(l, option_find(NULL, c->word[at]), word);
}

/* Its flag, and whether it has all of its words. */
static int end_command(struct config_loader *l, const struct words *seen, visit_function *visit)
{
    const struct command *c = seen->command;
    const unsigned at = seen->command_words;
    if (!c)
        return 0;
    if (c->prefix ? at == 0 : at < COMMAND_WORDS && c->word[at])
        return fail_usage(l, c, "");
    return c->flag ? visit(l, option_find(NULL, c->flag), "yes") : 0;
}

/* ---- words and options ------------------------------------------------------------------ */

/* For a word that is no file, but is near a command. */
static int fail_command(struct config_loader *l, const char *word)
{
    const char *near = access(word, F_OK) == 0 ? NULL : command_near(word);
    if (!near)
        return 0;
    return strcmp(near, word) == 0
               ? config_fail(l, "%s: the command is the first word: fftd %s ...", word, near)
               : config_fail(l, "%s: there is no such recording: did you mean fftd %s?", word,
                             near);
}

/* True for a word without a dot or slash that is no file either. */
static bool could_be_command(const char *word)
{
    return !word[strspn(word, "abcdefghijklmnopqrstuvwxyz-")] && word[1] && access(word, F_OK) != 0;
}

/* A word that belongs to no option is the recording, once. `previous` is the option before it. */
static int visit_word(struct config_loader *l, const char *word, struct words *seen,
                      visit_function *visit)
{
    const struct config_option *o = seen->previous, *replay = option_find("source", "replay");
    char options[256];
    if (is_flag_value(o, word)) {
        seen->previous = NULL;
        return visit(l, o, word);
    }
    if (!*word)
        return config_fail(l, "'': empty argument");
    if (seen->command)
        return visit_command_word(l, word, seen, visit);
    if (fail_command(l, word) < 0)
        return -EINVAL;
    if (names_options(word, options, sizeof options))
        return config_fail(l, "%s: there is no such recording: did you mean %s?", word, options);
    if (could_be_command(word))
        return config_fail(l, "%s: there is no such recording or command (see fftd help)", word);
    if (seen->recording)
        return config_fail(l, "%s: unexpected argument: the recording is already %s", word,
                           seen->recording);
    seen->recording = word;
    seen->previous = NULL;
    return visit(l, replay, word);
}

/* For "--csv --json x": --json is the next option, not a file name. */
static bool swallowed_option(const char *value, char **argv)
{
    return value == argv[optind - 1] && strncmp(value, "--", 2) == 0;
}

/* True for "-rate": getopt reads -r with the value "ate". */
static bool is_long_with_one_dash(int code, char **argv)
{
    const char *word = argv[optind - 1];
    return code < LONG_BASE && optarg == word + 2 && suggest_is_name(word + 1);
}

static int visit_option(struct config_loader *l, int code, char **argv, struct words *seen,
                        visit_function *visit)
{
    const struct config_option *o = row_of(code);
    if (optarg && is_long_with_one_dash(code, argv))
        return fail_letter(l, (char)code, argv[optind - 1]);
    if (optarg && swallowed_option(optarg, argv))
        return config_fail(l, "--%s: needs a value, not %s (if it is one: --%s=%s)", o->key, optarg,
                           o->key, optarg);
    if (strcmp(o->key, "replay") == 0)
        seen->recording = optarg;
    if (strcmp(o->key, "help") == 0)
        seen->command = NULL; /* which needs no words then */
    seen->previous = o->section && !optarg ? o : NULL;
    return visit(l, o, optarg ? optarg : "yes");
}

static int scan(struct config_loader *l, int argc, char **argv, visit_function *visit)
{
    struct spelling s;
    struct words seen = {.command = argc > 1 ? command_find(argv[1]) : NULL};
    int code, err = 0;
    if (seen.command) { /* in place of the program's name */
        argc--;
        argv++;
    }
    l->c->command = seen.command;
    spell(&s);
    optind = 0; /* glibc: restart */
    opterr = 0;
    while (err == 0 && (code = getopt_long(argc, argv, s.letters, s.longs, NULL)) != -1) {
        if (code == '?' || code == ':')
            return fail_option(l, code, argv);
        if (code == 1)
            err = visit_word(l, optarg, &seen, visit);
        else
            err = visit_option(l, code, argv, &seen, visit);
    }
    seen.previous = NULL;
    while (err == 0 && optind < argc) /* after "--" */
        err = visit_word(l, argv[optind++], &seen, visit);
    return err < 0 ? err : end_command(l, &seen, visit);
}

/* -o section.key=value */
static int set_assignment(struct config_loader *l, const char *text)
{
    char name[128], location[160];
    const char *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : 0;
    if (length == 0 || length >= sizeof name)
        return config_fail(l, "-o %s: expected SECTION.KEY=VALUE", text);
    memcpy(name, text, length);
    name[length] = '\0';
    snprintf(location, sizeof location, "-o %s", name);
    char *dot = strchr(name, '.');
    if (!dot)
        return config_fail(l, "-o %s: expected SECTION.KEY=VALUE", text);
    *dot = '\0';
    const struct config_option *o = option_find(name, dot + 1);
    if (!o && !option_is_section(name))
        return config_fail_section(l, location, name);
    if (!o)
        return config_fail_key(l, location, name, dot + 1);
    return config_set(l, o, equals + 1, location);
}

static int visit_any(struct config_loader *l, const struct config_option *o, const char *value)
{
    char location[64];
    if (!o->section && !*value)
        return fail_empty(l, o);
    if (o->kind == OPTION_ASSIGN)
        return set_assignment(l, value);
    if (o->kind == OPTION_MEASURE)
        return config_add_text(l, TEXT_MEASURE, value);
    if (o->kind == OPTION_TRIGGER)
        return config_add_text(l, TEXT_TRIGGER, value);
    snprintf(location, sizeof location, "--%s", o->key);
    return config_set(l, o, value, location);
}

static int visit_file(struct config_loader *l, const struct config_option *o, const char *value)
{
    if (strcmp(o->key, "config") != 0)
        return 0;
    return visit_any(l, o, value);
}

int config_find_file(struct config_loader *l, int argc, char **argv)
{
    return scan(l, argc, argv, visit_file);
}

int config_read_args(struct config_loader *l, int argc, char **argv)
{
    return scan(l, argc, argv, visit_any);
}
