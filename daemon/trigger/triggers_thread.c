/* triggers_thread.c - the trigger thread: applies changes, decides lines, looks at their frames. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/trigger/triggers_private.h"

enum { WAIT_MS = 100 };

/* The time that this thread may be late, which the ring must hold beside a line. */
static const double late_s = 0.1;

/* ---- events ------------------------------------------------------------------------------ */

static void on_event(void *user, const struct trigger_setup *setup, struct event *e)
{
    struct triggers *t = user;
    if (e->id == 0)
        event_store_add(t->config.events, e);
    if (t->config.on_event)
        t->config.on_event(t->config.user, setup, e);
    event_store_update(t->config.events, e);
    if (!e->open)
        event_marks_push(t->config.marks, e);
    if (t->config.changed)
        t->config.changed(t->config.user);
}

/* ---- changes ----------------------------------------------------------------------------- */

static size_t find(const struct triggers *t, const char *name)
{
    size_t i = 0;
    while (i < t->count && strcmp(t->trigger[i].setup->text.name, name) != 0)
        i++;
    return i;
}

static void remove_at(struct triggers *t, size_t i)
{
    trigger_finish(&t->trigger[i]);
    t->count--;
    memmove(&t->trigger[i], &t->trigger[i + 1], (t->count - i) * sizeof t->trigger[0]);
}

/* In their order: holdoff counts from the one before. */
static void push_fire(struct triggers *t, struct trigger_change *c)
{
    struct trigger_change **at = &t->fires;
    while (*at)
        at = &(*at)->next;
    c->next = NULL;
    *at = c;
}

/* Takes over the change. */
static void apply_change(struct triggers *t, struct trigger_change *c)
{
    const size_t i = find(t, c->name);
    if (c->fires) {
        push_fire(t, c);
        return;
    }
    if (c->setup && i < t->count)
        trigger_finish(&t->trigger[i]);
    if (c->setup)
        trigger_init(&t->trigger[i], c->setup, on_event, t);
    if (c->setup && i == t->count)
        t->count++;
    else if (!c->setup && i < t->count)
        remove_at(t, i);
    free(c);
}

void triggers_apply_changes(struct triggers *t)
{
    uv_mutex_lock(&t->lock);
    struct trigger_change *c = t->changes;
    t->changes = NULL;
    uv_mutex_unlock(&t->lock);
    while (c) {
        struct trigger_change *next = c->next;
        apply_change(t, c);
        c = next;
    }
}

void triggers_drop_fires(struct triggers *t)
{
    while (t->fires) {
        struct trigger_change *next = t->fires->next;
        free(t->fires);
        t->fires = next;
    }
}

/* Commands come between lines; the line after them knows the number of their sample. */
static void fire(struct triggers *t, const struct line *line)
{
    for (const struct trigger_change *c = t->fires; c; c = c->next) {
        const size_t i = find(t, c->name);
        const uint64_t lost =
            line->position == UINT64_MAX ? 0 : line->first_sample - line->position;
        if (i < t->count && c->epoch == line->epoch)
            trigger_fire(&t->trigger[i], line, c->position + lost);
    }
    triggers_drop_fires(t);
}

/* ---- lines ------------------------------------------------------------------------------- */

/* In real time, the frames of a line are looked at when it is complete and this thread gets it. */
static void check_ring(struct triggers *t, const struct line *line)
{
    const double rate_hz = line_sample_rate_hz(line);
    if (t->ring_samples == line->sample_count && t->ring_epoch == line->epoch)
        return;
    const uint64_t room = iq_tap_capacity(t->config.tap, line->epoch);
    const double held_s = (double)room / rate_hz, line_s = (double)line->sample_count / rate_hz;
    const double need_s = line_s + t->config.pre_s + (t->config.lossless ? 0 : late_s);
    const bool is_news = t->ring_samples == 0 || t->ring_epoch != line->epoch ||
                         (held_s < need_s) != (t->ring[0] != '\0');
    t->ring_samples = line->sample_count;
    t->ring_epoch = line->epoch;
    t->ring[0] = '\0';
    if (room == 0 || held_s >= need_s)
        return;
    snprintf(t->ring, sizeof t->ring,
             "the IQ ring of %.3g s is too short: a line of %.3g s and its look-back need %.3g s; "
             "give a larger --ring-size or a higher --line-rate",
             held_s, line_s, need_s);
    if (is_news)
        log_warn("triggers are not exact to the frame: %s", t->ring);
}

static void add_lines(struct triggers *t, const struct line *line)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->trigger[i].undecided)
            trigger_add_line(&t->trigger[i], line);
    t->without_iq++;
}

static void add_frame(struct triggers *t, const struct line *line, uint64_t frame,
                      const float *power)
{
    for (size_t i = 0; i < t->count; i++) {
        struct trigger *one = &t->trigger[i];
        struct condition_hit hit;
        if (!one->undecided)
            continue;
        const bool holds = one->setup->ops->holds(one->setup->state, power, power, &hit);
        trigger_add(one, line, &(struct trigger_frames){frame, 1, holds, holds ? &hit : NULL});
    }
}

/* If samples are gone in the middle of a line, frames before them have been decided. */
static void refine(struct triggers *t, const struct line *line)
{
    struct reason why = {0};
    const float *power = NULL;
    uint64_t frame = 0;
    if (refiner_begin(t->refiner, line, &why) == 0)
        for (; frame < line->frames && (power = refiner_next(t->refiner)); frame++)
            add_frame(t, line, frame, power);
    t->frames += frame;
    t->refined++;
    if (frame < line->frames)
        add_lines(t, line);
}

static void decide(struct triggers *t, const struct line *line)
{
    bool any = false;
    for (size_t i = 0; i < t->count; i++) {
        t->trigger[i].undecided = trigger_begin_line(&t->trigger[i], line);
        any = any || t->trigger[i].undecided;
    }
    if (any)
        refine(t, line);
}

/* ---- state ------------------------------------------------------------------------------- */

static void describe(const struct triggers *t, const struct trigger *one, struct trigger_state *out)
{
    const bool done = trigger_is_done(one);
    *out = (struct trigger_state){.armed = !done && !one->why.sentence[0],
                                  .events = one->events,
                                  .recordings = one->recordings};
    if (done)
        snprintf(out->reason, sizeof out->reason, "disarmed after %llu event%s",
                 (unsigned long long)one->events, one->events == 1 ? "" : "s");
    else
        snprintf(out->reason, sizeof out->reason, "%.*s", TRIGGER_REASON - 1,
                 one->why.sentence[0] ? one->why.sentence : t->ring);
}

/* Under lock. Without memory, again after the next line. */
static void publish_limits(struct triggers *t, struct trigger_entry *entry)
{
    const struct condition_ops *ops = entry->setup->ops;
    if (!ops->limits || ops->limits(entry->setup->state, NULL) == entry->limits_changes)
        return;
    if (!entry->limits)
        entry->limits = malloc(sizeof *entry->limits);
    if (!entry->limits)
        return;
    entry->limits_changes = ops->limits(entry->setup->state, entry->limits);
    entry->limits_number = ++t->limits_published;
}

static void publish_entry(struct triggers *t, struct trigger_entry *entry,
                          const struct trigger *one)
{
    describe(t, one, &entry->state);
    publish_limits(t, entry);
    entry->state.limits = entry->limits_number;
}

static void publish_state(struct triggers *t)
{
    uv_mutex_lock(&t->lock);
    t->state.lines = t->lines;
    t->state.missed = line_reader_missed(&t->reader);
    t->state.refined = t->refined;
    t->state.frames = t->frames;
    t->state.without_iq = t->without_iq;
    t->state.events = event_store_count(t->config.events);
    for (size_t i = 0; i < t->entries; i++)
        for (size_t k = 0; k < t->count; k++)
            if (t->trigger[k].setup == t->entry[i].setup)
                publish_entry(t, &t->entry[i], &t->trigger[k]);
    uv_mutex_unlock(&t->lock);
}

/* The next line starts after the hops of this one. An event may have begun before. */
static void release_iq(struct triggers *t, const struct line *line)
{
    const uint64_t next = line->position + line->sample_count - line->n + line->hop;
    const uint64_t most = iq_tap_capacity(t->config.tap, line->epoch) / 4;
    uint64_t oldest = next;
    iq_tap_release(t->config.tap, line->epoch, next);
    for (size_t i = 0; i < t->count; i++) {
        trigger_outlast(&t->trigger[i], next > most ? next - most : 0);
        const uint64_t begin = trigger_oldest(&t->trigger[i]);
        oldest = begin < oldest ? begin : oldest;
    }
    /* A replay would stand still if more were kept than the ring has. */
    if (t->config.on_line)
        t->config.on_line(t->config.user, line->epoch, next - oldest > most ? next - most : oldest,
                          line_sample_rate_hz(line));
}

static void run_line(struct triggers *t, const struct line *line)
{
    event_marks_begin_line(t->config.marks, line->number);
    if (t->count > 0) {
        t->lines++;
        check_ring(t, line);
        decide(t, line);
        triggers_add_results(t, line);
        fire(t, line);
        publish_state(t);
    }
    if (line->position != UINT64_MAX)
        release_iq(t, line);
}

/* An event that lasts ends with the last line. */
static void end_events(struct triggers *t)
{
    for (size_t i = 0; i < t->count; i++)
        trigger_end(&t->trigger[i]);
    publish_state(t);
    for (size_t i = 0; i < t->count; i++)
        trigger_finish(&t->trigger[i]);
    t->count = 0;
}

void triggers_run(void *triggers)
{
    struct triggers *t = triggers;
    bool closed = false;
    pthread_setname_np(pthread_self(), "trigger");
    while (!closed && !atomic_load(&t->stop)) {
        struct line *line = line_reader_next(&t->reader, WAIT_MS, &closed);
        triggers_apply_changes(t);
        if (line)
            run_line(t, line);
        else
            iq_tap_unblock(t->config.tap);
        if (!line)
            triggers_add_results(t, NULL);
        if (!line && t->config.kept)
            iq_tap_unblock(t->config.kept);
        line_drop(t->config.lines, line);
    }
    iq_tap_want(t->config.tap, false);
    triggers_add_results(t, NULL);
    end_events(t);
    event_marks_end(t->config.marks);
    uv_mutex_lock(&t->lock);
    t->ended = true;
    uv_mutex_unlock(&t->lock);
    line_reader_leave(&t->reader);
    if (t->config.ended)
        t->config.ended(t->config.user);
}
