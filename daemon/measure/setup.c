/* setup.c - checks the text of a measurement against the tables of its type. */
#include "daemon/measure/setup.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/near_name.h"
#include "daemon/base/reason.h"
#include "daemon/config/suggest.h"

struct fault {
    const struct measure_text *text;
    const char *origin;
    char *error;
    size_t size;
};

/* Writes "fftd.conf:7: ", "--measure voice: " or "" and the reason. Takes over `reason`. */
static int fail(const struct fault *f, int line, char *reason)
{
    if (!reason)
        return -ENOMEM;
    if (line)
        reason_set(f->error, f->size, -EINVAL, "%s:%d: %s", f->origin, line, reason);
    else if (f->origin)
        reason_set(f->error, f->size, -EINVAL, "%s %s: %s", f->origin, f->text->name, reason);
    else
        reason_set(f->error, f->size, -EINVAL, "%s", reason);
    free(reason);
    return -EINVAL;
}

static char *print_reason(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *print_reason(const char *format, ...)
{
    char *reason = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&reason, format, args) < 0)
        reason = NULL;
    va_end(args);
    return reason;
}

/* ---- types and keys --------------------------------------------------------------------- */

/* The nearest of a few names, as " (did you mean x?)". */
struct near {
    char typed[NEAR_NAME_MAX + 1];
    unsigned best;
    const char *name;
};

static bool near_begin(struct near *n, const char *typed)
{
    n->best = NEAR_NAME_FAR;
    n->name = NULL;
    return near_name_fold(typed, n->typed);
}

static void near_offer(struct near *n, const char *name)
{
    const unsigned now = near_name_distance(n->typed, name);
    if (now < n->best) {
        n->best = now;
        n->name = name;
    }
}

static int fail_type(const struct fault *f, const char *type)
{
    struct near near;
    const struct measure_key *key = measure_text_find(f->text, "type");
    char *types = measure_types();
    if (near_begin(&near, type))
        for (size_t i = 0; i < measure_count; i++)
            near_offer(&near, measure_list[i]->name);
    char *reason = !types ? NULL
                   : !key ? print_reason("type: is missing: one of %s", types)
                          : print_reason("type: unknown type '%s': one of %s%s%s%s", type, types,
                                         near.name ? " (did you mean " : "",
                                         near.name ? near.name : "", near.name ? "?)" : "");
    free(types);
    return fail(f, key ? key->line : f->text->line, reason);
}

static int fail_key(const struct fault *f, const struct measure_ops *ops,
                    const struct measure_key *key)
{
    struct near near;
    char *keys = measure_keys(ops);
    if (near_begin(&near, key->key)) {
        for (size_t i = 0; i < ops->option_count; i++)
            near_offer(&near, ops->options[i].key);
        for (size_t i = 0; i < measure_common_count; i++)
            near_offer(&near, measure_common[i].key);
    }
    char *reason =
        !keys       ? NULL
        : near.name ? print_reason("unknown key '%s' of %s: did you mean %s?", key->key, ops->name,
                                   near.name)
                    : print_reason("unknown key '%s' of %s: it has %s", key->key, ops->name, keys);
    free(keys);
    return fail(f, key->line, reason);
}

/* ---- values ----------------------------------------------------------------------------- */

static bool is_common(const struct config_option *o)
{
    return o >= measure_common && o < measure_common + measure_common_count;
}

static void *target(struct measure_setup *s, const struct config_option *o)
{
    return is_common(o) ? (void *)s : s->state;
}

static int set_defaults(struct measure_setup *s)
{
    int err = 0;
    for (size_t i = 0; err == 0 && i < measure_common_count; i++)
        err = option_parse(&measure_common[i], measure_common[i].fallback, s);
    for (size_t i = 0; err == 0 && i < s->ops->option_count; i++)
        err = option_parse(&s->ops->options[i], s->ops->options[i].fallback, s->state);
    return err;
}

static int set_value(struct measure_setup *s, const struct measure_key *key, const struct fault *f)
{
    if (strcmp(key->key, "type") == 0)
        return 0;
    const struct config_option *o = measure_option(s->ops, key->key);
    if (!o)
        return fail_key(f, s->ops, key);
    if (option_parse(o, key->value, target(s, o)) == 0)
        return 0;
    char *refusal = suggest_refusal(o, key->value);
    char *reason = refusal ? print_reason("%s: %s", key->key, refusal) : NULL;
    free(refusal);
    return fail(f, key->line, reason);
}

static int set_all(struct measure_setup *s, const struct fault *f)
{
    char why[256] = "";
    const char *type = measure_text_value(&s->text, "type");
    s->ops = measure_find(type);
    if (!s->ops)
        return fail_type(f, type);
    s->state = calloc(1, s->ops->state_bytes);
    if (!s->state)
        return -ENOMEM;
    int err = set_defaults(s);
    for (size_t i = 0; err == 0 && i < s->text.count; i++)
        err = set_value(s, &s->text.keys[i], f);
    if (err == 0 && s->ops->check && s->ops->check(s->state, why, sizeof why) < 0)
        err = fail(f, s->text.line, print_reason("%s", why));
    return err;
}

int measure_setup_create(struct measure_setup **out, const struct measure_text *text,
                         const char *origin, char *error, size_t error_size)
{
    struct measure_setup *s = calloc(1, sizeof *s);
    int err = s ? measure_text_copy(&s->text, text) : -ENOMEM;
    *out = NULL;
    if (err == 0)
        err = set_all(s, &(struct fault){&s->text, origin, error, error_size});
    if (err == -ENOMEM)
        reason_set(error, error_size, err, "no memory for a measurement");
    if (err < 0) {
        measure_setup_destroy(s);
        return err;
    }
    *out = s;
    return 0;
}

void measure_setup_destroy(struct measure_setup *s)
{
    if (!s)
        return;
    if (s->state && s->ops->finish)
        s->ops->finish(s->state);
    free(s->state);
    measure_text_finish(&s->text);
    free(s);
}

/* ---- the configuration ------------------------------------------------------------------ */

int measure_setup_from_config(struct measure_setup **out, const struct config *c, size_t i,
                              char *error, size_t error_size)
{
    const struct measure_text *text = &c->measures[i];
    return measure_setup_create(out, text, text->line ? c->file : "--measure", error, error_size);
}

int measure_check_config(struct config *c, char *error, size_t error_size)
{
    int err = 0;
    c->measure_detectors = 0;
    for (size_t i = 0; err == 0 && i < c->measure_count; i++) {
        struct measure_setup *setup;
        err = measure_setup_from_config(&setup, c, i, error, error_size);
        if (err == 0)
            c->measure_detectors |= 1U << setup->detector;
        measure_setup_destroy(setup);
    }
    return err;
}
