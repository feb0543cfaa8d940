/* measure_thread.c - the measure thread, and the list of measurements, which the loop thread
 * changes. */
#include "daemon/measure/measure_thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <uv.h>

#include "daemon/base/reason.h"
#include "daemon/measure/active_measurement.h"

const struct figure measure_thread_figures[] = {
    FIGURE_GAUGE(struct measure_thread_state, measurements, "measurements", "fftd_measurements",
                 "Measurements set up."),
    FIGURE_COUNTER(struct measure_thread_state, lines, "lines", "fftd_measured_lines",
                   "Lines that were measured."),
    FIGURE_COUNTER(struct measure_thread_state, missed, "missed", "fftd_measure_missed_lines",
                   "Lines overwritten before they were measured."),
    FIGURE_KEY(struct measure_thread_state, without_iq, "without_samples"),
    FIGURE_END,
};

/* A measurement to add or replace, or without a set-up one to remove, or to take the trace of. */
struct change {
    struct change *next;
    struct measure_setup *setup;
    struct line *line; /* a reference: the newest, for a set-up that a client owns; NULL: none */
    uint32_t owner;
    char name[OPTION_NAME_MAX + 1];
    char reference[REFERENCE_NAME]; /* "": no trace is taken */
};

struct entry {
    struct measure_setup *setup; /* a copy for the loop thread: the other one is at work */
    bool configured;             /* it comes from the configuration, which may remove it */
};

struct measure_thread {
    struct measure_thread_config config;
    uv_thread_t thread;
    bool running; /* the loop thread's, like entry and entries */
    struct entry entry[MEASUREMENTS_MAX];
    size_t entries;
    atomic_bool stop;

    uv_mutex_t lock;
    /* under lock */
    struct change *changes; /* oldest first */
    struct measure_snapshot *newest;
    struct measure_thread_state state;
    bool ended;

    /* the measure thread's */
    struct line_reader reader;
    struct active_measurement active[MEASUREMENTS_MAX];
    size_t count;
    struct fft_iq *iq;
    size_t iq_capacity;
    struct measure_result scratch;
    struct band_rules rules;  /* of the newest line */
    struct spur_table *spurs; /* a reference: of the rules; NULL: none */
    /* with `owned`, referenced or NULL: the newest line, and a line that came with a change */
    struct line *last, *offered;
};

enum { WAIT_MS = 100, LOWEST_PRIORITY = 19 };

/* ---- changes ---------------------------------------------------------------------------- */

static size_t find_active(const struct measure_thread *m, uint32_t owner, const char *name)
{
    size_t i = 0;
    while (i < m->count &&
           (m->active[i].setup->owner != owner || strcmp(m->active[i].setup->text.name, name) != 0))
        i++;
    return i;
}

static void apply_setup(struct measure_thread *m, size_t i, struct measure_setup *setup)
{
    if (i == m->count)
        m->active[m->count++] = (struct active_measurement){0};
    else if (!m->config.owned)
        active_measurement_finish(&m->active[i]); /* the trace begins again */
    active_measurement_replace(&m->active[i], setup);
}

static void apply_change(struct measure_thread *m, const struct change *c)
{
    const size_t i = find_active(m, c->owner, c->name);
    if (c->setup) {
        apply_setup(m, i, c->setup);
    } else if (i < m->count && c->reference[0]) {
        memcpy(m->active[i].reference, c->reference, sizeof c->reference);
    } else if (i < m->count) {
        active_measurement_finish(&m->active[i]);
        m->count--;
        memmove(&m->active[i], &m->active[i + 1], (m->count - i) * sizeof m->active[0]);
    }
}

/* Keeps the newest line that came with a change. */
static void take_line(struct measure_thread *m, struct line *line)
{
    struct line *older = line;
    if (line && (!m->offered || m->offered->number < line->number)) {
        older = m->offered;
        m->offered = line;
    }
    line_unref(m->config.lines, older);
}

/* On the thread, or after it has ended; so is drop_lines. */
static void apply_changes(struct measure_thread *m)
{
    uv_mutex_lock(&m->lock);
    struct change *c = m->changes;
    m->changes = NULL;
    uv_mutex_unlock(&m->lock);
    while (c) {
        struct change *next = c->next;
        apply_change(m, c);
        take_line(m, c->line);
        free(c);
        c = next;
    }
}

static void drop_lines(struct measure_thread *m)
{
    line_unref(m->config.lines, m->last);
    line_unref(m->config.lines, m->offered);
    m->last = m->offered = NULL;
}

/* ---- lines ------------------------------------------------------------------------------ */

static size_t most_iq_samples(const struct measure_thread *m, const struct line *line)
{
    size_t most = 0;
    for (size_t i = 0; i < m->count; i++) {
        const size_t count = active_measurement_iq_samples(&m->active[i], line);
        most = count > most ? count : most;
    }
    return most;
}

/* As the engine did when it loaded them (struct fft_correction). */
static void correct(struct fft_iq *iq, size_t count, const struct fft_correction *c)
{
    for (size_t i = 0; i < count; i++) {
        const float re = iq[i].re - c->dc_i, im = iq[i].im - c->dc_q;
        iq[i] = (struct fft_iq){c->ii * re, c->qi * re + c->qq * im};
    }
}

/* The samples that the measurements want of this line; 0: none, or they are gone. */
static size_t read_iq(struct measure_thread *m, const struct line *line)
{
    const size_t wanted = most_iq_samples(m, line);
    if (wanted > m->iq_capacity) {
        struct fft_iq *grown = realloc(m->iq, wanted * sizeof *grown);
        if (!grown)
            return 0;
        m->iq = grown;
        m->iq_capacity = wanted;
    }
    if (wanted == 0 || !m->config.tap || line->position == UINT64_MAX)
        return 0;
    const size_t count = iq_tap_read(m->config.tap, line->epoch, line->position, wanted, m->iq);
    if (line->corrected)
        correct(m->iq, count, &line->correction);
    return count;
}

static void publish(struct measure_thread *m, struct measure_snapshot *s, bool lacks_iq)
{
    uv_mutex_lock(&m->lock);
    struct measure_snapshot *old = m->newest;
    m->newest = measure_snapshot_ref(s);
    m->state.lines++;
    m->state.without_iq += lacks_iq;
    m->state.missed = line_reader_missed(&m->reader);
    uv_mutex_unlock(&m->lock);
    measure_snapshot_unref(old);
    if (m->config.publish)
        m->config.publish(m->config.user, s);
    measure_snapshot_unref(s);
}

/* The next line starts after the hops of this one. */
static void release_iq(struct measure_thread *m, const struct line *line)
{
    if (m->config.tap && line->position != UINT64_MAX)
        iq_tap_release(m->config.tap, line->epoch,
                       line->position + line->sample_count - line->n + line->hop);
}

/* The old list is kept until its rules are replaced: another one cannot have its address. */
static void update_rules(struct measure_thread *m, const struct line *line)
{
    struct spur_table *table = spurs_ref(m->config.spurs);
    band_rules_update(&m->rules, line, table ? &table->list : NULL);
    spur_table_unref(m->spurs);
    m->spurs = table;
}

static void update_one(struct measure_thread *m, size_t i, const struct active_measurement_line *in,
                       size_t *bytes, struct measure_report *out)
{
    struct active_measurement *at = &m->active[i];
    *bytes += active_measurement_bytes(at, in->line);
    if (m->config.bytes_max && *bytes > m->config.bytes_max)
        active_measurement_refuse(
            at, "all measurements together take too much memory at this FFT size", out);
    else
        active_measurement_update(at, in, out);
}

static void update_all(struct measure_thread *m, const struct active_measurement_line *in,
                       struct measure_snapshot *s)
{
    size_t bytes = 0;
    for (size_t i = 0; i < m->count; i++)
        update_one(m, i, in, &bytes, &s->report[i]);
    for (size_t i = 0; m->config.references && i < m->count; i++)
        active_measurement_store_trace(&m->active[i], in->line, m->config.references);
}

/* The result that this measurement has of the newest line. NULL: none. */
static const struct measure_report *known_report(const struct measure_thread *m, size_t i)
{
    const struct measure_setup *s = m->active[i].setup;
    return m->active[i].changed ? NULL : measure_snapshot_find(m->newest, s->owner, s->text.name);
}

/*
 * Only the measurements that have changed; results of the others are those of this line already. A
 * measurement of samples that are gone has none until the next line.
 */
static void update_changed(struct measure_thread *m, const struct active_measurement_line *in,
                           struct measure_snapshot *s)
{
    size_t bytes = 0;
    s->count = 0;
    for (size_t i = 0; i < m->count; i++) {
        const struct measure_report *known = known_report(m, i);
        if (known)
            measure_report_copy(&s->report[s->count++], known);
        else if (in->iq_count > 0 || active_measurement_iq_samples(&m->active[i], in->line) == 0)
            update_one(m, i, in, &bytes, &s->report[s->count++]);
        if (known)
            bytes += active_measurement_bytes(&m->active[i], in->line);
    }
}

static void measure_line(struct measure_thread *m, const struct line *line,
                         void (*update)(struct measure_thread *m,
                                        const struct active_measurement_line *in,
                                        struct measure_snapshot *s))
{
    update_rules(m, line);
    struct calibration_table *table = active_calibration_ref(m->config.active_calibration);
    struct measure_snapshot *s = measure_snapshot_create(line, m->count, table);
    calibration_table_unref(table);
    if (!s)
        return;
    const size_t iq_count = read_iq(m, line);
    const struct active_measurement_line in = {.line = line,
                                               .rules = &m->rules,
                                               .radio = &s->radio,
                                               .iq = m->iq,
                                               .iq_count = iq_count,
                                               .scratch = &m->scratch,
                                               .references = m->config.references};
    update(m, &in, s);
    publish(m, s, iq_count == 0 && most_iq_samples(m, line) > 0);
}

/* ---- measurements that clients own ------------------------------------------------------ */

static bool has_changes(const struct measure_thread *m)
{
    bool changed = false;
    for (size_t i = 0; i < m->count; i++)
        changed = changed || m->active[i].changed;
    return changed;
}

/*
 * Takes over the line. False: there is nothing to do. A line that is not newer than the last came
 * with a change, and is measured.
 */
static bool measure_next(struct measure_thread *m, struct line *line)
{
    if (m->count == 0 || (m->last && line->number <= m->last->number)) {
        line_unref(m->config.lines, line);
        return false;
    }
    line_unref(m->config.lines, m->last);
    m->last = line;
    measure_line(m, line, update_all);
    return true;
}

static void measure_changes(struct measure_thread *m)
{
    if (m->offered)
        measure_next(m, m->offered);
    m->offered = NULL;
    if (m->last && has_changes(m))
        measure_line(m, m->last, update_changed);
}

static void run_owned(struct measure_thread *m)
{
    bool closed = false;
    setpriority(PRIO_PROCESS, 0, LOWEST_PRIORITY); /* of this thread; a failure costs nothing */
    while (!closed && !atomic_load(&m->stop)) {
        struct line *line = line_reader_next(&m->reader, WAIT_MS, &closed);
        apply_changes(m);
        if (!line || !measure_next(m, line))
            measure_changes(m);
        if (m->count == 0)
            drop_lines(m);
    }
}

/* ---- the thread ------------------------------------------------------------------------- */

static void run(struct measure_thread *m)
{
    bool closed = false;
    while (!closed && !atomic_load(&m->stop)) {
        struct line *line = line_reader_next(&m->reader, WAIT_MS, &closed);
        apply_changes(m);
        if (line && m->count > 0) {
            measure_line(m, line, update_all);
            release_iq(m, line);
        } else if (!line && m->config.tap) {
            iq_tap_unblock(m->config.tap);
        }
        if (line && m->config.passed)
            m->config.passed(m->config.user, line->number);
        line_unref(m->config.lines, line);
    }
    if (m->config.tap)
        iq_tap_want(m->config.tap, false);
}

static void thread_main(void *measure_thread)
{
    struct measure_thread *m = measure_thread;
    pthread_setname_np(pthread_self(), m->config.owned ? "own measure" : "measure");
    if (m->config.owned)
        run_owned(m);
    else
        run(m);
    drop_lines(m);
    uv_mutex_lock(&m->lock);
    m->ended = true;
    uv_mutex_unlock(&m->lock);
    line_reader_leave(&m->reader);
    if (m->config.ended)
        m->config.ended(m->config.user);
}

/* ---- the list, on the loop thread ------------------------------------------------------- */

static bool is_named(const struct measure_setup *s, uint32_t owner, const char *name)
{
    return s->owner == owner && strcmp(s->text.name, name) == 0;
}

/* m->entries: none. */
static size_t find_entry(const struct measure_thread *m, uint32_t owner, const char *name)
{
    size_t i = 0;
    while (i < m->entries && !is_named(m->entry[i].setup, owner, name))
        i++;
    return i;
}

bool measure_thread_has_own(const struct measure_thread *m, uint32_t owner, const char *name)
{
    return find_entry(m, owner, name) < m->entries;
}

size_t measure_thread_count_own(const struct measure_thread *m, uint32_t owner)
{
    size_t count = 0;
    for (size_t i = 0; i < m->entries; i++)
        count += owner == 0 || m->entry[i].setup->owner == owner;
    return count;
}

bool measure_thread_wants_density(const struct measure_thread *m)
{
    bool wanted = false;
    for (size_t i = 0; m && i < m->entries; i++)
        wanted = wanted || m->entry[i].setup->detector.percent > 0;
    return wanted;
}

unsigned measure_thread_detectors(const struct measure_thread *m)
{
    unsigned detectors = 0;
    for (size_t i = 0; m && i < m->entries; i++) {
        const struct detector_choice *d = &m->entry[i].setup->detector;
        detectors |= d->percent > 0 ? 0 : 1U << d->index;
    }
    return detectors;
}

static void push_change(struct measure_thread *m, struct change *c)
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

static void update_iq_demand(struct measure_thread *m)
{
    bool wanted = false;
    for (size_t i = 0; i < m->entries; i++)
        wanted = wanted || m->entry[i].setup->ops->iq_samples;
    if (m->config.tap && !m->config.owned)
        iq_tap_want(m->config.tap, wanted);
}

static int start_thread(struct measure_thread *m)
{
    if (m->running)
        return 0;
    line_reader_join(&m->reader, m->config.lines, m->config.lossless);
    const int err = uv_thread_create(&m->thread, thread_main, m);
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

int measure_thread_set_own(struct measure_thread *m, struct measure_setup *setup,
                           struct line *newest)
{
    struct change *c = make_change(setup);
    struct measure_setup *copy = NULL;
    const size_t i = find_entry(m, setup->owner, setup->text.name);
    int err = i == MEASUREMENTS_MAX ? -EMFILE : c ? 0 : -ENOMEM;
    if (err == 0)
        err = measure_setup_create(&copy, &setup->text, "", NULL);
    if (err == 0)
        err = start_thread(m);
    if (err < 0) {
        free(c);
        measure_setup_destroy(copy);
        measure_setup_destroy(setup);
        line_unref(m->config.lines, newest);
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
    update_iq_demand(m);
    return 0;
}

int measure_thread_set(struct measure_thread *m, struct measure_setup *setup)
{
    return measure_thread_set_own(m, setup, NULL);
}

static int remove_at(struct measure_thread *m, size_t i)
{
    struct change *c = make_change(m->entry[i].setup);
    if (!c)
        return -ENOMEM;
    measure_setup_destroy(m->entry[i].setup);
    m->entries--;
    memmove(&m->entry[i], &m->entry[i + 1], (m->entries - i) * sizeof m->entry[0]);
    push_change(m, c);
    update_iq_demand(m);
    return 0;
}

int measure_thread_remove(struct measure_thread *m, uint32_t owner, const char *name)
{
    const size_t i = find_entry(m, owner, name);
    return i < m->entries ? remove_at(m, i) : -ENOENT;
}

void measure_thread_remove_owner(struct measure_thread *m, uint32_t owner)
{
    for (size_t i = m->entries; i > 0; i--)
        if (m->entry[i - 1].setup->owner == owner)
            remove_at(m, i - 1);
}

int measure_thread_store_trace(struct measure_thread *m, const char *name, const char *as)
{
    const size_t i = find_entry(m, 0, name);
    struct change *c = i < m->entries ? make_change(m->entry[i].setup) : NULL;
    if (!c)
        return i < m->entries ? -ENOMEM : -ENOENT;
    snprintf(c->reference, sizeof c->reference, "%s", as);
    push_change(m, c);
    return 0;
}

/* ---- start, end and state --------------------------------------------------------------- */

int measure_thread_create(struct measure_thread **out, const struct measure_thread_config *config)
{
    struct measure_thread *m = calloc(1, sizeof *m);
    *out = NULL;
    if (!m || uv_mutex_init(&m->lock) < 0) {
        free(m);
        return -ENOMEM;
    }
    m->config = *config;
    *out = m;
    return 0;
}

void measure_thread_stop(struct measure_thread *m)
{
    if (!m || !m->running)
        return;
    atomic_store(&m->stop, true);
    uv_thread_join(&m->thread);
    m->running = false;
}

void measure_thread_destroy(struct measure_thread *m)
{
    if (!m)
        return;
    measure_thread_stop(m);
    apply_changes(m);
    drop_lines(m);
    for (size_t i = 0; i < m->count; i++)
        active_measurement_finish(&m->active[i]);
    for (size_t i = 0; i < m->entries; i++)
        measure_setup_destroy(m->entry[i].setup);
    measure_snapshot_unref(m->newest);
    spur_table_unref(m->spurs);
    free(m->iq);
    uv_mutex_destroy(&m->lock);
    free(m);
}

size_t measure_thread_count(const struct measure_thread *m)
{
    return m->entries;
}

const struct measure_setup *measure_thread_setup(const struct measure_thread *m, size_t i)
{
    return m->entry[i].setup;
}

struct measure_snapshot *measure_thread_newest(struct measure_thread *m)
{
    uv_mutex_lock(&m->lock);
    struct measure_snapshot *s = measure_snapshot_ref(m->newest);
    uv_mutex_unlock(&m->lock);
    return s;
}

void measure_thread_state(struct measure_thread *m, struct measure_thread_state *out)
{
    uv_mutex_lock(&m->lock);
    *out = m->state;
    uv_mutex_unlock(&m->lock);
}

bool measure_thread_ended(struct measure_thread *m)
{
    uv_mutex_lock(&m->lock);
    const bool ended = m->ended;
    uv_mutex_unlock(&m->lock);
    return ended || !m->running;
}

/* ---- the configuration -------------------------------------------------------------------- */

static bool is_in(const struct config *c, const char *name)
{
    for (size_t i = 0; i < c->measure_count; i++)
        if (strcmp(c->measures[i].name, name) == 0)
            return true;
    return false;
}

static int configure_one(struct measure_thread *m, const struct config *c, size_t i,
                         struct reason *why)
{
    struct measure_setup *setup;
    const size_t at = find_entry(m, 0, c->measures[i].name);
    int err = measure_setup_from_config(&setup, c, i, why);
    if (err < 0)
        return err;
    if (at < m->entries && m->entry[at].configured &&
        measure_setup_same(m->entry[at].setup, setup)) {
        measure_setup_destroy(setup);
        return 0;
    }
    err = measure_thread_set(m, setup);
    if (err < 0)
        return reason_set(why, err, "measure %s: %s", c->measures[i].name,
                          err == -EMFILE ? "too many measurements" : strerror(-err));
    m->entry[at].configured = true;
    return 0;
}

int measure_thread_configure(struct measure_thread *m, const struct config *c, struct reason *why)
{
    int err = 0;
    for (size_t i = m->entries; i > 0; i--)
        if (m->entry[i - 1].configured && !is_in(c, m->entry[i - 1].setup->text.name))
            measure_thread_remove(m, 0, m->entry[i - 1].setup->text.name);
    for (size_t i = 0; err == 0 && i < c->measure_count; i++)
        err = configure_one(m, c, i, why);
    return err;
}

int measure_thread_reread_files(struct measure_thread *m, const struct config *c,
                                struct reason *why)
{
    int err = 0;
    for (size_t i = 0; err == 0 && i < c->measure_count; i++) {
        const size_t at = find_entry(m, 0, c->measures[i].name);
        if (at < m->entries && m->entry[at].configured && m->entry[at].setup->ops->same_files)
            err = configure_one(m, c, i, why);
    }
    return err;
}
