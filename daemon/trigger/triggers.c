/* triggers.c - the list of triggers, which the loop thread changes; start, end and state. */
#include "daemon/trigger/triggers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/trigger/triggers_private.h"

/* ---- the list, on the loop thread -------------------------------------------------------- */

size_t triggers_find(const struct triggers *t, const char *name)
{
    size_t i = 0;
    while (i < t->entries && strcmp(t->entry[i].setup->text.name, name) != 0)
        i++;
    return i;
}

static void push_change(struct triggers *t, struct trigger_change *c)
{
    uv_mutex_lock(&t->lock);
    struct trigger_change **at = &t->changes;
    while (*at)
        at = &(*at)->next;
    *at = c;
    t->state.triggers = (uint32_t)t->entries;
    uv_mutex_unlock(&t->lock);
    iq_tap_want(t->config.tap, t->entries > 0);
    if (t->running)
        line_reader_wake(&t->reader, t->config.lines);
}

static struct trigger_change *make_change(const char *name)
{
    struct trigger_change *c = calloc(1, sizeof *c);
    if (c)
        snprintf(c->name, sizeof c->name, "%s", name);
    return c;
}

static int start_thread(struct triggers *t)
{
    if (t->running)
        return 0;
    int err = t->refiner ? 0 : refiner_create(&t->refiner, t->config.tap);
    if (err < 0)
        return err;
    line_reader_join(&t->reader, t->config.lines, t->config.lossless);
    err = uv_thread_create(&t->thread, triggers_run, t);
    t->running = err == 0;
    if (err < 0)
        line_reader_leave(&t->reader);
    return err;
}

static void set_entry(struct triggers *t, size_t i, struct trigger_setup *setup)
{
    uv_mutex_lock(&t->lock);
    const bool replaces = i < t->entries;
    struct trigger_setup *old = replaces ? t->entry[i].setup : NULL;
    if (replaces)
        free(t->entry[i].limits);
    t->entry[i] = (struct trigger_entry){.setup = setup, .state.armed = true};
    t->entries += i == t->entries;
    uv_mutex_unlock(&t->lock);
    trigger_setup_drop(old);
}

/* Before the trigger thread has the change: it may wait for a result of the next line. */
static void want_results(struct triggers *t)
{
    bool wanted = false;
    for (size_t i = 0; i < t->entries; i++)
        wanted = wanted || t->entry[i].setup->ops->judge;
    if (t->config.feed)
        measure_feed_want(t->config.feed, wanted);
}

int triggers_set(struct triggers *t, struct trigger_setup *setup)
{
    const size_t i = triggers_find(t, setup->text.name);
    struct trigger_change *c = i < TRIGGERS_MAX ? make_change(setup->text.name) : NULL;
    int err = i == TRIGGERS_MAX ? -EMFILE : c ? 0 : -ENOMEM;
    if (err == 0)
        err = start_thread(t);
    if (err < 0) {
        free(c);
        trigger_setup_drop(setup);
        return err;
    }
    c->setup = trigger_setup_hold(setup);
    set_entry(t, i, setup);
    want_results(t);
    push_change(t, c);
    return 0;
}

static int remove_at(struct triggers *t, size_t i)
{
    struct trigger_setup *old = t->entry[i].setup;
    struct trigger_change *c = make_change(old->text.name);
    if (!c)
        return -ENOMEM;
    uv_mutex_lock(&t->lock);
    free(t->entry[i].limits);
    t->entries--;
    memmove(&t->entry[i], &t->entry[i + 1], (t->entries - i) * sizeof t->entry[0]);
    uv_mutex_unlock(&t->lock);
    trigger_setup_drop(old);
    want_results(t);
    push_change(t, c);
    return 0;
}

int triggers_remove(struct triggers *t, const char *name)
{
    const size_t i = triggers_find(t, name);
    return i < t->entries ? remove_at(t, i) : -ENOENT;
}

int triggers_fire(struct triggers *t, const char *name)
{
    const size_t i = triggers_find(t, name);
    struct trigger_state state;
    if (i == t->entries)
        return -ENOENT;
    triggers_one_state(t, i, &state);
    if (!state.armed && t->entry[i].setup->count > 0 && state.events >= t->entry[i].setup->count)
        return -EALREADY;
    struct trigger_change *c = make_change(name);
    if (!c)
        return -ENOMEM;
    c->fires = true;
    if (!iq_tap_head(t->config.tap, &c->epoch, &c->position)) {
        free(c);
        return -EAGAIN;
    }
    push_change(t, c);
    return 0;
}

size_t triggers_fire_external(struct triggers *t)
{
    size_t count = 0;
    for (size_t i = 0; i < t->entries; i++) {
        if (!condition_is_command(t->entry[i].setup->ops))
            continue;
        const char *name = t->entry[i].setup->text.name;
        const int err = triggers_fire(t, name);
        if (err < 0)
            log_warn("trigger %s: %s", name,
                     err == -EAGAIN     ? "there are no samples yet"
                     : err == -EALREADY ? "it is disarmed after its last event"
                                        : strerror(-err));
        count++;
    }
    return count;
}

/* ---- the configuration ------------------------------------------------------------------- */

static bool is_in(const struct config *c, const char *name)
{
    for (size_t i = 0; i < c->trigger_count; i++)
        if (strcmp(c->triggers[i].name, name) == 0)
            return true;
    return false;
}

static int configure_one(struct triggers *t, const struct config *c, size_t i, struct reason *why)
{
    struct trigger_setup *setup;
    const size_t at = triggers_find(t, c->triggers[i].name);
    int err = trigger_setup_from_config(&setup, c, i, why);
    if (err < 0)
        return err;
    if (at < t->entries && t->entry[at].configured &&
        option_text_equal(&t->entry[at].setup->text, &setup->text)) {
        trigger_setup_drop(setup);
        return 0;
    }
    err = triggers_set(t, setup);
    if (err < 0)
        return reason_set(why, err, "trigger %s: %s", c->triggers[i].name,
                          err == -EMFILE ? "too many triggers" : strerror(-err));
    t->entry[at].configured = true;
    return 0;
}

int triggers_configure(struct triggers *t, const struct config *c, struct reason *why)
{
    int err = 0;
    for (size_t i = t->entries; i > 0; i--)
        if (t->entry[i - 1].configured && !is_in(c, t->entry[i - 1].setup->text.name))
            remove_at(t, i - 1);
    for (size_t i = 0; err == 0 && i < c->trigger_count; i++)
        err = configure_one(t, c, i, why);
    return err;
}

/* ---- start, end and state ---------------------------------------------------------------- */

int triggers_create(struct triggers **out, const struct triggers_config *config)
{
    struct triggers *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t || uv_mutex_init(&t->lock) < 0) {
        free(t);
        return -ENOMEM;
    }
    t->config = *config;
    *out = t;
    return 0;
}

void triggers_stop(struct triggers *t)
{
    if (!t || !t->running)
        return;
    atomic_store(&t->stop, true);
    line_reader_wake(&t->reader, t->config.lines);
    uv_thread_join(&t->thread);
    t->running = false;
}

void triggers_destroy(struct triggers *t)
{
    if (!t)
        return;
    triggers_stop(t);
    triggers_apply_changes(t);
    triggers_drop_fires(t);
    for (size_t i = 0; i < t->count; i++)
        trigger_finish(&t->trigger[i]);
    for (size_t i = 0; i < t->entries; i++) {
        trigger_setup_drop(t->entry[i].setup);
        free(t->entry[i].limits);
    }
    refiner_destroy(t->refiner);
    uv_mutex_destroy(&t->lock);
    free(t);
}

size_t triggers_count(const struct triggers *t)
{
    return t->entries;
}

bool triggers_want_density(const struct triggers *t)
{
    bool wanted = false;
    for (size_t i = 0; i < t->entries; i++)
        wanted = wanted || t->entry[i].setup->ops->density;
    return wanted;
}

const struct trigger_setup *triggers_setup(const struct triggers *t, size_t i)
{
    return t->entry[i].setup;
}

void triggers_state(struct triggers *t, struct triggers_state *out)
{
    uv_mutex_lock(&t->lock);
    *out = t->state;
    uv_mutex_unlock(&t->lock);
}

void triggers_one_state(struct triggers *t, size_t i, struct trigger_state *out)
{
    uv_mutex_lock(&t->lock);
    *out = t->entry[i].state;
    uv_mutex_unlock(&t->lock);
}

bool triggers_limits(struct triggers *t, size_t i, struct condition_limits *out)
{
    uv_mutex_lock(&t->lock);
    const struct condition_limits *limits = t->entry[i].limits;
    if (limits)
        *out = *limits;
    uv_mutex_unlock(&t->lock);
    return limits != NULL;
}

bool triggers_ended(struct triggers *t)
{
    uv_mutex_lock(&t->lock);
    const bool ended = t->ended;
    uv_mutex_unlock(&t->lock);
    return ended || !t->running;
}

struct event_store *triggers_events(struct triggers *t)
{
    return t->config.events;
}
