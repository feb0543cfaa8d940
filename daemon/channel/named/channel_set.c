/* channel_set.c - a list of set-ups and their channels. */
#include "daemon/channel/named/channel_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"

struct entry {
    struct channel_setup *setup;
    struct channel *channel;
    struct option_text
        file;        /* what the configuration had last; a client may have changed it since */
    bool configured; /* it comes from the configuration, which may remove it */
};

struct channel_set {
    struct channel_set_config config;
    const struct channel_setup *opening;
    struct entry *entry; /* in the order in which they came */
    size_t count, capacity;
};

int channel_set_create(struct channel_set **out, const struct channel_set_config *config)
{
    struct channel_set *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return -ENOMEM;
    s->config = *config;
    return 0;
}

static void finish(struct entry *e)
{
    channel_close(e->channel);
    channel_setup_destroy(e->setup);
    option_text_finish(&e->file);
}

void channel_set_destroy(struct channel_set *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++)
        finish(&s->entry[i]);
    free(s->entry);
    free(s);
}

size_t channel_set_count(const struct channel_set *s)
{
    return s ? s->count : 0;
}

size_t channel_set_find(const struct channel_set *s, const char *name)
{
    size_t i = 0;
    while (i < channel_set_count(s) && strcmp(s->entry[i].setup->text.name, name) != 0)
        i++;
    return i;
}

const struct channel_setup *channel_set_setup(const struct channel_set *s, size_t i)
{
    return s->entry[i].setup;
}

struct channel *channel_set_channel(const struct channel_set *s, size_t i)
{
    return s->entry[i].channel;
}

/* ---- changes ------------------------------------------------------------------------------- */

static int make_room(struct channel_set *s)
{
    const size_t more = s->capacity > 0 ? 2 * s->capacity : 16;
    if (s->count < s->capacity)
        return 0;
    struct entry *grown = realloc(s->entry, more * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    s->entry = grown;
    s->capacity = more;
    return 0;
}

static void opened(void *user, struct channel *x)
{
    const struct channel_set *s = user;
    if (s->config.opened)
        s->config.opened(s->config.user, s->opening, x);
}

static void say_changed(const struct channel_set *s, const char *name,
                        const struct channel_setup *now, bool moved)
{
    if (s->config.changed)
        s->config.changed(s->config.user, name, now, moved);
}

/* What an armed channel has kept, and a transmission, are of its old centre: such a one is
 * replaced. */
static bool move(struct channel_set *s, size_t i, struct channel_setup *setup)
{
    struct entry *e = &s->entry[i];
    if (i == s->count || setup->squelch.by != SQUELCH_OFF || !channel_setup_moves(e->setup, setup))
        return false;
    channel_move(e->channel, setup->center_hz);
    channel_setup_destroy(e->setup);
    e->setup = setup;
    return true;
}

/* Opens it before the one that it replaces ends: of two, the memory for both must be there. */
static int replace(struct channel_set *s, size_t i, struct channel_setup *setup, struct reason *why)
{
    struct channel_named named = {.name = setup->text.name,
                                  .mode = channel_setup_mode(setup),
                                  .passband_hz = setup->passband_hz,
                                  .request = channel_setup_request(setup),
                                  .opened = opened,
                                  .user = s};
    struct channel *channel;
    if (i == CHANNELS_NAMED_MAX)
        return reason_set(why, -EMFILE, "there are already %d named channels, the maximum",
                          CHANNELS_NAMED_MAX);
    if (make_room(s) < 0)
        return reason_set(why, -ENOMEM, "a channel: no memory");
    named.request.waits = s->config.records && setup->record != CHANNEL_RECORD_NO;
    s->opening = setup;
    const int err = channel_open_named(s->config.channels, &named, &channel, why);
    if (err < 0)
        return err;
    struct entry *e = &s->entry[i];
    if (i == s->count) {
        s->count++;
        *e = (struct entry){.setup = NULL};
    }
    channel_close(e->channel);
    channel_setup_destroy(e->setup);
    e->setup = setup;
    e->channel = channel;
    return 0;
}

static int put(struct channel_set *s, struct channel_setup *setup, struct reason *why)
{
    const size_t i = channel_set_find(s, setup->text.name);
    const bool moves = i < s->count && channel_setup_moves(s->entry[i].setup, setup);
    const int err = move(s, i, setup) ? 0 : replace(s, i, setup, why);
    if (err == 0)
        say_changed(s, setup->text.name, setup, moves);
    return err;
}

static int put_text(struct channel_set *s, const struct option_text *text, const char *origin,
                    struct reason *why)
{
    struct channel_setup *setup;
    int err = channel_setup_create(&setup, text, origin, why);
    if (err < 0)
        return err;
    if (s->config.check)
        err = s->config.check(setup, why);
    if (err == 0)
        err = put(s, setup, why);
    if (err < 0)
        channel_setup_destroy(setup);
    return err;
}

int channel_set_put(struct channel_set *s, const struct option_text *text, struct reason *why)
{
    return put_text(s, text, NULL, why);
}

static void remove_at(struct channel_set *s, size_t i)
{
    say_changed(s, s->entry[i].setup->text.name, NULL, false);
    finish(&s->entry[i]);
    s->count--;
    memmove(&s->entry[i], &s->entry[i + 1], (s->count - i) * sizeof *s->entry);
}

int channel_set_remove(struct channel_set *s, const char *name)
{
    const size_t i = channel_set_find(s, name);
    if (i == channel_set_count(s))
        return -ENOENT;
    remove_at(s, i);
    return 0;
}

/* ---- the configuration ---------------------------------------------------------------------- */

static bool is_in(const struct option_text *texts, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(texts[i].name, name) == 0)
            return true;
    return false;
}

/* A section that has not changed leaves what clients have made of its channel. */
static int configure_one(struct channel_set *s, const struct option_text *text, const char *file,
                         struct reason *why)
{
    struct option_text copy;
    const size_t i = channel_set_find(s, text->name);
    if (i < s->count && s->entry[i].configured && option_text_equal(&s->entry[i].file, text))
        return 0;
    int err = option_text_copy(&copy, text);
    if (err == 0)
        err = put_text(s, text, option_text_origin(text, file, "--channel"), why);
    if (err < 0) {
        option_text_finish(&copy);
        return err;
    }
    struct entry *e = &s->entry[i]; /* a new one is the last */
    option_text_finish(&e->file);
    e->file = copy;
    e->configured = true;
    return 0;
}

int channel_set_configure(struct channel_set *s, const struct option_text *texts, size_t count,
                          const char *file, struct reason *why)
{
    int err = 0;
    for (size_t i = s->count; i > 0; i--)
        if (s->entry[i - 1].configured && !is_in(texts, count, s->entry[i - 1].setup->text.name))
            remove_at(s, i - 1);
    for (size_t i = 0; err == 0 && i < count; i++)
        err = configure_one(s, &texts[i], file, why);
    return err;
}
