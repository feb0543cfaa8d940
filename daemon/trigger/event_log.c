/* event_log.c - the thread that stores events in the database. */
#include "daemon/trigger/event_log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/age_clock.h"
#include "daemon/files/own_file.h"

const struct figure event_log_figures[] = {
    FIGURE_COUNTER(struct event_log_state, stored, NULL, "fftd_events_stored",
                   "Events of this run in the database."),
    FIGURE_COUNTER(struct event_log_state, errors, NULL, "fftd_event_store_errors",
                   "Transactions of the database that failed."),
    FIGURE_END,
};

enum {
    BATCH = 256,
    RETRY_MS = 1000,
    PRUNE_MS = 3600 * 1000,
    LOG_EVERY_MS = 3600 * 1000,
    PATH_BYTES = 4096
};

/* Events that were deleted since that was logged: at once, then every hour, and at the end. */
struct deleted {
    uint64_t old, many, log_at_ns;
};

struct event_log {
    struct event_log_config config;
    char path[PATH_BYTES];
    uint64_t earlier; /* newest id of earlier runs */
    int lock_fd;      /* has the lock of the file; < 0: none */
    sqlite3 *db;      /* the thread's */
    uint64_t change;  /* the thread's: of the store, written so far */
    bool failing;     /* the thread's */
    struct age_clock *clock;
    struct deleted deleted; /* the thread's */
    uv_thread_t thread;
    bool running;

    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    bool wake, stop;
    struct event_log_state state;
};

/* ---- writing ----------------------------------------------------------------------------- */

/* Events that left the store before they were written. */
static uint64_t count_lost(struct event_log *l, uint64_t events)
{
    uv_mutex_lock(&l->lock);
    const uint64_t stored = l->state.stored;
    uv_mutex_unlock(&l->lock);
    return events > stored ? events - stored : 0;
}

static void on_result(struct event_log *l, bool failed, size_t added, const char *error)
{
    uv_mutex_lock(&l->lock);
    l->state.stored += added;
    l->state.errors += failed;
    uv_mutex_unlock(&l->lock);
    if (failed && !l->failing)
        log_error("%s: events are not stored: %s; fftd tries again", l->path, error);
    l->failing = failed;
}

static void log_deleted(struct event_log *l, uint64_t steady_ns)
{
    struct deleted *d = &l->deleted;
    if (d->old + d->many == 0 || steady_ns < d->log_at_ns)
        return;
    log_info("%s: events deleted: %llu older than events-max-age, %llu more than events-max",
             l->path, (unsigned long long)d->old, (unsigned long long)d->many);
    *d = (struct deleted){.log_at_ns = clock_after_ms(LOG_EVERY_MS)};
}

/* One transaction of the events that changed since the last one. Returns their number, or < 0. */
static int write_batch(struct event_log *l)
{
    static const size_t capacity = BATCH;
    struct event events[BATCH];
    struct reason why = {0};
    const size_t count = event_store_changed(l->config.events, l->change, events, capacity);
    struct event_batch batch = {.event = events,
                                .count = count,
                                .now_ns = age_clock_now_ns(l->clock),
                                .stored_ns = age_clock_stamp_ns(l->clock)};
    const int err = event_table_write(l->db, &batch, &l->config.limits, &why);
    if (err == 0 && count > 0)
        l->change = events[count - 1].change;
    on_result(l, err < 0, batch.added, why.sentence);
    l->deleted.old += batch.old;
    l->deleted.many += batch.many;
    log_deleted(l, clock_now_ns());
    return err < 0 ? err : (int)count;
}

static int write_changes(struct event_log *l)
{
    const bool failed = l->failing;
    const uint64_t events = event_store_count(l->config.events);
    int count;
    do
        count = write_batch(l);
    while (count == BATCH);
    const uint64_t lost = count >= 0 && failed ? count_lost(l, events) : 0;
    if (count >= 0 && failed)
        log_info("%s: events are stored again; %llu were lost", l->path, (unsigned long long)lost);
    return count;
}

/* ---- the thread -------------------------------------------------------------------------- */

/* False: it is time to stop. */
static bool wait_for_changes(struct event_log *l)
{
    const uint64_t until = clock_after_ms(l->failing ? RETRY_MS : PRUNE_MS);
    uv_mutex_lock(&l->lock);
    while (!l->stop && (l->failing || !l->wake) && clock_wait(&l->changed, &l->lock, until))
        ;
    const bool stop = l->stop;
    l->wake = false;
    uv_mutex_unlock(&l->lock);
    return !stop;
}

static void run(void *user)
{
    struct event_log *l = user;
    pthread_setname_np(pthread_self(), "events");
    write_changes(l); /* deletes what is too old, too */
    while (wait_for_changes(l))
        write_changes(l);
    write_changes(l);
    log_deleted(l, UINT64_MAX);
    const uint64_t lost = count_lost(l, event_store_count(l->config.events));
    if (lost > 0)
        log_warn("%s: %llu events are not stored", l->path, (unsigned long long)lost);
}

void event_log_wake(struct event_log *l)
{
    if (!l)
        return;
    uv_mutex_lock(&l->lock);
    l->wake = true;
    uv_cond_signal(&l->changed);
    uv_mutex_unlock(&l->lock);
}

void event_log_state(struct event_log *l, struct event_log_state *out)
{
    *out = (struct event_log_state){0};
    if (!l)
        return;
    uv_mutex_lock(&l->lock);
    *out = l->state;
    uv_mutex_unlock(&l->lock);
}

/* ---- reading ----------------------------------------------------------------------------- */

static int append_events(json_t *list, const struct event *events, size_t count)
{
    int err = 0;
    for (size_t i = 0; err == 0 && i < count; i++)
        err = json_array_append_new(list, event_to_json(&events[i])) < 0 ? -ENOMEM : 0;
    return err;
}

/* Events with ids below `end`, which the store does not have any more. */
static int read_older(const struct event_log *l, const struct event_filter *filter, uint64_t end,
                      json_t *list, struct reason *why)
{
    sqlite3 *db;
    int err = database_open_to_read(&db, l->path, why);
    if (err < 0)
        return err;
    const struct event_ids ids = {.end = end, .earlier = l->earlier};
    err = event_table_read(db, filter, ids, list, why);
    database_close(db);
    return err;
}

/* The store's events come after those of the database. */
static int find(const struct event_log *l, struct event_store *store,
                const struct event_filter *filter, json_t *list, struct reason *why)
{
    uint64_t oldest = 0;
    int err = 0;
    struct event *events = malloc(filter->limit * sizeof *events);
    if (!events)
        return reason_set(why, -ENOMEM, "no memory");
    size_t count = event_store_list(store, filter, events, &oldest);
    struct event_filter older = *filter;
    if (older.newest)
        older.limit -= count;
    if (l && older.limit > 0 && filter->after + 1 < oldest)
        err = read_older(l, &older, oldest, list, why);
    const size_t capacity = filter->limit - json_array_size(list);
    count = count < capacity ? count : capacity;
    if (err == 0 && append_events(list, events, count) < 0)
        err = reason_set(why, -ENOMEM, "no memory");
    free(events);
    return err;
}

int event_log_find(struct event_log *l, struct event_store *events,
                   const struct event_filter *filter, json_t **out, struct reason *why)
{
    json_t *list = json_array();
    const int err =
        list ? find(l, events, filter, list, why) : reason_set(why, -ENOMEM, "no memory");
    *out = err == 0 ? list : NULL;
    if (err < 0)
        json_decref(list);
    return err;
}

/* ---- start and end ----------------------------------------------------------------------- */

/* The locks of SQLite are of another kind (fcntl); closing this file would drop them. */
static int lock_file(struct event_log *l, struct reason *why)
{
    if (l->lock_fd >= 0)
        close(l->lock_fd);
    l->lock_fd = own_file_open_write(AT_FDCWD, l->path, O_CREAT);
    if (l->lock_fd < 0)
        return reason_set(why, l->lock_fd, "%s: %s", l->path, own_file_describe(l->lock_fd));
    if (flock(l->lock_fd, LOCK_EX | LOCK_NB) < 0)
        return reason_set(why, -EBUSY, "%s: another fftd stores its events there", l->path);
    return 0;
}

static int start_clock(struct event_log *l, struct reason *why)
{
    int64_t newest_ns = INT64_MIN;
    database_read_number(l->db, "SELECT stored_ns FROM event ORDER BY id DESC LIMIT 1", NULL, 0,
                         INT64_MIN, &newest_ns);
    const int err = age_clock_create(&l->clock, l->config.folder, newest_ns, &age_clock_system);
    return err < 0 ? reason_set(why, err, "%s: no memory", l->path) : 0;
}

/* The lock is that of the file that has the name. */
static bool has_lock(const struct event_log *l)
{
    struct stat locked, named;
    return fstat(l->lock_fd, &locked) == 0 && stat(l->path, &named) == 0 &&
           locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

static int open_file(struct event_log *l, struct reason *why)
{
    const int length = snprintf(l->path, sizeof l->path, "%s/events.sqlite", l->config.folder);
    if (length < 0 || (size_t)length >= sizeof l->path)
        return reason_set(why, -ENAMETOOLONG, "%s: the name is too long", l->config.folder);
    int err = lock_file(l, why);
    if (err == 0)
        err = event_table_open(&l->db, l->path, &l->earlier, why);
    if (err == 0 && !has_lock(l)) { /* a damaged one was moved aside */
        database_close(l->db);
        l->db = NULL;
        err = lock_file(l, why);
        if (err == 0)
            err = event_table_open(&l->db, l->path, &l->earlier, why);
    }
    if (err == 0)
        err = start_clock(l, why);
    if (err == 0)
        event_store_continue(l->config.events, l->earlier);
    return err;
}

int event_log_start(struct event_log **out, const struct event_log_config *config,
                    struct reason *why)
{
    struct event_log *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l)
        return reason_set(why, -ENOMEM, "no memory for the log of events");
    l->config = *config;
    l->lock_fd = -1;
    l->state.on = true;
    uv_mutex_init(&l->lock);
    uv_cond_init(&l->changed);
    int err = open_file(l, why);
    if (err == 0) {
        err = uv_thread_create(&l->thread, run, l);
        l->running = err == 0;
        if (err < 0)
            reason_set(why, err, "%s: %s", l->path, strerror(-err));
    }
    if (err < 0)
        event_log_destroy(l);
    else
        *out = l;
    return err;
}

void event_log_stop(struct event_log *l)
{
    if (!l || !l->running)
        return;
    uv_mutex_lock(&l->lock);
    l->stop = true;
    uv_cond_signal(&l->changed);
    uv_mutex_unlock(&l->lock);
    uv_thread_join(&l->thread);
    l->running = false;
}

void event_log_destroy(struct event_log *l)
{
    if (!l)
        return;
    event_log_stop(l);
    age_clock_destroy(l->clock);
    database_close(l->db);
    if (l->lock_fd >= 0)
        close(l->lock_fd); /* after the database */
    uv_cond_destroy(&l->changed);
    uv_mutex_destroy(&l->lock);
    free(l);
}
