/* loader.c - loads the configuration: defaults, file, command line, rules. */
#include "daemon/config/loader.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/log.h"
#include "daemon/base/one_line.h"
#include "daemon/base/reason.h"
#include "daemon/config/completion.h"
#include "daemon/config/option_table.h"
#include "daemon/config/suggest.h"
#include "daemon/option/option_refusal.h"

int config_fail(struct config_loader *l, const char *format, ...)
{
    const bool first = !l->failed;
    l->failed = true;
    if (!first || !l->why)
        return -EINVAL;
    va_list args;
    va_start(args, format);
    reason_set_args(l->why, -EINVAL, format, args);
    va_end(args);
    return -EINVAL;
}

static int fail_value(struct config_loader *l, const struct config_option *o, const char *text,
                      const char *location)
{
    char *refusal = option_refusal(o, text);
    const int err = refusal ? config_fail(l, "%s: %s", location, refusal) : -ENOMEM;
    free(refusal);
    return err;
}

int config_fail_section(struct config_loader *l, const char *location, const char *section)
{
    const char *near = suggest_section(section), *a_noun;
    for (int i = 0; i < TEXT_KINDS; i++) {
        const char *word = config_text_word((enum text_kind)i, &a_noun);
        if (strncasecmp(section, word, strlen(word)) == 0)
            return config_fail(l, "%s: unknown section [%s]: %s is [%s NAME]", location, section,
                               a_noun, word);
    }
    if (near)
        return config_fail(l, "%s: unknown section [%s]: did you mean [%s]?", location, section,
                           near);
    return config_fail(l, "%s: unknown section [%s]", location, section);
}

int config_fail_key(struct config_loader *l, const char *location, const char *section,
                    const char *key)
{
    const struct config_option *other = option_find(NULL, key);
    const char *near = suggest_option(section, key);
    if (other && other->section)
        return config_fail(l, "%s: unknown key '%s' in [%s]: it belongs to [%s]", location, key,
                           section, other->section);
    if (near)
        return config_fail(l, "%s: unknown key '%s' in [%s]: did you mean %.*s?", location, key,
                           section, (int)strcspn(near, " "), near);
    return config_fail(l, "%s: unknown key '%s' in [%s]", location, key, section);
}

static struct option_value *text_of(struct config *c, const struct config_option *o)
{
    return &c->text->options[option_index(o)];
}

int config_set(struct config_loader *l, const struct config_option *o, const char *text,
               const char *location)
{
    if (!is_one_line(text))
        return config_fail(l, "%s: control character in '%s'", location, text);
    char *copy = strdup(text);
    if (!copy)
        return -ENOMEM;
    if (option_parse(o, copy, l->c)) {
        free(copy);
        return fail_value(l, o, text, location);
    }
    char *file = l->origin == FROM_DROP_IN ? strdup(l->file) : NULL;
    struct option_value *s = text_of(l->c, o);
    free(s->text);
    free(s->file);
    *s = (struct option_value){.text = copy, .origin = l->origin, .file = file, .line = l->line};
    return l->origin == FROM_DROP_IN && !file ? -ENOMEM : 0;
}

int config_unset(struct config_loader *l, const struct config_option *o)
{
    const enum config_origin origin = l->origin;
    l->origin = FROM_DEFAULT;
    const int err = config_set(l, o, o->fallback, o->key);
    l->origin = origin;
    return err;
}

const struct option_value *config_option_value(const struct config *c,
                                               const struct config_option *o)
{
    return &c->text->options[option_index(o)];
}

enum config_origin config_origin_of(const struct config *c, const char *key)
{
    return config_option_value(c, option_find(NULL, key))->origin;
}

bool config_given(const struct config *c, const char *key)
{
    const struct config_option *o = option_find(NULL, key);
    const struct option_value *s = config_option_value(c, o);
    if (s->origin == FROM_DEFAULT || !*s->text)
        return false;
    if (o->kind == OPTION_FLAG)
        return *(const bool *)((const char *)c + o->offset);
    if (o->kind == OPTION_NUMBER && isnan(o->missing)) /* 0 is a value like others */
        return true;
    return strcmp(s->text, "0") != 0;
}

const char *config_location(const struct config *c, const char *key, char *into, size_t size)
{
    const struct config_option *o = option_find(NULL, key);
    const struct option_value *s = config_option_value(c, o);
    if (s->origin == FROM_FILE || s->origin == FROM_DROP_IN)
        snprintf(into, size, "%s:%d: %s", s->file ? s->file : c->file, s->line, key);
    else if (c->command && command_sets(c->command, o))
        snprintf(into, size, "fftd %s", c->command->name);
    else
        snprintf(into, size, "--%s", key);
    return into;
}

/* A reload reads the command line again, from this copy. */
static int copy_args(struct config_text *text, int argc, char **argv)
{
    text->argv = calloc((size_t)argc + 1, sizeof *text->argv);
    if (!text->argv)
        return -ENOMEM;
    for (; text->argc < argc; text->argc++) {
        text->argv[text->argc] = strdup(argv[text->argc]);
        if (!text->argv[text->argc])
            return -ENOMEM;
    }
    return 0;
}

static int create_text(struct config *c, int argc, char **argv)
{
    c->text = calloc(1, sizeof *c->text);
    if (!c->text)
        return -ENOMEM;
    c->text->options = calloc(option_count(), sizeof *c->text->options);
    return c->text->options ? copy_args(c->text, argc, argv) : -ENOMEM;
}

static int set_defaults(struct config_loader *l)
{
    for (size_t i = 0; i < option_count(); i++) {
        const int err = config_unset(l, option_at(i));
        if (err < 0)
            return err;
    }
    return 0;
}

static int load(struct config_loader *l, int argc, char **argv)
{
    int err = create_text(l->c, argc, argv);
    if (err == 0)
        err = set_defaults(l);
    if (err == 0)
        err = config_find_file(l, argc, argv);
    l->file = l->c->file;
    l->origin = FROM_FILE;
    if (err == 0 && l->file)
        err = config_read_file(l);
    if (err == 0 && l->file)
        err = config_read_drop_ins(l);
    l->origin = FROM_ARGS;
    l->line = 0;
    if (err == 0)
        err = config_read_args(l, argc, argv);
    if (err == 0)
        err = config_name_texts(l);
    return err < 0 ? err : config_apply_rules(l);
}

int config_load(struct config *c, int argc, char **argv, struct reason *why)
{
    memset(c, 0, sizeof *c);
    if (why)
        *why = (struct reason){0};
    struct config_loader l = {.c = c, .why = why};
    const int err = load(&l, argc, argv);
    if (err == -ENOMEM)
        config_fail(&l, "no memory for the configuration");
    return err;
}

void config_warn(const struct config *c)
{
    const char *warning = config_warning(c);
    char hint[CONFIG_HINT];
    if (warning)
        log_warn("%s", warning);
    if (config_hint(c, hint))
        log_warn("%s", hint);
}

void config_finish(struct config *c)
{
    if (!c->text)
        return;
    for (size_t i = 0; c->text->options && i < option_count(); i++) {
        free(c->text->options[i].text);
        free(c->text->options[i].file);
    }
    for (int i = 0; i < c->text->argc; i++)
        free(c->text->argv[i]);
    config_finish_texts(c);
    free(c->text->options);
    free(c->text->argv);
    free(c->text);
    memset(c, 0, sizeof *c);
}

bool config_action(const struct config *c, FILE *out)
{
    if (c->help)
        config_print_help(c, out);
    else if (c->version)
        config_print_version(out);
    else if (c->completion)
        completion_print(c->completion, out);
    else if (c->print_config)
        config_print(c, out);
    else
        return false;
    return true;
}

struct fft_engine_config config_engine(const struct config *c)
{
    return (struct fft_engine_config){.name = c->engine.name,
                                      .threads = c->engine.threads,
                                      .isa = c->engine.isa,
                                      .options = c->engine.options};
}

const char *config_state_dir(const struct config *c)
{
    static char first[PATH_MAX];
    const char *of_service = getenv("STATE_DIRECTORY");
    if (c->server.state_dir || !of_service || !*of_service)
        return c->server.state_dir;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(of_service, ":"), of_service);
    return first;
}
