/* reload.c - merges the options that changed in the file, if they can change while running. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/config/loader.h"
#include "daemon/config/option_table.h"
#include "daemon/system/named_file.h"

static void add_name(char *list, size_t size, const char *name)
{
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

static bool is_setting(const struct config_option *o)
{
    const size_t first = offsetof(struct config, settings);
    return o->offset >= first && o->offset < first + sizeof(struct settings);
}

/*
 * Live rows are plain values inside struct settings, whose text no thread points to, and the
 * options of calibration and the files of spurs and band plans, which the loop thread alone reads.
 */
static void merge(const struct config_option *o, struct config *now, struct config *fresh,
                  struct settings *settings)
{
    memcpy((char *)now + o->offset, (const char *)fresh + o->offset, o->size);
    if (is_setting(o))
        memcpy((char *)settings + o->offset - offsetof(struct config, settings),
               (const char *)fresh + o->offset, o->size);
    struct option_value *old = &now->text->options[option_index(o)];
    struct option_value *new = &fresh->text->options[option_index(o)];
    const struct option_value swap = *old;
    *old = *new;
    *new = swap;
}

/* A list of texts: the measurements, the triggers or the channels. */
struct texts {
    struct option_text **text;
    size_t *count;
};

static const struct option_text *find_text(const struct texts *t, const char *name)
{
    for (size_t i = 0; i < *t->count; i++)
        if (strcmp((*t->text)[i].name, name) == 0)
            return &(*t->text)[i];
    return NULL;
}

/* Names the texts of `a` that `b` lacks, or, with `compare`, has otherwise. */
static bool name_texts(const struct texts *a, const struct texts *b, bool compare, const char *word,
                       struct config_changes *changes)
{
    char name[sizeof "measure " + OPTION_NAME_MAX];
    bool any = false;
    for (size_t i = 0; i < *a->count; i++) {
        const struct option_text *m = &(*a->text)[i], *other = find_text(b, m->name);
        if (other && (!compare || option_text_equal(m, other)))
            continue;
        snprintf(name, sizeof name, "%s %s", word, m->name);
        add_name(changes->applied, sizeof changes->applied, name);
        any = true;
    }
    return any;
}

/* Swaps the lists. True: they differ. */
static bool merge_texts(const struct texts *now, const struct texts *fresh, const char *word,
                        struct config_changes *changes)
{
    struct option_text *const old = *now->text;
    const size_t old_count = *now->count;
    const bool other = name_texts(fresh, now, true, word, changes);
    const bool fewer = name_texts(now, fresh, false, word, changes);
    *now->text = *fresh->text;
    *now->count = *fresh->count;
    *fresh->text = old;
    *fresh->count = old_count;
    return other || fewer;
}

static void merge_lists(struct config *now, struct config *fresh, struct config_changes *changes)
{
    changes->measures =
        merge_texts(&(struct texts){&now->measures, &now->measure_count},
                    &(struct texts){&fresh->measures, &fresh->measure_count}, "measure", changes);
    changes->triggers =
        merge_texts(&(struct texts){&now->triggers, &now->trigger_count},
                    &(struct texts){&fresh->triggers, &fresh->trigger_count}, "trigger", changes);
    changes->channels = merge_texts(&(struct texts){&now->channel_texts, &now->channel_count},
                                    &(struct texts){&fresh->channel_texts, &fresh->channel_count},
                                    "channel", changes);
}

int config_reload(struct config *now, struct settings *settings, struct config_changes *changes,
                  config_check_function *check, struct reason *why)
{
    struct config fresh;
    memset(changes, 0, sizeof *changes);
    if (now->file && named_file_is_pipe(now->file))
        return reason_set(why, -ESPIPE, "%s: a pipe is read once, at the start: the settings stay",
                          now->file);
    int err = config_load(&fresh, now->text->argc, now->text->argv, why);
    if (err == 0 && check)
        err = check(&fresh, why);
    for (size_t i = 0; err == 0 && i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        if (!o->section || option_is_same(o, now, &fresh))
            continue;
        if (o->live)
            merge(o, now, &fresh, settings);
        add_name(o->live ? changes->applied : changes->restart, sizeof changes->applied, o->key);
    }
    if (err == 0)
        merge_lists(now, &fresh, changes);
    config_finish(&fresh);
    return err;
}
