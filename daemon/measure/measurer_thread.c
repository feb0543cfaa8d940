/* measurer_thread.c - the measure thread: applies changes, measures lines, publishes the results.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <uv.h>

#include "daemon/measure/measurer_private.h"

enum { WAIT_MS = 100, LOWEST_PRIORITY = 19 };

/* ---- changes ---------------------------------------------------------------------------- */

static size_t find_measuring(const struct measurer *m, uint32_t owner, const char *name)
{
    size_t i = 0;
    while (i < m->count && (m->measuring[i].setup->owner != owner ||
                            strcmp(m->measuring[i].setup->text.name, name) != 0))
        i++;
    return i;
}

static void apply_setup(struct measurer *m, size_t i, struct measure_setup *setup)
{
    if (i == m->count)
        m->measuring[m->count++] = (struct measuring){0};
    else if (!m->config.owned)
        measuring_finish(&m->measuring[i]); /* the trace begins again */
    measuring_replace(&m->measuring[i], setup);
}

static void apply_change(struct measurer *m, const struct change *c)
{
    const size_t i = find_measuring(m, c->owner, c->name);
    if (c->setup) {
        apply_setup(m, i, c->setup);
    } else if (i < m->count && c->reference[0]) {
        memcpy(m->measuring[i].reference, c->reference, sizeof c->reference);
    } else if (i < m->count) {
        measuring_finish(&m->measuring[i]);
        m->count--;
        memmove(&m->measuring[i], &m->measuring[i + 1], (m->count - i) * sizeof m->measuring[0]);
    }
}

/* Keeps the newest line that came with a change. */
static void take_line(struct measurer *m, struct line *line)
{
    struct line *older = line;
    if (line && (!m->offered || m->offered->number < line->number)) {
        older = m->offered;
        m->offered = line;
    }
    line_drop(m->config.lines, older);
}

void measurer_apply_changes(struct measurer *m)
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

void measurer_drop_lines(struct measurer *m)
{
    line_drop(m->config.lines, m->last);
    line_drop(m->config.lines, m->offered);
    m->last = m->offered = NULL;
}

/* ---- lines ------------------------------------------------------------------------------ */

static size_t largest_wish(const struct measurer *m, const struct line *line)
{
    size_t most = 0;
    for (size_t i = 0; i < m->count; i++) {
        const size_t wish = measuring_iq_samples(&m->measuring[i], line);
        most = wish > most ? wish : most;
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
static size_t read_iq(struct measurer *m, const struct line *line)
{
    const size_t wanted = largest_wish(m, line);
    if (wanted > m->iq_room) {
        struct fft_iq *grown = realloc(m->iq, wanted * sizeof *grown);
        if (!grown)
            return 0;
        m->iq = grown;
        m->iq_room = wanted;
    }
    if (wanted == 0 || !m->config.tap || line->position == UINT64_MAX)
        return 0;
    const size_t count = iq_tap_read(m->config.tap, line->epoch, line->position, wanted, m->iq);
    if (line->corrected)
        correct(m->iq, count, &line->correction);
    return count;
}

static void publish(struct measurer *m, struct measure_snapshot *s, bool lacks_iq)
{
    uv_mutex_lock(&m->lock);
    struct measure_snapshot *old = m->newest;
    m->newest = measure_snapshot_hold(s);
    m->state.lines++;
    m->state.without_iq += lacks_iq;
    m->state.missed = line_reader_missed(&m->reader);
    uv_mutex_unlock(&m->lock);
    measure_snapshot_drop(old);
    if (m->config.publish)
        m->config.publish(m->config.user, s);
    measure_snapshot_drop(s);
}

/* The next line starts after the hops of this one. */
static void release_iq(struct measurer *m, const struct line *line)
{
    if (m->config.tap && line->position != UINT64_MAX)
        iq_tap_release(m->config.tap, line->epoch,
                       line->position + line->sample_count - line->n + line->hop);
}

/* The old list is held until its rules are replaced: another one cannot have its address. */
static void update_rules(struct measurer *m, const struct line *line)
{
    struct spur_table *table = spurs_hold(m->config.spurs);
    band_rules_update(&m->rules, line, table ? &table->list : NULL);
    spur_table_drop(m->spurs);
    m->spurs = table;
}

static void update_one(struct measurer *m, size_t i, const struct measuring_line *in, size_t *bytes,
                       struct measure_report *out)
{
    struct measuring *at = &m->measuring[i];
    *bytes += measuring_bytes(at, in->line);
    if (m->config.bytes_max && *bytes > m->config.bytes_max)
        measuring_refuse(at, "all measurements together take too much memory at this FFT size",
                         out);
    else
        measuring_update(at, in, out);
}

static void update_all(struct measurer *m, const struct measuring_line *in,
                       struct measure_snapshot *s)
{
    size_t bytes = 0;
    for (size_t i = 0; i < m->count; i++)
        update_one(m, i, in, &bytes, &s->report[i]);
    for (size_t i = 0; m->config.references && i < m->count; i++)
        measuring_store_trace(&m->measuring[i], in->line, m->config.references);
}

/* The result that this measurement has of the newest line. NULL: none. */
static const struct measure_report *known_report(const struct measurer *m, size_t i)
{
    const struct measure_setup *s = m->measuring[i].setup;
    return m->measuring[i].changed ? NULL
                                   : measure_snapshot_find(m->newest, s->owner, s->text.name);
}

/*
 * Only the measurements that have changed; results of the others are those of this line already. A
 * measurement of samples that are gone has none until the next line.
 */
static void update_changed(struct measurer *m, const struct measuring_line *in,
                           struct measure_snapshot *s)
{
    size_t bytes = 0;
    s->count = 0;
    for (size_t i = 0; i < m->count; i++) {
        const struct measure_report *known = known_report(m, i);
        if (known)
            measure_report_copy(&s->report[s->count++], known);
        else if (in->iq_count > 0 || measuring_iq_samples(&m->measuring[i], in->line) == 0)
            update_one(m, i, in, &bytes, &s->report[s->count++]);
        if (known)
            bytes += measuring_bytes(&m->measuring[i], in->line);
    }
}

static void measure_line(struct measurer *m, const struct line *line,
                         void (*update)(struct measurer *m, const struct measuring_line *in,
                                        struct measure_snapshot *s))
{
    update_rules(m, line);
    struct calibration_table *table = calibrator_hold(m->config.calibrator);
    struct measure_snapshot *s = measure_snapshot_create(line, m->count, table);
    calibration_table_drop(table);
    if (!s)
        return;
    const size_t iq_count = read_iq(m, line);
    const struct measuring_line in = {.line = line,
                                      .rules = &m->rules,
                                      .radio = &s->radio,
                                      .iq = m->iq,
                                      .iq_count = iq_count,
                                      .scratch = &m->scratch,
                                      .references = m->config.references};
    update(m, &in, s);
    publish(m, s, iq_count == 0 && largest_wish(m, line) > 0);
}

/* ---- measurements that clients own ------------------------------------------------------ */

static bool has_changes(const struct measurer *m)
{
    bool changed = false;
    for (size_t i = 0; i < m->count; i++)
        changed = changed || m->measuring[i].changed;
    return changed;
}

/*
 * Takes over the line. False: there is nothing to do. A line that is not newer than the last came
 * with a change, and is measured.
 */
static bool measure_next(struct measurer *m, struct line *line)
{
    if (m->count == 0 || (m->last && line->number <= m->last->number)) {
        line_drop(m->config.lines, line);
        return false;
    }
    line_drop(m->config.lines, m->last);
    m->last = line;
    measure_line(m, line, update_all);
    return true;
}

static void measure_changes(struct measurer *m)
{
    if (m->offered)
        measure_next(m, m->offered);
    m->offered = NULL;
    if (m->last && has_changes(m))
        measure_line(m, m->last, update_changed);
}

static void run_owned(struct measurer *m)
{
    bool closed = false;
    setpriority(PRIO_PROCESS, 0, LOWEST_PRIORITY); /* of this thread; a failure costs nothing */
    while (!closed && !atomic_load(&m->stop)) {
        struct line *line = line_reader_next(&m->reader, WAIT_MS, &closed);
        measurer_apply_changes(m);
        if (!line || !measure_next(m, line))
            measure_changes(m);
        if (m->count == 0)
            measurer_drop_lines(m);
    }
}

/* ---- the thread ------------------------------------------------------------------------- */

static void run(struct measurer *m)
{
    bool closed = false;
    while (!closed && !atomic_load(&m->stop)) {
        struct line *line = line_reader_next(&m->reader, WAIT_MS, &closed);
        measurer_apply_changes(m);
        if (line && m->count > 0) {
            measure_line(m, line, update_all);
            release_iq(m, line);
        } else if (!line && m->config.tap) {
            iq_tap_unblock(m->config.tap);
        }
        if (line && m->config.passed)
            m->config.passed(m->config.user, line->number);
        line_drop(m->config.lines, line);
    }
    if (m->config.tap)
        iq_tap_want(m->config.tap, false);
}

void measurer_run(void *measurer)
{
    struct measurer *m = measurer;
    pthread_setname_np(pthread_self(), m->config.owned ? "own measure" : "measure");
    if (m->config.owned)
        run_owned(m);
    else
        run(m);
    measurer_drop_lines(m);
    uv_mutex_lock(&m->lock);
    m->ended = true;
    uv_mutex_unlock(&m->lock);
    line_reader_leave(&m->reader);
    if (m->config.ended)
        m->config.ended(m->config.user);
}
