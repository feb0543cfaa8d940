/* measurer.c - the measure thread, and the list of measurements that the loop thread changes. */
#include "daemon/measure/measurer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/reason.h"
#include "daemon/measure/measuring.h"

enum { WAIT_MS = 100 };

/* A measurement to add or replace; without a set-up, one to remove. */
struct change {
    struct change *next;
    struct measure_setup *setup;
    char name[MEASURE_NAME_MAX + 1];
};

struct entry {
    struct measure_setup *setup; /* a copy for the loop thread: the other one is at work */
    bool configured;             /* it comes from the configuration, which may remove it */
};

struct measurer {
    struct measurer_config config;
    uv_thread_t thread;
    bool running; /* the loop thread's, like entry and entries */
    struct entry entry[MEASUREMENTS_MAX];
    size_t entries;
    atomic_bool stop;

    uv_mutex_t lock;
    /* under lock */
    struct change *changes; /* oldest first */
    struct measure_snapshot *newest;
    struct measurer_state state;
    bool ended;

    /* the measure thread's */
    struct line_reader reader;
    struct measuring measuring[MEASUREMENTS_MAX];
    size_t count;
    struct fft_iq *iq;
    size_t iq_room;
    struct measure_result scratch;
};

/* ---- changes, on the measure thread ----------------------------------------------------- */

static size_t find_measuring(const struct measurer *m, const char *name)
{
    size_t i = 0;
    while (i < m->count && strcmp(m->measuring[i].setup->text.name, name) != 0)
        i++;
    return i;
}

static void apply_change(struct measurer *m, const struct change *c)
{
    const size_t i = find_measuring(m, c->name);
    if (i < m->count)
        measuring_finish(&m->measuring[i]);
    if (c->setup) {
        m->measuring[i] = (struct measuring){.setup = c->setup};
        m->count += i == m->count;
    } else if (i < m->count) {
        m->count--;
        memmove(&m->measuring[i], &m->measuring[i + 1], (m->count - i) * sizeof m->measuring[0]);
    }
}

static void apply_changes(struct measurer *m)
{
    uv_mutex_lock(&m->lock);
    struct change *c = m->changes;
    m->changes = NULL;
    uv_mutex_unlock(&m->lock);
    while (c) {
        struct change *next = c->next;
        apply_change(m, c);
        free(c);
        c = next;
    }
}

/* ---- lines, on the measure thread ------------------------------------------------------- */

static size_t largest_wish(const struct measurer *m, const struct line *line)
{
    size_t most = 0;
    for (size_t i = 0; i < m->count; i++) {
        const size_t wish = measuring_iq_samples(&m->measuring[i], line);
        most = wish > most ? wish : most;
    }
    return most;
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
    return iq_tap_read(m->config.tap, line->epoch, line->position, wanted, m->iq);
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

static void measure_line(struct measurer *m, const struct line *line)
{
    struct calibration_table *table = calibrator_hold(m->config.calibrator);
    struct measure_snapshot *s = measure_snapshot_create(line, m->count, table);
    calibration_table_drop(table);
    const size_t iq_count = read_iq(m, line);
    const struct measuring_line in = {line, m->iq, iq_count, &m->scratch};
    for (size_t i = 0; s && i < m->count; i++)
        measuring_update(&m->measuring[i], &in, &s->report[i]);
    if (s)
        publish(m, s, iq_count == 0 && largest_wish(m, line) > 0);
    release_iq(m, line);
}

static void measure_thread(void *arg)
{
    struct measurer *m = arg;
    bool closed = false;
    while (!closed && !atomic_load(&m->stop)) {
        struct line *line = line_reader_next(&m->reader, WAIT_MS, &closed);
        apply_changes(m);
        if (line && m->count > 0)
            measure_line(m, line);
        else if (!line && m->config.tap)
            iq_tap_unblock(m->config.tap);
        line_drop(m->config.lines, line);
    }
    if (m->config.tap)
        iq_tap_want(m->config.tap, false);
    uv_mutex_lock(&m->lock);
    m->ended = true;
    uv_mutex_unlock(&m->lock);
    line_reader_leave(&m->reader);
    if (m->config.ended)
        m->config.ended(m->config.user);
}

/* ---- the list, on the loop thread ------------------------------------------------------- */

static size_t find_entry(const struct measurer *m, const char *name)
{
    size_t i = 0;
    while (i < m->entries && strcmp(m->entry[i].setup->text.name, name) != 0)
        i++;
    return i;
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
}

static void update_wish(struct measurer *m)
{
    bool wanted = false;
    for (size_t i = 0; i < m->entries; i++)
        wanted = wanted || m->entry[i].setup->ops->iq_samples;
    if (m->config.tap)
        iq_tap_want(m->config.tap, wanted);
}

static int start_thread(struct measurer *m)
{
    if (m->running)
        return 0;
    line_reader_join(&m->reader, m->config.lines, m->config.lossless);
    const int err = uv_thread_create(&m->thread, measure_thread, m);
    m->running = err == 0;
    if (err < 0)
        line_reader_leave(&m->reader);
    return err;
}

int measurer_set(struct measurer *m, struct measure_setup *setup)
{
    struct change *c = calloc(1, sizeof *c);
    struct measure_setup *copy = NULL;
    const size_t i = find_entry(m, setup->text.name);
    int err = i == MEASUREMENTS_MAX ? -EMFILE : c ? 0 : -ENOMEM;
    if (err == 0)
        err = measure_setup_create(&copy, &setup->text, NULL, NULL, 0);
    if (err == 0)
        err = start_thread(m);
    if (err < 0) {
        free(c);
        measure_setup_destroy(copy);
        measure_setup_destroy(setup);
        return err;
    }
    if (i < m->entries)
        measure_setup_destroy(m->entry[i].setup);
    else
        m->entries++;
    m->entry[i] = (struct entry){.setup = copy};
    c->setup = setup;
    memcpy(c->name, setup->text.name, strlen(setup->text.name) + 1);
    push_change(m, c);
    update_wish(m);
    return 0;
}

int measurer_remove(struct measurer *m, const char *name)
{
    const size_t i = find_entry(m, name);
    struct change *c = i < m->entries ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return i < m->entries ? -ENOMEM : -ENOENT;
    memcpy(c->name, m->entry[i].setup->text.name, strlen(m->entry[i].setup->text.name) + 1);
    measure_setup_destroy(m->entry[i].setup);
    m->entries--;
    memmove(&m->entry[i], &m->entry[i + 1], (m->entries - i) * sizeof m->entry[0]);
    push_change(m, c);
    update_wish(m);
    return 0;
}

/* ---- the configuration, on the loop thread ---------------------------------------------- */

static bool is_in(const struct config *c, const char *name)
{
    for (size_t i = 0; i < c->measure_count; i++)
        if (strcmp(c->measures[i].name, name) == 0)
            return true;
    return false;
}

static int configure_one(struct measurer *m, const struct config *c, size_t i, char *error,
                         size_t error_size)
{
    struct measure_setup *setup;
    const size_t at = find_entry(m, c->measures[i].name);
    if (at < m->entries && m->entry[at].configured &&
        measure_text_equal(&m->entry[at].setup->text, &c->measures[i]))
        return 0;
    int err = measure_setup_from_config(&setup, c, i, error, error_size);
    if (err < 0)
        return err;
    err = measurer_set(m, setup);
    if (err < 0)
        return reason_set(error, error_size, err, "measure %s: %s", c->measures[i].name,
                          err == -EMFILE ? "too many measurements" : strerror(-err));
    m->entry[at].configured = true;
    return 0;
}

int measurer_configure(struct measurer *m, const struct config *c, char *error, size_t error_size)
{
    int err = 0;
    for (size_t i = m->entries; i > 0; i--)
        if (m->entry[i - 1].configured && !is_in(c, m->entry[i - 1].setup->text.name))
            measurer_remove(m, m->entry[i - 1].setup->text.name);
    for (size_t i = 0; err == 0 && i < c->measure_count; i++)
        err = configure_one(m, c, i, error, error_size);
    return err;
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
    apply_changes(m);
    for (size_t i = 0; i < m->count; i++)
        measuring_finish(&m->measuring[i]);
    for (size_t i = 0; i < m->entries; i++)
        measure_setup_destroy(m->entry[i].setup);
    measure_snapshot_drop(m->newest);
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
