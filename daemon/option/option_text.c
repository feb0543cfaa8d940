/* option_text.c - splits the text of a measurement into keys and values, and keeps them. */
#include "daemon/option/option_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/one_line.h"
#include "daemon/base/reason.h"

const char option_name_expected[] = "1 to 40 letters, digits, '-', '_' and '.'";

bool option_name_is_valid(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && length <= OPTION_NAME_MAX &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
               length &&
           strcmp(name, ".") != 0 && strcmp(name, "..") != 0; /* parts of a path, in a URL */
}

const struct option_pair *option_text_find(const struct option_text *t, const char *key)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->keys[i].key, key) == 0)
            return &t->keys[i];
    return NULL;
}

const char *option_text_value(const struct option_text *t, const char *key)
{
    const struct option_pair *k = option_text_find(t, key);
    return k ? k->value : "";
}

int option_text_add(struct option_text *t, const char *key, const char *value, int line)
{
    if (option_text_find(t, key))
        return -EEXIST;
    if (!is_one_line(key) || !is_one_line(value))
        return -EINVAL;
    if (t->count == OPTION_KEYS_MAX)
        return -E2BIG;
    struct option_pair *k = &t->keys[t->count];
    *k = (struct option_pair){strdup(key), strdup(value), line};
    if (k->key && k->value) {
        t->count++;
        return 0;
    }
    free(k->key);
    free(k->value);
    return -ENOMEM;
}

int option_text_copy(struct option_text *out, const struct option_text *from)
{
    *out = (struct option_text){.line = from->line};
    int err = 0;
    if (from->name && !(out->name = strdup(from->name)))
        err = -ENOMEM;
    if (from->file && !(out->file = strdup(from->file)))
        err = -ENOMEM;
    for (size_t i = 0; err == 0 && i < from->count; i++)
        err = option_text_add(out, from->keys[i].key, from->keys[i].value, from->keys[i].line);
    if (err < 0)
        option_text_finish(out);
    return err;
}

const char *option_text_origin(const struct option_text *t, const char *file, const char *option)
{
    if (!t->line)
        return option;
    return t->file ? t->file : file;
}

bool option_text_equal(const struct option_text *a, const struct option_text *b)
{
    if (strcmp(a->name ? a->name : "", b->name ? b->name : "") != 0 || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!option_text_find(b, a->keys[i].key) ||
            strcmp(option_text_value(b, a->keys[i].key), a->keys[i].value) != 0)
            return false;
    return true;
}

void option_text_finish(struct option_text *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->keys[i].key);
        free(t->keys[i].value);
    }
    free(t->name);
    free(t->file);
    *t = (struct option_text){0};
}

/* ---- "TYPE,KEY=VALUE,..." --------------------------------------------------------------- */

/* The end of a value: before a comma that another KEY= follows, or the end of the text. */
static const char *value_end(const char *at)
{
    for (;;) {
        const char *end = at + strcspn(at, ",");
        if (!*end || end[1 + strcspn(end + 1, ",=")] == '=')
            return end;
        at = end + 1;
    }
}

static int add_pair(struct option_text *out, const char *key, const char *value, struct reason *why)
{
    if (!*key)
        return reason_set(why, -EINVAL, "expected KEY=VALUE, not '=%s'", value);
    if (strcmp(key, "name") == 0 && !out->name) {
        out->name = strdup(value);
        return out->name ? 0 : -ENOMEM;
    }
    const int err = strcmp(key, "name") == 0 ? -EEXIST : option_text_add(out, key, value, 0);
    if (err == -EEXIST)
        return reason_set(why, -EINVAL, "%s: is given twice", key);
    if (err == -EINVAL)
        return reason_set(why, err, "control character in a key or value");
    if (err == -E2BIG)
        return reason_set(why, -EINVAL, "more than %d keys", OPTION_KEYS_MAX);
    return err;
}

/* Adds the pair at the start of `copy`, which it cuts there. Returns the rest; NULL: an error. */
static char *take_pair(struct option_text *out, char *copy, int *err, struct reason *why)
{
    char *equals = copy + strcspn(copy, ",=");
    if (*equals != '=') {
        *equals = '\0';
        *err = reason_set(why, -EINVAL, "expected KEY=VALUE, not '%s'", copy);
        return NULL;
    }
    char *end = equals + 1 + (value_end(equals + 1) - (equals + 1));
    char *rest = *end ? end + 1 : end;
    *equals = *end = '\0';
    *err = add_pair(out, copy, equals + 1, why);
    return *err < 0 ? NULL : rest;
}

/* Adds the pairs in `at`, which it cuts. */
static int add_pairs(struct option_text *out, char *at, struct reason *why)
{
    int err = 0;
    while (err == 0 && *at)
        at = take_pair(out, at, &err, why);
    return err;
}

/* Reads the type in front of the first comma and the pairs after it from `copy`, which it cuts. */
static int split_typed(struct option_text *out, char *copy, struct reason *why)
{
    char *comma = copy + strcspn(copy, ",");
    char *at = *comma ? comma + 1 : comma;
    const bool dangling = *comma && !*at;
    *comma = '\0';
    int err =
        strchr(copy, '=') || !*copy
            ? reason_set(why, -EINVAL, "expected TYPE,KEY=VALUE,... as in channel-power,width=25k")
            : add_pair(out, "type", copy, why);
    if (err == 0 && dangling)
        err = reason_set(why, -EINVAL, "expected KEY=VALUE after the comma");
    return err < 0 ? err : add_pairs(out, at, why);
}

int option_text_split(struct option_text *out, const char *text, struct reason *why)
{
    *out = (struct option_text){0};
    char *copy = strdup(text);
    const int err = copy ? split_typed(out, copy, why) : -ENOMEM;
    free(copy);
    return err;
}

int option_text_split_keys(struct option_text *out, const char *text, struct reason *why)
{
    *out = (struct option_text){0};
    char *copy = strdup(text);
    if (!copy)
        return -ENOMEM;
    const bool typed = copy[strcspn(copy, ",=")] != '=';
    int err;
    if (!*copy)
        err = reason_set(why, -EINVAL, "expected KEY=VALUE,... as in level=-20,for=1ms");
    else if (typed)
        err = split_typed(out, copy, why);
    else if (copy[strlen(copy) - 1] == ',')
        err = reason_set(why, -EINVAL, "expected KEY=VALUE after the comma");
    else
        err = add_pairs(out, copy, why);
    free(copy);
    return err;
}
