/* measurer.c - a measurer and its list of measurements, which the loop thread changes. */
#include "daemon/measure/measurer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/measure/measurer_private.h"

/* ---- the list, on the loop thread ------------------------------------------------------- */

static bool is_named(const struct measure_setup *s, uint32_t owner, const char *name)
{
    return s->owner == owner && strcmp(s->text.name, name) == 0;
}

size_t measurer_find(const struct measurer *m, uint32_t owner, const char *name)
{
    size_t i = 0;
    while (i < m->entries && !is_named(m->entry[i].setup, owner, name))
        i++;
    return i;
}

bool measurer_has_own(const struct measurer *m, uint32_t owner, const char *name)
{
    return measurer_find(m, owner, name) < m->entries;
}

size_t measurer_count_own(const struct measurer *m, uint32_t owner)
{
    size_t count = 0;
    for (size_t i = 0; i < m->entries; i++)
        count += owner == 0 || m->entry[i].setup->owner == owner;
    return count;
}

bool measurer_wants_density(const struct measurer *m)
{
    bool wanted = false;
    for (size_t i = 0; m && i < m->entries; i++)
        wanted = wanted || m->entry[i].setup->detector.percent > 0;
    return wanted;
}

unsigned measurer_detectors(const struct measurer *m)
{
    unsigned detectors = 0;
    for (size_t i = 0; m && i < m->entries; i++) {
        const struct detector_choice *d = &m->entry[i].setup->detector;
        detectors |= d->percent > 0 ? 0 : 1U << d->index;
    }
    return detectors;
}

static void push_change(struct measurer *m, struct change *c)
{
    uv_mutex_lock(&m->lock);
    struct change **at = &m->changes;
    while (*at)
        at = &(*at)->next;
    *at = c;
    m->state.measurements = (uint32_t)m->entries;
    uv_mutex_unlock(&m->lock);
    if (m->config.owned)
        line_reader_wake(&m->reader, m->config.lines);
}

static void update_wish(struct measurer *m)
{
    bool wanted = false;
    for (size_t i = 0; i < m->entries; i++)
        wanted = wanted || m->entry[i].setup->ops->iq_samples;
    if (m->config.tap && !m->config.owned)
        iq_tap_want(m->config.tap, wanted);
}

static int start_thread(struct measurer *m)
{
    if (m->running)
        return 0;
    line_reader_join(&m->reader, m->config.lines, m->config.lossless);
    const int err = uv_thread_create(&m->thread, measurer_run, m);
    m->running = err == 0;
    if (err < 0)
        line_reader_leave(&m->reader);
    return err;
}

/* Of the measurement of this set-up. NULL: no memory. */
static struct change *make_change(const struct measure_setup *s)
{
    struct change *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->owner = s->owner;
    memcpy(c->name, s->text.name, strlen(s->text.name) + 1);
    return c;
}

int measurer_set_own(struct measurer *m, struct measure_setup *setup, struct line *newest)
{
    struct change *c = make_change(setup);
    struct measure_setup *copy = NULL;
    const size_t i = measurer_find(m, setup->owner, setup->text.name);
    int err = i == MEASUREMENTS_MAX ? -EMFILE : c ? 0 : -ENOMEM;
    if (err == 0)
        err = measure_setup_create(&copy, &setup->text, "", NULL);
    if (err == 0)
        err = start_thread(m);
    if (err < 0) {
        free(c);
        measure_setup_destroy(copy);
        measure_setup_destroy(setup);
        line_drop(m->config.lines, newest);
        return err;
    }
    if (i < m->entries)
        measure_setup_destroy(m->entry[i].setup);
    else
        m->entries++;
    copy->owner = setup->owner;
    m->entry[i] = (struct entry){.setup = copy};
    c->setup = setup;
    c->line = newest;
    push_change(m, c);
    update_wish(m);
    return 0;
}

int measurer_set(struct measurer *m, struct measure_setup *setup)
{
    return measurer_set_own(m, setup, NULL);
}

static int remove_at(struct measurer *m, size_t i)
{
    struct change *c = make_change(m->entry[i].setup);
    if (!c)
        return -ENOMEM;
    measure_setup_destroy(m->entry[i].setup);
    m->entries--;
    memmove(&m->entry[i], &m->entry[i + 1], (m->entries - i) * sizeof m->entry[0]);
    push_change(m, c);
    update_wish(m);
    return 0;
}

int measurer_remove(struct measurer *m, uint32_t owner, const char *name)
{
    const size_t i = measurer_find(m, owner, name);
    return i < m->entries ? remove_at(m, i) : -ENOENT;
}

void measurer_remove_owner(struct measurer *m, uint32_t owner)
{
    for (size_t i = m->entries; i > 0; i--)
        if (m->entry[i - 1].setup->owner == owner)
            remove_at(m, i - 1);
}

int measurer_store_trace(struct measurer *m, const char *name, const char *as)
{
    const size_t i = measurer_find(m, 0, name);
    struct change *c = i < m->entries ? make_change(m->entry[i].setup) : NULL;
    if (!c)
        return i < m->entries ? -ENOMEM : -ENOENT;
    snprintf(c->reference, sizeof c->reference, "%s", as);
    push_change(m, c);
    return 0;
}

/* ---- start, end and state --------------------------------------------------------------- */

int measurer_create(struct measurer **out, const struct measurer_config *config)
{
    struct measurer *m = calloc(1, sizeof *m);
    *out = NULL;
    if (!m || uv_mutex_init(&m->lock) < 0) {
        free(m);
        return -ENOMEM;
    }
    m->config = *config;
    *out = m;
    return 0;
}

void measurer_stop(struct measurer *m)
{
    if (!m || !m->running)
        return;
    atomic_store(&m->stop, true);
    uv_thread_join(&m->thread);
    m->running = false;
}

void measurer_destroy(struct measurer *m)
{
    if (!m)
        return;
    measurer_stop(m);
    measurer_apply_changes(m);
    measurer_drop_lines(m);
    for (size_t i = 0; i < m->count; i++)
        measuring_finish(&m->measuring[i]);
    for (size_t i = 0; i < m->entries; i++)
        measure_setup_destroy(m->entry[i].setup);
    measure_snapshot_drop(m->newest);
    spur_table_drop(m->spurs);
    free(m->iq);
    uv_mutex_destroy(&m->lock);
    free(m);
}

size_t measurer_count(const struct measurer *m)
{
    return m->entries;
}

const struct measure_setup *measurer_setup(const struct measurer *m, size_t i)
{
    return m->entry[i].setup;
}

struct measure_snapshot *measurer_newest(struct measurer *m)
{
    uv_mutex_lock(&m->lock);
    struct measure_snapshot *s = measure_snapshot_hold(m->newest);
    uv_mutex_unlock(&m->lock);
    return s;
}

void measurer_state(struct measurer *m, struct measurer_state *out)
{
    uv_mutex_lock(&m->lock);
    *out = m->state;
    uv_mutex_unlock(&m->lock);
}

bool measurer_ended(struct measurer *m)
{
    uv_mutex_lock(&m->lock);
    const bool ended = m->ended;
    uv_mutex_unlock(&m->lock);
    return ended || !m->running;
}
