/*
 * option_texts.c - collects the measurements and triggers of file and command line, and names those
 * without a name.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/config/loader.h"

enum { TEXTS_MAX = 4096 };

static const struct kind {
    const char *word, *a_noun, *nouns; /* [word NAME], --word */
} kinds[TEXT_KINDS] = {[TEXT_MEASURE] = {"measure", "a measurement", "measurements"},
                       [TEXT_TRIGGER] = {"trigger", "a trigger", "triggers"},
                       [TEXT_CHANNEL] = {"channel", "a channel", "channels"}};

struct list {
    struct option_text **texts;
    size_t *count;
};

static struct list list_of(struct config *c, enum text_kind kind)
{
    return kind == TEXT_MEASURE   ? (struct list){&c->measures, &c->measure_count}
           : kind == TEXT_TRIGGER ? (struct list){&c->triggers, &c->trigger_count}
                                  : (struct list){&c->channel_texts, &c->channel_count};
}

/* A zeroed one at the end of the list; NULL: the error is written, or no memory. */
static struct option_text *append(struct config_loader *l, enum text_kind kind,
                                  const char *location, int *err)
{
    const struct list list = list_of(l->c, kind);
    *err = 0;
    if (*list.count == TEXTS_MAX) {
        *err = config_fail(l, "%s: more than %d %s", location, TEXTS_MAX, kinds[kind].nouns);
        return NULL;
    }
    struct option_text *grown = realloc(*list.texts, (*list.count + 1) * sizeof *grown);
    if (!grown) {
        *err = -ENOMEM;
        return NULL;
    }
    *list.texts = grown;
    struct option_text *added = &grown[(*list.count)++];
    *added = (struct option_text){0};
    return added;
}

static struct option_text *find(const struct list *list, const char *name, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if ((*list->texts)[i].name && strcmp((*list->texts)[i].name, name) == 0)
            return &(*list->texts)[i];
    return NULL;
}

static const char *name_after(const char *section, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(section, word, length) != 0 || !strchr(" \t", section[length]))
        return NULL;
    return section[length] ? section + length + strspn(section + length, " \t") : NULL;
}

const char *config_text_section(const char *section, enum text_kind *kind)
{
    const char *name = NULL;
    for (int i = 0; !name && i < TEXT_KINDS; i++) {
        name = name_after(section, kinds[i].word);
        *kind = (enum text_kind)i;
    }
    return name;
}

const char *config_text_word(enum text_kind kind, const char **a_noun)
{
    *a_noun = kinds[kind].a_noun;
    return kinds[kind].word;
}

static void remove_at(const struct list *list, size_t i)
{
    struct option_text *texts = *list->texts;
    option_text_finish(&texts[i]);
    --*list->count;
    memmove(&texts[i], &texts[i + 1], (*list->count - i) * sizeof *texts);
    texts[*list->count] = (struct option_text){0};
}

void config_begin_texts(struct config_loader *l)
{
    for (int kind = 0; kind < TEXT_KINDS; kind++)
        l->texts_before[kind] = *list_of(l->c, (enum text_kind)kind).count;
}

/* A section of a later file replaces that of an earlier one. */
static void replace_text(struct config_loader *l, enum text_kind kind, const char *name)
{
    const struct list list = list_of(l->c, kind);
    const struct option_text *earlier = find(&list, name, l->texts_before[kind]);
    if (!earlier)
        return;
    remove_at(&list, (size_t)(earlier - *list.texts));
    l->texts_before[kind]--;
}

int config_begin_text(struct config_loader *l, enum text_kind kind, const char *name)
{
    char location[512];
    const struct list list = list_of(l->c, kind);
    int err;
    snprintf(location, sizeof location, "%s:%d", l->file, l->line);
    if (!option_name_is_valid(name))
        return config_fail(l, "%s: '%s' is no name of %s: expected %s", location, name,
                           kinds[kind].a_noun, option_name_expected);
    replace_text(l, kind, name);
    const struct option_text *other = find(&list, name, *list.count);
    if (other)
        return config_fail(l, "%s: [%s %s] is already in line %d", location, kinds[kind].word, name,
                           other->line);
    struct option_text *added = append(l, kind, location, &err);
    if (!added)
        return err;
    added->line = l->line;
    added->name = strdup(name);
    if (l->origin == FROM_DROP_IN)
        added->file = strdup(l->file);
    return added->name && (added->file || l->origin != FROM_DROP_IN) ? 0 : -ENOMEM;
}

int config_set_text_key(struct config_loader *l, enum text_kind kind, const char *key,
                        const char *value)
{
    const struct list list = list_of(l->c, kind);
    struct option_text *m = &(*list.texts)[*list.count - 1];
    if (strcmp(key, "name") == 0)
        return config_fail(l, "%s:%d: name: the name is in the title [%s %s]", l->file, l->line,
                           kinds[kind].word, m->name);
    const int err = option_text_add(m, key, value, l->line);
    if (err == -EEXIST)
        return config_fail(l, "%s:%d: %s: is already set in line %d", l->file, l->line, key,
                           option_text_find(m, key)->line);
    if (err == -EINVAL)
        return config_fail(l, "%s:%d: %s: control character in '%s'", l->file, l->line, key, value);
    return err == -E2BIG
               ? config_fail(l, "%s:%d: more than %d keys", l->file, l->line, OPTION_KEYS_MAX)
               : err;
}

int config_add_text(struct config_loader *l, enum text_kind kind, const char *text)
{
    int err;
    struct reason why = {0};
    char option[16];
    snprintf(option, sizeof option, "--%s", kinds[kind].word);
    struct option_text *added = append(l, kind, option, &err);
    if (!added)
        return err;
    err = kind == TEXT_MEASURE ? option_text_split(added, text, &why)
                               : option_text_split_keys(added, text, &why);
    return err == -EINVAL ? config_fail(l, "%s %s: %s", option, text, why.sentence) : err;
}

/* One of the command line replaces that of the file with the same name. */
static int check_name(struct config_loader *l, enum text_kind kind, size_t *i)
{
    const struct list list = list_of(l->c, kind);
    const struct option_text *m = &(*list.texts)[*i];
    if (m->line || !m->name)
        return 0;
    if (!option_name_is_valid(m->name))
        return config_fail(l, "--%s: name: bad value '%s': expected %s", kinds[kind].word, m->name,
                           option_name_expected);
    const struct option_text *other = find(&list, m->name, *i);
    if (other && !other->line)
        return config_fail(l, "--%s: two %s have the name %s", kinds[kind].word, kinds[kind].nouns,
                           m->name);
    if (other) {
        remove_at(&list, (size_t)(other - *list.texts));
        --*i;
    }
    return 0;
}

/* The type, or else the key that stands for it. */
static const char *type_of(const struct option_text *m)
{
    const char *type = option_text_value(m, "type");
    return *type || m->count == 0 ? type : m->keys[0].key;
}

/* "channel-power", "channel-power-2", ... */
static int give_name(const struct list *list, const char *word, struct option_text *m)
{
    char name[2 * OPTION_NAME_MAX];
    const char *type = type_of(m);
    const bool fits = option_name_is_valid(type) && strlen(type) + 5 <= OPTION_NAME_MAX;
    for (unsigned i = 1; i <= TEXTS_MAX + 1; i++) {
        if (i == 1)
            snprintf(name, sizeof name, "%s", fits ? type : word);
        else
            snprintf(name, sizeof name, "%s-%u", fits ? type : word, i);
        if (!find(list, name, *list->count))
            break;
    }
    m->name = strdup(name);
    return m->name ? 0 : -ENOMEM;
}

static int name_all(struct config_loader *l, enum text_kind kind)
{
    const struct list list = list_of(l->c, kind);
    int err = 0;
    for (size_t i = 0; err == 0 && i < *list.count; i++)
        err = check_name(l, kind, &i);
    for (size_t i = 0; err == 0 && i < *list.count; i++) {
        struct option_text *m = &(*list.texts)[i];
        err = m->name ? 0 : give_name(&list, kinds[kind].word, m);
    }
    return err;
}

int config_name_texts(struct config_loader *l)
{
    int err = 0;
    for (int kind = 0; err == 0 && kind < TEXT_KINDS; kind++)
        err = name_all(l, (enum text_kind)kind);
    return err;
}

void config_finish_texts(struct config *c)
{
    for (int kind = 0; kind < TEXT_KINDS; kind++) {
        const struct list list = list_of(c, (enum text_kind)kind);
        for (size_t i = 0; i < *list.count; i++)
            option_text_finish(&(*list.texts)[i]);
        free(*list.texts);
        *list.texts = NULL;
        *list.count = 0;
    }
}
