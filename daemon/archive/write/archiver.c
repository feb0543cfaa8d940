/* archiver.c - the archive thread. */
#include "daemon/archive/write/archiver.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/archive/store/archive_find.h"
#include "daemon/archive/store/archive_limits.h"
#include "daemon/archive/write/tiers.h"
#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/age_clock.h"

const struct figure archiver_figures[] = {
    FIGURE_COUNTER(struct archiver_state, lines, "lines", "fftd_archive_lines",
                   "Lines in the archive."),
    FIGURE_COUNTER(struct archiver_state, missed, "missed", "fftd_archive_missed_lines",
                   "Lines overwritten before they were archived."),
    FIGURE_COUNTER(struct archiver_state, rows, "rows", "fftd_archive_rows",
                   "Rows of all tiers written to the archive."),
    FIGURE_COUNTER(struct archiver_state, lost_rows, "lost_rows", "fftd_archive_lost_rows",
                   "Rows lost to a full or failing disk."),
    FIGURE_GAUGE(struct archiver_state, bytes, "bytes", "fftd_archive_bytes",
                 "Bytes of all segments of the archive."),
    FIGURE_GAUGE(struct archiver_state, failure, "failure", "fftd_archive_failing",
                 "1 while rows are being lost."),
    FIGURE_END,
};

enum { WAIT_MS = 100 };
static const uint64_t flush_ns = 10000000000, limits_ns = 10000000000;

struct archiver {
    struct archiver_config config;
    struct archive_tiers tier_options;
    struct archive_store *store;
    struct age_clock *clock;
    struct archive_limits limits;
    struct tiers *tiers;
    struct archive_fold_row line;
    struct archive_fold_state before;
    struct line_reader reader;
    uv_thread_t thread;
    bool started;
    uint64_t limits_at_ns, bytes; /* when they are applied next; of all segments then */
    uv_mutex_t lock;
    struct archiver_state state; /* protected by the lock */
};

/* ---- the thread ------------------------------------------------------------------------- */

/* The first failure is logged, and its end. */
static void publish_state(struct archiver *a)
{
    struct tiers_totals t;
    char failure[sizeof a->state.failure] = "";
    tiers_totals(a->tiers, &t);
    if (t.failure < 0)
        snprintf(failure, sizeof failure, "%s: %s", a->config.options->folder,
                 t.failure == -EBADMSG  ? "lines have a time before 1830 or after 2118"
                 : t.failure == -ENOSPC ? "the disk is full, or has less than archive-min-free left"
                                        : strerror(-t.failure));
    if (failure[0] && !a->state.failure[0])
        log_warn("archive: %s: rows are lost until there is room", failure);
    else if (!failure[0] && a->state.failure[0])
        log_info("archive: rows are written again; %llu were lost",
                 (unsigned long long)t.lost_rows);
    uv_mutex_lock(&a->lock);
    a->state.missed = line_reader_missed(&a->reader);
    a->state.rows = t.rows;
    a->state.lost_rows = t.lost_rows;
    a->state.bytes = a->bytes;
    memcpy(a->state.failure, failure, sizeof failure);
    uv_mutex_unlock(&a->lock);
}

static void take_line(struct archiver *a, const struct line *line, bool missed)
{
    struct calibration_table *table = active_calibration_ref(a->config.active_calibration);
    if (archive_fold_take_line(&a->line, &a->before, line, table, a->config.options->columns,
                               missed))
        tiers_add(a->tiers, &a->line);
    calibration_table_unref(table);
    uv_mutex_lock(&a->lock);
    a->state.lines++;
    uv_mutex_unlock(&a->lock);
}

static void keep_limits(struct archiver *a)
{
    const uint64_t now = clock_now_ns();
    struct archive_store_totals totals;
    if (now < a->limits_at_ns)
        return;
    a->limits_at_ns = now + limits_ns;
    archive_limits_apply(&a->limits, a->store, &a->tier_options, a->config.options->max_bytes,
                         age_clock_now_ns(a->clock));
    archive_store_totals(a->store, &totals);
    a->bytes = totals.bytes;
}

static void run(void *arg)
{
    struct archiver *a = arg;
    uint64_t missed = 0;
    bool closed = false;
    pthread_setname_np(pthread_self(), "archive");
    while (!closed) {
        struct line *line = line_reader_next(&a->reader, WAIT_MS, &closed);
        const uint64_t now = line_reader_missed(&a->reader);
        if (line)
            take_line(a, line, now != missed);
        missed = now;
        line_unref(a->config.lines, line);
        const uint64_t steady_ns = clock_now_ns();
        tiers_flush_before(a->tiers, steady_ns > flush_ns ? steady_ns - flush_ns : 0);
        keep_limits(a);
        publish_state(a);
    }
    tiers_flush(a->tiers);
    a->limits_at_ns = 0;
    keep_limits(a);
    publish_state(a);
    line_reader_leave(&a->reader);
}

/* ---- memory ----------------------------------------------------------------------------- */

uint64_t archiver_bytes(const struct archive_options *options)
{
    enum { LINES = 2, BLOCK_CELL = 16 }; /* the line and, at the start, a row that is read */
    static const uint64_t zstd_bytes = 1 << 20;
    struct archive_tiers tiers;
    if (!options->folder || archive_tiers_parse(options->tiers, &tiers) < 0)
        return 0;
    const uint64_t rows = (uint64_t)tiers.count * (ARCHIVE_ROWS + 1) + LINES;
    const uint64_t row_bytes = (uint64_t)options->columns * ARCHIVE_DETECTORS * sizeof(float);
    return rows * row_bytes + (uint64_t)ARCHIVE_ROWS * options->columns * BLOCK_CELL + zstd_bytes;
}

/* ---- start and end ---------------------------------------------------------------------- */

static int start_clock(struct archiver *a)
{
    int64_t newest_ns;
    const int err = archive_find_newest(archive_store_database(a->store), &newest_ns);
    return err < 0 ? err
                   : age_clock_create(&a->clock, a->config.options->folder, newest_ns,
                                      &age_clock_system);
}

static int prepare(struct archiver *a, struct reason *why)
{
    const struct archive_options *o = a->config.options;
    int err = archive_tiers_parse(o->tiers, &a->tier_options);
    if (err == 0)
        err = archive_store_open(&a->store, o->folder, why);
    if (err < 0)
        return err;
    err = start_clock(a);
    if (err == 0)
        err = tiers_create(&a->tiers, a->store, o);
    if (err == 0)
        err = archive_fold_init(&a->line, o->columns);
    if (err == 0)
        err = tiers_catch_up(a->tiers);
    return err < 0 ? reason_set(why, err, "%s: %s", o->folder, strerror(-err)) : 0;
}

int archiver_start(struct archiver **out, const struct archiver_config *config, struct reason *why)
{
    struct archiver *a = calloc(1, sizeof *a);
    *out = NULL;
    if (!a)
        return reason_set(why, -ENOMEM, "archive: no memory");
    a->config = *config;
    a->state.on = true;
    uv_mutex_init(&a->lock);
    int err = prepare(a, why);
    if (err == 0) {
        line_reader_join(&a->reader, config->lines, config->lossless);
        err = uv_thread_create(&a->thread, run, a);
        a->started = err == 0;
        if (err < 0) {
            line_reader_leave(&a->reader);
            reason_set(why, err, "archive: %s", strerror(-err));
        }
    }
    if (err < 0) {
        archiver_destroy(a);
        return err;
    }
    *out = a;
    return 0;
}

bool archiver_finish(struct archiver *a)
{
    if (!a)
        return true;
    if (a->started)
        uv_thread_join(&a->thread);
    a->started = false;
    return a->state.lost_rows == 0;
}

void archiver_destroy(struct archiver *a)
{
    if (!a)
        return;
    tiers_destroy(a->tiers);
    archive_fold_finish(&a->line);
    facts_finish(&a->before.facts);
    archive_limits_finish(&a->limits, a->config.options->folder);
    age_clock_destroy(a->clock);
    archive_store_close(a->store);
    uv_mutex_destroy(&a->lock);
    free(a);
}

void archiver_state(struct archiver *a, struct archiver_state *out)
{
    *out = (struct archiver_state){0};
    if (!a)
        return;
    uv_mutex_lock(&a->lock);
    *out = a->state;
    uv_mutex_unlock(&a->lock);
}
