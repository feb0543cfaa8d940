/* triggers.c - the trigger thread, and the list of triggers, which the loop thread changes. */
#include "daemon/trigger/triggers.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/trigger/refiner.h"

const struct figure triggers_figures[] = {
    FIGURE_GAUGE(struct triggers_state, triggers, NULL, "fftd_triggers", "Triggers set up."),
    FIGURE_COUNTER(struct triggers_state, events, NULL, "fftd_events", "Events of all triggers."),
    FIGURE_COUNTER(struct triggers_state, missed, NULL, "fftd_trigger_missed_lines",
                   "Lines overwritten before they were decided."),
    FIGURE_COUNTER(struct triggers_state, frames, NULL, "fftd_trigger_frames",
                   "Frames that were computed again."),
    FIGURE_COUNTER(struct triggers_state, without_iq, NULL, "fftd_trigger_inexact_lines",
                   "Lines whose samples were gone."),
    FIGURE_END,
};

/* A trigger to arm or replace, or to fire, or, without either, to remove. */
struct trigger_change {
    struct trigger_change *next;
    struct trigger_setup *setup; /* a reference; NULL: no arming */
    bool fires;
    uint32_t epoch; /* of the position at which it fires */
    uint64_t position;
    char name[OPTION_NAME_MAX + 1];
};

struct trigger_entry {
    struct trigger_setup *setup;     /* a reference */
    bool configured;                 /* it comes from the configuration, which may remove it */
    struct trigger_state state;      /* under lock, as the next three */
    struct condition_limits *limits; /* owned; NULL: none */
    uint32_t limits_changes;         /* of the condition, when these were its limits */
    uint32_t limits_number;          /* of these limits; 0: none */
};

struct triggers {
    struct triggers_config config;
    uv_thread_t thread;
    bool running; /* the loop thread's, like the set-ups of the entries */
    struct trigger_entry entry[TRIGGERS_MAX];
    size_t entries; /* changes under lock */
    atomic_bool stop;

    uv_mutex_t lock;
    /* under lock */
    struct trigger_change *changes; /* oldest first */
    struct triggers_state state;
    uint32_t limits_published; /* of all triggers so far */
    bool ended;

    /* the trigger thread's */
    struct line_reader reader;
    struct trigger trigger[TRIGGERS_MAX];
    size_t count;
    struct trigger_change *fires; /* for the next line */
    struct refiner *refiner;
    struct line wait[FEED_RESULTS]; /* facts of lines whose results may come, oldest first */
    size_t waits;
    uint64_t lines, refined, frames, without_iq;
    char ring[TRIGGER_REASON]; /* why the ring is too short; "": it is not */
    uint32_t ring_epoch;
    uint64_t ring_samples; /* of a line, when the ring was compared with it; 0: not yet */
};

enum { WAIT_MS = 100, START_S = 30 };

/* ---- results of measurements that triggers decide by -------------------------------------- */

static bool is_wanted(const struct triggers *t)
{
    bool wanted = false;
    for (size_t i = 0; i < t->count; i++)
        wanted = wanted || t->trigger[i].setup->ops->judge;
    return wanted && t->config.feed;
}

static void remove_first(struct triggers *t)
{
    t->waits--;
    memmove(&t->wait[0], &t->wait[1], t->waits * sizeof t->wait[0]);
}

static void add_result(struct triggers *t, const struct line *line, struct measure_snapshot *s)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->trigger[i].setup->ops->judge)
            trigger_add_result(&t->trigger[i], line, s);
    measure_snapshot_unref(s);
}

/*
 * In replay, waits until the measure thread has passed the line: it reads every line from its first
 * one on. A thread that starts later than this line may need the lines that this thread delays:
 * without any line yet, it is given START_S.
 */
static enum feed_answer take_result(struct triggers *t, uint64_t line,
                                    struct measure_snapshot **out)
{
    const uint64_t until = clock_after_ms(START_S * 1000);
    enum feed_answer answer = measure_feed_take(t->config.feed, line, 0, out);
    while (t->config.lossless && answer == FEED_LATER && !atomic_load(&t->stop) &&
           (measure_feed_started(t->config.feed) || clock_now_ns() < until))
        answer = measure_feed_take(t->config.feed, line, WAIT_MS, out);
    return t->config.lossless && answer == FEED_LATER ? FEED_NONE : answer;
}

/* After a line, or NULL: when there is time. */
static void add_results(struct triggers *t, const struct line *line)
{
    enum feed_answer answer = FEED_NONE;
    if (!is_wanted(t)) {
        t->waits = 0;
        return;
    }
    if (t->waits == FEED_RESULTS)
        remove_first(t);
    if (line)
        line_copy_facts(&t->wait[t->waits++], line);
    while (t->waits > 0 && answer != FEED_LATER) {
        struct measure_snapshot *s = NULL;
        answer = take_result(t, t->wait[0].number, &s);
        if (answer == FEED_LATER)
            break;
        add_result(t, &t->wait[0], s);
        remove_first(t);
    }
}

/* The time that this thread may be late, for which the ring must have room in addition to a line.
 */
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

static size_t find_trigger(const struct triggers *t, const char *name)
{
    size_t i = 0;
    while (i < t->count && strcmp(t->trigger[i].setup->text.name, name) != 0)
        i++;
    return i;
}

static void drop_trigger(struct triggers *t, size_t i)
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
    const size_t i = find_trigger(t, c->name);
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
        drop_trigger(t, i);
    free(c);
}

/* On the thread, or after it has ended; so is drop_fires. */
static void apply_changes(struct triggers *t)
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

static void drop_fires(struct triggers *t)
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
        const size_t i = find_trigger(t, c->name);
        const uint64_t lost =
            line->position == UINT64_MAX ? 0 : line->first_sample - line->position;
        if (i < t->count && c->epoch == line->epoch)
            trigger_fire(&t->trigger[i], line, c->position + lost);
    }
    drop_fires(t);
}

/* ---- lines ------------------------------------------------------------------------------- */

/* In real time, the frames of a line are looked at when it is complete and this thread gets it. */
static void check_ring(struct triggers *t, const struct line *line)
{
    const double rate_hz = line_sample_rate_hz(line);
    if (t->ring_samples == line->sample_count && t->ring_epoch == line->epoch)
        return;
    const uint64_t capacity = iq_tap_capacity(t->config.tap, line->epoch);
    const double held_s = (double)capacity / rate_hz, line_s = (double)line->sample_count / rate_hz;
    const double need_s = line_s + t->config.pre_s + (t->config.lossless ? 0 : late_s);
    const bool is_pending = t->ring_samples == 0 || t->ring_epoch != line->epoch ||
                            (held_s < need_s) != (t->ring[0] != '\0');
    t->ring_samples = line->sample_count;
    t->ring_epoch = line->epoch;
    t->ring[0] = '\0';
    if (capacity == 0 || held_s >= need_s)
        return;
    snprintf(t->ring, sizeof t->ring,
             "the IQ ring of %.3g s is too short: a line of %.3g s and its look-back need %.3g s; "
             "give a larger --ring-size or a higher --line-rate",
             held_s, line_s, need_s);
    if (is_pending)
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
        const bool met = one->setup->ops->meets(one->setup->state, power, power, &hit);
        trigger_add(one, line, &(struct trigger_frames){frame, 1, met, met ? &hit : NULL});
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
        add_results(t, line);
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

static void run(void *triggers)
{
    struct triggers *t = triggers;
    bool closed = false;
    pthread_setname_np(pthread_self(), "trigger");
    while (!closed && !atomic_load(&t->stop)) {
        struct line *line = line_reader_next(&t->reader, WAIT_MS, &closed);
        apply_changes(t);
        if (line)
            run_line(t, line);
        else
            iq_tap_unblock(t->config.tap);
        if (!line)
            add_results(t, NULL);
        if (!line && t->config.kept)
            iq_tap_unblock(t->config.kept);
        line_unref(t->config.lines, line);
    }
    iq_tap_want(t->config.tap, false);
    add_results(t, NULL);
    end_events(t);
    event_marks_end(t->config.marks);
    uv_mutex_lock(&t->lock);
    t->ended = true;
    uv_mutex_unlock(&t->lock);
    line_reader_leave(&t->reader);
    if (t->config.ended)
        t->config.ended(t->config.user);
}

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
    err = uv_thread_create(&t->thread, run, t);
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
    trigger_setup_unref(old);
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
        trigger_setup_unref(setup);
        return err;
    }
    c->setup = trigger_setup_ref(setup);
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
    trigger_setup_unref(old);
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
        trigger_setup_unref(setup);
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
    apply_changes(t);
    drop_fires(t);
    for (size_t i = 0; i < t->count; i++)
        trigger_finish(&t->trigger[i]);
    for (size_t i = 0; i < t->entries; i++) {
        trigger_setup_unref(t->entry[i].setup);
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
