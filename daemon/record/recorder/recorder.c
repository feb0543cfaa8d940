/* recorder.c - starts, ends and lists recordings, and keeps their folder and the disk ring. */
#include "daemon/record/recorder/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/age_clock.h"
#include "daemon/record/disk/disk_writer.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_repair.h"
#include "daemon/record/recorder/event_allowance.h"
#include "daemon/record/recorder/recording.h"

const struct figure disk_figures[] = {
    FIGURE_GAUGE(struct record_totals, history_bytes, "bytes", "fftd_iq_history_bytes",
                 "Size of the disk ring."),
    FIGURE_GAUGE(struct record_totals, history_used_bytes, "used_bytes",
                 "fftd_iq_history_used_bytes", "Of samples."),
    FIGURE_GAUGE(struct record_totals, history_s, "seconds", "fftd_iq_history_seconds",
                 "Of samples."),
    FIGURE_ISO(struct record_totals, history_oldest_ns, "oldest"),
    FIGURE_COUNTER(struct record_totals, history_written, "written",
                   "fftd_iq_history_written_samples", "Written."),
    FIGURE_COUNTER(struct record_totals, history_overrun, "overrun",
                   "fftd_iq_history_overrun_samples", "Disk too slow."),
    FIGURE_COUNTER(struct record_totals, history_failed, "failed", "fftd_iq_history_failed_samples",
                   "Disk refused."),
    FIGURE_END,
};

const struct figure record_figures[] = {
    FIGURE_GAUGE(struct record_totals, running, NULL, "fftd_recordings_running",
                 "Recordings that are being written."),
    FIGURE_COUNTER(struct record_totals, ended, NULL, "fftd_recordings_ended",
                   "Recordings that ended."),
    FIGURE_COUNTER(struct record_totals, failed, NULL, "fftd_recordings_failed",
                   "Recordings that an error or a limit ended."),
    FIGURE_COUNTER(struct record_totals, samples, NULL, "fftd_recorded_samples",
                   "Samples written by all recordings."),
    FIGURE_COUNTER(struct record_totals, missing, NULL, "fftd_recording_missing_samples",
                   "Samples that were overwritten before they were written."),
    FIGURE_END,
};

enum {
    KEPT = 1000,
    STEP_MS = 20,
    LIMITS_MS = 10000,
    LIST_MS = 1000,
    LIST_PAUSE = 20,
    LOG_MS = 60000
};

struct recorder {
    struct recorder_config config;
    struct age_clock *clock; /* of the recordings in the folder */
    struct iq_tap *tap;
    struct iq_tap *disk_tap;
    struct disk_ring *disk; /* NULL: none */
    struct disk_writer *disk_writer;
    struct iq_tap *all_tap; /* holds the samples that options->all has not joined yet */
    uv_thread_t keeper;
    bool has_keeper;
    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    struct recording *newest;
    size_t count;
    uint64_t ids;
    struct event_allowance allowance;
    struct record_totals forgotten; /* recordings that are not in the list any more */
    uint32_t next_epoch;            /* for options->all: the first one that is not recorded yet */
    struct record_file *files;      /* of the folder */
    size_t file_count;
    bool stop;
};

struct iq_tap *recorder_tap(struct recorder *r)
{
    return r->tap;
}

/* ---- the disk ring ---------------------------------------------------------------------- */

static int start_disk(struct recorder *r, struct reason *why)
{
    struct disk_ring_state state;
    const struct record_options *o = r->config.options;
    const char *folder = o->iq_history_folder ? o->iq_history_folder : o->folder;
    if (o->iq_history == 0)
        return 0;
    int err = o->iq_history_folder ? record_prepare_folder(folder, why) : 0;
    if (err == 0)
        err = disk_ring_open(&r->disk, folder, o->iq_history, why);
    if (err < 0)
        return err;
    disk_ring_state(r->disk, &state);
    if (state.seconds > 0)
        log_info("iq-history: it has %.6g s of samples of earlier runs", state.seconds);
    err = disk_writer_create(&r->disk_writer, r->disk, r->disk_tap, r->config.lossless);
    return err < 0 ? reason_set(why, err, "iq-history: %s", strerror(-err)) : 0;
}

static void stop_disk(struct recorder *r)
{
    disk_writer_destroy(r->disk_writer);
    disk_ring_close(r->disk);
    r->disk_writer = NULL;
    r->disk = NULL;
}

static void sum_disk(struct recorder *r, struct record_totals *out)
{
    struct disk_ring_state state;
    struct disk_writer_counts counts;
    if (!r->disk_writer)
        return;
    disk_writer_counts(r->disk_writer, &counts); /* first: the state then has all it counts */
    disk_ring_state(r->disk, &state);
    out->history_bytes = state.bytes;
    out->history_used_bytes = state.used_bytes;
    out->history_s = state.seconds;
    out->history_oldest_ns = state.oldest_ns;
    out->history_written = counts.written;
    out->history_overrun = counts.overrun;
    out->history_failed = counts.failed;
}

/* ---- starting --------------------------------------------------------------------------- */

static struct epoch *find_epoch(struct recorder *r, uint32_t number)
{
    if (number == RECORD_NEWEST)
        return iq_tap_newest(r->tap);
    struct epoch *e = iq_tap_epoch_from(r->tap, number);
    if (e && e->number == number)
        return e;
    epoch_unref(e);
    return NULL;
}

/* Joins the ring at once: what it has now cannot be overwritten before the thread starts, except in
 * real time. */
static int start_thread(struct recorder *r, struct recording *x)
{
    const uint64_t from = x->from - (x->context < x->from ? x->context : x->from);
    if (x->epoch)
        iq_feed_join(&x->feed, x->epoch, from, r->config.lossless);
    uv_mutex_lock(&r->lock);
    x->info.id = r->ids + 1;
    const int err = uv_thread_create(&x->thread, recording_run, x);
    if (err == 0) {
        x->next = r->newest;
        r->newest = x;
        r->ids++;
        r->count++;
    }
    uv_mutex_unlock(&r->lock);
    if (err < 0 && x->epoch)
        iq_feed_leave(&x->feed);
    return err;
}

/* In an epoch that is held; takes the hold, also on a failure. */
static int start_in(struct recorder *r, struct epoch *e, const struct record_request *q,
                    uint64_t *id, struct reason *why)
{
    struct recording *x = calloc(1, sizeof *x);
    int err = -ENOMEM;
    if (x) {
        x->options = r->config.options;
        x->clock = r->clock;
        x->active_calibration = r->config.active_calibration;
        x->changed = r->config.changed;
        x->user = r->config.user;
        x->lock = &r->lock;
        x->lossless = r->config.lossless;
        x->disk = r->disk;
        x->allowance = q->of_event ? &r->allowance : NULL;
        x->run = r->disk ? disk_ring_run(r->disk) : 0;
        x->epoch = e;
        err = recording_begin(x, q, why);
        e = x->epoch;
        if (err == 0)
            err = start_thread(r, x);
    }
    if (err == 0) {
        *id = x->info.id;
        return 0;
    }
    if (err != -EINVAL && err != -ENOENT)
        reason_set(why, err, "the recording cannot start: %s", strerror(-err));
    epoch_unref(e);
    if (x)
        recording_free(x);
    return err;
}

static unsigned count_running(struct recorder *r)
{
    unsigned running = 0;
    uv_mutex_lock(&r->lock);
    for (const struct recording *x = r->newest; x; x = x->next)
        running += !x->ended;
    uv_mutex_unlock(&r->lock);
    return running;
}

/* Ends the recording of an event where record-events-max does. *bytes: that it takes of it. False:
 * it allows none. */
static bool allow_event(struct recorder *r, const struct epoch *e, struct record_request *q,
                        uint64_t *bytes)
{
    const uint64_t per_hour = r->config.options->events_max;
    const uint64_t size = fft_iq_bytes(e->stream.format);
    if (per_hour == 0)
        return true;
    const bool open = q->to == RECORD_OPEN;
    const uint64_t wanted = open ? per_hour : (q->to - q->from) * size;
    const uint64_t least = open ? per_hour / 16 : wanted < per_hour ? wanted : per_hour;
    uv_mutex_lock(&r->lock);
    *bytes = event_allowance_take(&r->allowance, per_hour, q->event_ns, wanted, least);
    uv_mutex_unlock(&r->lock);
    q->to = q->from + *bytes / size;
    return *bytes > 0;
}

int recorder_start(struct recorder *r, const struct record_request *request, uint64_t *id,
                   struct reason *why)
{
    const struct record_options *o = r->config.options;
    const uint64_t free_bytes = record_free_bytes(o->folder);
    if (free_bytes < o->min_free)
        return reason_set(why, -ENOSPC, "%s: %llu bytes are free, less than record-min-free",
                          o->folder, (unsigned long long)free_bytes);
    if (count_running(r) >= RECORDINGS_AT_ONCE)
        return reason_set(why, -EMFILE,
                          "%d recordings run already: stop one, or wait until one ends",
                          RECORDINGS_AT_ONCE);
    struct epoch *e = find_epoch(r, request->epoch);
    struct record_request q = *request;
    uint64_t bytes = 0;
    if (e && q.of_event && !allow_event(r, e, &q, &bytes)) {
        epoch_unref(e);
        return reason_set(why, -EDQUOT, "record-events-max allows no more in this hour");
    }
    const int err = start_in(r, e, &q, id, why);
    if (err < 0) {
        uv_mutex_lock(&r->lock);
        event_allowance_give_back(&r->allowance, bytes);
        uv_mutex_unlock(&r->lock);
    }
    return err;
}

int recorder_allow(struct recorder *r, int64_t time_ns, uint64_t bytes, bool first)
{
    const uint64_t per_hour = r->config.options->events_max;
    uv_mutex_lock(&r->lock);
    const bool allowed = event_allowance_take(&r->allowance, per_hour, time_ns, bytes, bytes) > 0;
    r->allowance.recorded += allowed && first;
    r->allowance.bytes += allowed ? bytes : 0;
    uv_mutex_unlock(&r->lock);
    return allowed ? 0 : -EDQUOT;
}

/* ---- running ones ----------------------------------------------------------------------- */

/* With the lock held. NULL: it is unknown, or ended. */
static struct recording *find_running(struct recorder *r, uint64_t id)
{
    struct recording *x = r->newest;
    while (x && x->info.id != id)
        x = x->next;
    return x && !x->ended ? x : NULL;
}

int recorder_set_end(struct recorder *r, uint64_t id, uint64_t to)
{
    uv_mutex_lock(&r->lock);
    struct recording *x = find_running(r, id);
    if (x && x->allowance && x->info.to != RECORD_OPEN) {
        to = to < x->info.to ? to : x->info.to; /* it had no more */
        event_allowance_give_back(x->allowance, (x->info.to - to) * fft_iq_bytes(x->stream.format));
    }
    if (x)
        x->info.to = to;
    uv_mutex_unlock(&r->lock);
    return x ? 0 : -ENOENT;
}

int recorder_stop(struct recorder *r, uint64_t id)
{
    uv_mutex_lock(&r->lock);
    struct recording *x = find_running(r, id);
    const uint64_t now = x ? recording_end_now(x) : 0;
    if (x && x->info.to > now)
        x->info.to = now;
    uv_mutex_unlock(&r->lock);
    return x ? 0 : -ENOENT;
}

int recorder_annotate(struct recorder *r, uint64_t id, const struct record_annotation *a)
{
    int err = -ENOENT;
    uv_mutex_lock(&r->lock);
    struct recording *x = find_running(r, id);
    if (x) {
        struct record_annotation *more =
            realloc(x->annotations, (x->annotation_count + 1) * sizeof *more);
        err = more ? 0 : -ENOMEM;
        if (more) {
            x->annotations = more;
            more[x->annotation_count++] = *a;
        }
    }
    uv_mutex_unlock(&r->lock);
    return err;
}

void recorder_keep(struct recorder *r, uint32_t epoch, uint64_t position)
{
    if (!r->config.lossless)
        return;
    iq_tap_want(r->tap, true);
    iq_tap_release(r->tap, epoch, position);
}

size_t recorder_list(struct recorder *r, struct record_info *out, size_t most)
{
    size_t at = 0;
    uv_mutex_lock(&r->lock);
    for (const struct recording *x = r->newest; x && at < most; x = x->next)
        out[at++] = x->info;
    const size_t count = r->count;
    uv_mutex_unlock(&r->lock);
    return count;
}

static void add(struct record_totals *sum, const struct record_info *i)
{
    sum->running += i->state == RECORD_RUNS;
    sum->ended += i->state != RECORD_RUNS;
    sum->failed += i->state == RECORD_FAILED;
    sum->samples += i->samples;
    sum->missing += i->missing;
}

void recorder_sum(struct recorder *r, struct record_totals *out)
{
    *out = (struct record_totals){0};
    if (!r)
        return;
    uv_mutex_lock(&r->lock);
    *out = r->forgotten;
    for (const struct recording *x = r->newest; x; x = x->next)
        add(out, &x->info);
    uv_mutex_unlock(&r->lock);
    out->on = true;
    sum_disk(r, out);
}

struct record_file *recorder_files(struct recorder *r, size_t *count)
{
    uv_mutex_lock(&r->lock);
    struct record_file *files = r->file_count ? calloc(r->file_count, sizeof *files) : NULL;
    *count = files ? r->file_count : 0;
    if (files)
        memcpy(files, r->files, r->file_count * sizeof *files);
    uv_mutex_unlock(&r->lock);
    return files;
}

int recorder_open_file(const struct recorder *r, const char *file, uint64_t *bytes)
{
    return record_open(r->config.options->folder, file, bytes);
}

bool recorder_find(struct recorder *r, uint64_t id, struct record_info *out)
{
    uv_mutex_lock(&r->lock);
    const struct recording *x = r->newest;
    while (x && x->info.id != id)
        x = x->next;
    if (x)
        *out = x->info;
    uv_mutex_unlock(&r->lock);
    return x != NULL;
}

/* ---- the keeper: everything that waits for the disk -------------------------------------- */

/* Each epoch from its first sample on. In a replay the tap holds them until then. */
static void record_new_epochs(struct recorder *r)
{
    struct reason why = {0};
    struct epoch *e;
    while (r->config.options->all && (e = iq_tap_epoch_from(r->all_tap, r->next_epoch))) {
        const struct record_request q = {.epoch = e->number, .to = RECORD_OPEN};
        uint64_t id;
        r->next_epoch = e->number + 1;
        const uint32_t number = e->number;
        if (start_in(r, e, &q, &id, &why) < 0)
            log_error("%s", why.sentence);
        iq_tap_forget(r->all_tap, number);
    }
}

/* Frees what ended long ago. */
static void forget_oldest(struct recorder *r)
{
    uv_mutex_lock(&r->lock);
    struct recording **at = &r->newest;
    for (size_t i = 0; *at; i++) {
        struct recording *x = *at;
        const bool forget = i >= KEPT && x->ended;
        if (!forget) {
            at = &x->next;
            continue;
        }
        *at = x->next;
        r->count--;
        add(&r->forgotten, &x->info);
        uv_thread_join(&x->thread); /* its last steps wait for nothing */
        recording_free(x);
    }
    uv_mutex_unlock(&r->lock);
}

static void list_folder(struct recorder *r)
{
    struct record_file *files, *old;
    size_t count;
    record_list_files(r->config.options->folder, &files, &count);
    uv_mutex_lock(&r->lock);
    old = r->files;
    r->files = files;
    r->file_count = count;
    uv_mutex_unlock(&r->lock);
    free(old);
}

static void apply_limits(struct recorder *r)
{
    const struct record_options *o = r->config.options;
    if (o->max_bytes > 0 || o->max_age_s > 0)
        record_apply_limits(o, age_clock_now_ns(r->clock));
}

/* In one line, because there may be hundreds of them. */
static void log_events(struct recorder *r)
{
    uv_mutex_lock(&r->lock);
    const struct event_allowance since = r->allowance;
    r->allowance.recorded = r->allowance.bytes = r->allowance.refused = 0;
    uv_mutex_unlock(&r->lock);
    event_allowance_log(&since, r->config.options->events_max);
}

static void keeper_main(void *arg)
{
    struct recorder *r = arg;
    uint64_t limits_ns = 0, list_ns = 0, log_ns = clock_after_ms(LOG_MS);
    bool stop = false;
    pthread_setname_np(pthread_self(), "keeper");
    while (!stop) {
        uv_mutex_lock(&r->lock);
        if (!r->stop)
            uv_cond_timedwait(&r->changed, &r->lock, STEP_MS * UINT64_C(1000000));
        stop = r->stop;
        uv_mutex_unlock(&r->lock);
        forget_oldest(r);
        if (clock_now_ns() >= limits_ns) {
            apply_limits(r);
            limits_ns = clock_after_ms(LIMITS_MS);
        }
        const uint64_t now_ns = clock_now_ns();
        if (now_ns >= list_ns) {
            list_folder(r);
            const uint64_t took_ms = (clock_now_ns() - now_ns) / 1000000;
            list_ns = clock_after_ms((int)(LIST_MS + LIST_PAUSE * took_ms));
        }
        if (now_ns >= log_ns) {
            log_events(r);
            log_ns = clock_after_ms(LOG_MS);
        }
        record_new_epochs(r);
    }
}

/* ---- life ------------------------------------------------------------------------------- */

int recorder_create(struct recorder **out, const struct recorder_config *config, struct reason *why)
{
    struct reason inner = {0};
    *out = NULL;
    int err = record_prepare_folder(config->options->folder, why);
    if (err < 0)
        return err;
    err = record_repair(config->options->folder, RECORD_REPAIR_HASHED, &inner);
    if (err == -EINTR)
        return reason_set(why, err, "record: %s", inner.sentence);
    if (err < 0)
        log_warn("record: %s", inner.sentence);
    struct recorder *r = calloc(1, sizeof *r);
    if (!r || uv_mutex_init(&r->lock) < 0) {
        free(r);
        return reason_set(why, -ENOMEM, "record: no memory");
    }
    uv_cond_init(&r->changed);
    r->config = *config;
    err = age_clock_create(&r->clock, config->options->folder,
                           record_newest_ns(config->options->folder), &age_clock_system);
    if (err == 0)
        err = iq_tap_create(&r->tap, config->lossless);
    if (err == 0)
        err = iq_tap_create(&r->all_tap, config->lossless);
    if (err == 0)
        err = iq_tap_create(&r->disk_tap, config->lossless);
    if (err == 0) {
        iq_tap_chain(r->tap, r->all_tap);
        iq_tap_chain(r->tap, r->disk_tap);
        iq_tap_want(r->all_tap, config->options->all);
        err = uv_thread_create(&r->keeper, keeper_main, r);
        r->has_keeper = err == 0;
    }
    if (err < 0)
        reason_set(why, err, "record: %s", strerror(-err));
    else
        err = start_disk(r, why);
    if (err < 0) {
        recorder_destroy(r);
        return err;
    }
    *out = r;
    return 0;
}

/* Running ones end at the newest sample. */
static void stop_all(struct recorder *r)
{
    uv_mutex_lock(&r->lock);
    for (struct recording *x = r->newest; x; x = x->next) {
        const uint64_t now = x->ended ? 0 : recording_end_now(x);
        if (x->info.to > now)
            x->info.to = now;
    }
    uv_mutex_unlock(&r->lock);
}

static void stop_keeper(struct recorder *r)
{
    uv_mutex_lock(&r->lock);
    r->stop = true;
    uv_cond_signal(&r->changed);
    uv_mutex_unlock(&r->lock);
    if (r->has_keeper)
        uv_thread_join(&r->keeper);
    r->has_keeper = false;
}

bool recorder_finish(struct recorder *r)
{
    bool good = true;
    if (!r)
        return good;
    stop_keeper(r); /* its last step starts what is still to be recorded */
    stop_all(r);
    for (struct recording *x = r->newest; x; x = x->next) {
        if (!x->joined)
            uv_thread_join(&x->thread);
        x->joined = true;
        good = good && x->info.state == RECORD_DONE;
    }
    log_events(r);
    return good;
}

void recorder_destroy(struct recorder *r)
{
    if (!r)
        return;
    recorder_finish(r);
    while (r->newest) {
        struct recording *x = r->newest;
        r->newest = x->next;
        recording_free(x);
    }
    free(r->files);
    age_clock_destroy(r->clock);
    stop_disk(r);
    iq_tap_destroy(r->disk_tap);
    iq_tap_destroy(r->all_tap);
    iq_tap_destroy(r->tap);
    uv_cond_destroy(&r->changed);
    uv_mutex_destroy(&r->lock);
    free(r);
}
