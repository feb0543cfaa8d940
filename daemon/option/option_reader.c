/* option_reader.c - reads the keys of a measurement or a trigger into its options. */
#include "daemon/option/option_reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/near_name.h"
#include "daemon/base/reason.h"
#include "daemon/option/option_refusal.h"

int option_reader_fail(const struct option_reader *r, int line, const char *key, const char *format,
                       ...)
{
    char *reason = NULL;
    va_list args;
    va_start(args, format);
    const int length = vasprintf(&reason, format, args);
    va_end(args);
    if (length < 0)
        return -ENOMEM;
    if (line)
        reason_key(r->why, -EINVAL, key, "%s:%d: %s", r->origin, line, reason);
    else if (r->origin)
        reason_key(r->why, -EINVAL, key, "%s %s: %s", r->origin, r->text->name, reason);
    else
        reason_key(r->why, -EINVAL, key, "%s", reason);
    free(reason);
    return -EINVAL;
}

int option_reader_check_count(const struct option_reader *r, size_t count, size_t most,
                              const char *file)
{
    if (count <= most)
        return 0;
    struct option_reader beyond = *r;
    beyond.text += most;
    if (beyond.text->line)
        beyond.origin = option_text_origin(beyond.text, file, NULL);
    return option_reader_fail(&beyond, beyond.text->line, "", "there are at most %zu %ss", most,
                              r->family.member);
}

/* ---- names that are near ---------------------------------------------------------------- */

static void near_offer_keys(struct near_name *n, const struct config_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        near_name_offer(n, options[i].key);
}

int option_reader_fail_type(const struct option_reader *r, const char *typed, const char *missing)
{
    const struct option_pair *key = option_text_find(r->text, "type");
    char hint[NEAR_NAME_MAX + 32] = "";
    struct near_name near = near_name_begin(typed);
    for (size_t i = 0; i < r->family.type_count; i++)
        near_name_offer(&near, r->family.type(i).name);
    if (near.name)
        snprintf(hint, sizeof hint, " (did you mean %s?)", near.name);
    char *types = option_family_types(&r->family);
    const int err =
        !types ? -ENOMEM
        : key
            ? option_reader_fail(r, key->line, "type", "type: unknown type '%s': one of %s%s",
                                 typed, types, hint)
            : option_reader_fail(r, r->text->line, "type", "%s: one of %s%s", missing, types, hint);
    free(types);
    return err;
}

static int fail_key(const struct option_reader *r, const struct option_type *type,
                    const struct option_pair *key)
{
    struct near_name near = near_name_begin(key->key);
    near_offer_keys(&near, type->options, type->option_count);
    near_offer_keys(&near, r->family.common, r->family.common_count);
    if (near.name)
        return option_reader_fail(r, key->line, key->key,
                                  "unknown key '%s' of %s: did you mean %s?", key->key, type->name,
                                  near.name);
    char *keys = option_family_keys(&r->family, type);
    const int err =
        keys ? option_reader_fail(r, key->line, key->key, "unknown key '%s' of %s: it has %s",
                                  key->key, type->name, keys)
             : -ENOMEM;
    free(keys);
    return err;
}

/* ---- values ----------------------------------------------------------------------------- */

static int set_fallbacks(const struct config_option *options, size_t count, void *into)
{
    int err = 0;
    for (size_t i = 0; err == 0 && i < count; i++)
        err = option_parse(&options[i], options[i].fallback, into);
    return err;
}

/* False: a key that the whole family has. */
static bool is_own(const struct option_type *type, const struct config_option *o)
{
    return type->option_count > 0 && o >= type->options && o < type->options + type->option_count;
}

static int set_value(const struct option_reader *r, const struct option_type *type,
                     const struct option_pair *key, void *common, void *state)
{
    const struct config_option *o = option_family_find(&r->family, type, key->key);
    if (!o)
        return fail_key(r, type, key);
    if (option_place(o) && !r->origin)
        return option_reader_fail(r, 0, key->key, "%s: only the configuration may name a %s",
                                  key->key, option_place(o));
    if (option_parse(o, key->value, is_own(type, o) ? state : common) == 0)
        return 0;
    char *refusal = option_refusal(o, key->value);
    const int err =
        refusal ? option_reader_fail(r, key->line, key->key, "%s: %s", key->key, refusal) : -ENOMEM;
    free(refusal);
    return err;
}

int option_reader_set(const struct option_reader *r, const struct option_type *type, void *common,
                      void *state)
{
    int err = set_fallbacks(r->family.common, r->family.common_count, common);
    if (err == 0)
        err = set_fallbacks(type->options, type->option_count, state);
    for (size_t i = 0; err == 0 && i < r->text->count; i++)
        if (strcmp(r->text->keys[i].key, "type") != 0)
            err = set_value(r, type, &r->text->keys[i], common, state);
    return err;
}

int option_reader_finish(const struct option_reader *r, const struct option_hooks *hooks,
                         void *state)
{
    struct reason why = {0};
    if ((hooks->check && hooks->check(state, &why) < 0) ||
        (hooks->load && hooks->load(state, &why) < 0))
        return option_reader_fail(r, r->text->line, why.key, "%s", why.sentence);
    return 0;
}
