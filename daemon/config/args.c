/* args.c - parses the command line with getopt_long, from the table of options. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/text.h"
#include "daemon/config/loader.h"

enum { LONG_BASE = 1000, OPTIONS_MAX = 100 }; /* getopt's value of a row: base + its index */

/* Called for every option of the command line; a flag without a value has "yes". */
typedef int visit_function(struct config_loader *l, const struct config_option *o,
                           const char *value);

struct spelling {
    char letters[3 + 2 * OPTIONS_MAX]; /* "+:c:..": stop at the first word, report, not print */
    struct option longs[OPTIONS_MAX + 1];
};

/* Actions take no value, other flags an optional one (--loop=no). */
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
    *at++ = '+';
    *at++ = ':';
    for (size_t i = 0; i < config_option_count && i < OPTIONS_MAX; i++) {
        const struct config_option *o = &config_options[i];
        s->longs[i] = (struct option){o->key, argument_kind(o), NULL, LONG_BASE + (int)i};
        if (!o->letter)
            continue;
        *at++ = o->letter;
        if (!option_is_flag(o))
            *at++ = ':';
    }
}

static const struct config_option *row_of(int value)
{
    if (value >= LONG_BASE)
        return &config_options[value - LONG_BASE];
    return option_find_letter((char)value);
}

/* For a word that abbreviates several options, or none. */
static int fail_unknown(struct config_loader *l, const char *word)
{
    char list[256] = "";
    int found = 0;
    const char *name = word + strspn(word, "-");
    const size_t length = strcspn(name, "=");
    for (size_t i = 0; i < config_option_count; i++) {
        if (strncmp(config_options[i].key, name, length) != 0)
            continue;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s--%s", found++ ? ", " : "",
                 config_options[i].key);
    }
    if (found && strncmp(word, "--", 2) == 0)
        return config_fail(l, "%s: ambiguous option: could be %s", word, list);
    return config_fail(l, "%s: unknown option (see --help)", word);
}

/* For a result of '?' or ':' from getopt_long. */
static int fail_option(struct config_loader *l, int code, char **argv)
{
    const struct config_option *o = optopt ? row_of(optopt) : NULL;
    char expected[256];
    if (code == ':' && o)
        return config_fail(l, "--%s: needs a value: %s", o->key,
                           option_expected(o, expected, sizeof expected));
    if (o)
        return config_fail(l, "--%s: takes no value", o->key);
    if (optopt && strncmp(argv[optind - 1], "--", 2) != 0)
        return config_fail(l, "-%c: unknown option (see --help)", optopt);
    return fail_unknown(l, argv[optind - 1]);
}

static int fail_word(struct config_loader *l, int argc, char **argv, const char *previous)
{
    if (optind >= argc)
        return 0;
    const struct config_option *o = previous ? option_find(NULL, previous) : NULL;
    if (o && option_is_flag(o))
        return config_fail(l, "%s: unexpected argument (a value of --%s is written --%s=%s)",
                           argv[optind], o->key, o->key, argv[optind]);
    struct text word = {0};
    text_add_shell_word(&word, argv[optind]);
    const int err = config_fail(l, "%s: unexpected argument: did you mean --replay %.*s?",
                                argv[optind], (int)word.length, word.data ? word.data : "");
    text_finish(&word);
    return err;
}

/* For "--csv --json x": --json is the next option, not a file name. */
static bool swallowed_option(const char *value, char **argv)
{
    return value == argv[optind - 1] && strncmp(value, "--", 2) == 0;
}

static int scan(struct config_loader *l, int argc, char **argv, visit_function *visit)
{
    struct spelling s;
    const char *previous = NULL;
    int code;
    spell(&s);
    optind = 0; /* glibc: restart */
    opterr = 0;
    while ((code = getopt_long(argc, argv, s.letters, s.longs, NULL)) != -1) {
        if (code == '?' || code == ':')
            return fail_option(l, code, argv);
        const struct config_option *o = row_of(code);
        if (optarg && swallowed_option(optarg, argv))
            return config_fail(l, "--%s: needs a value, not %s (if it is one: --%s=%s)", o->key,
                               optarg, o->key, optarg);
        const int err = visit(l, o, optarg ? optarg : "yes");
        if (err < 0)
            return err;
        previous = o->section ? o->key : NULL;
    }
    return fail_word(l, argc, argv, previous);
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
        return config_fail(l, "%s: unknown section '%s'", location, name);
    if (!o)
        return config_fail(l, "%s: unknown key '%s' in [%s]", location, dot + 1, name);
    return config_set(l, o, equals + 1, location);
}

static int visit_any(struct config_loader *l, const struct config_option *o, const char *value)
{
    char location[64];
    if (o->kind == OPTION_ASSIGN)
        return set_assignment(l, value);
    snprintf(location, sizeof location, "--%s", o->key);
    return config_set(l, o, value, location);
}

static int visit_file(struct config_loader *l, const struct config_option *o, const char *value)
{
    if (strcmp(o->key, "config") != 0)
        return 0;
    return *value ? visit_any(l, o, value) : config_fail(l, "--config: needs a value: a file name");
}

int config_find_file(struct config_loader *l, int argc, char **argv)
{
    return scan(l, argc, argv, visit_file);
}

int config_read_args(struct config_loader *l, int argc, char **argv)
{
    return scan(l, argc, argv, visit_any);
}
