/* recorder.c - ends and lists recordings, and keeps their folder. */
#include "daemon/record/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/age_clock.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_repair.h"
#include "daemon/record/recorder_private.h"

enum { KEPT = 1000, STEP_MS = 20, LIMITS_MS = 10000, LIST_MS = 1000, LIST_PAUSE = 20 };

struct iq_tap *recorder_tap(struct recorder *r)
{
    return r->tap;
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
    if (x)
        x->info.to = to;
    uv_mutex_unlock(&r->lock);
    return x ? 0 : -ENOENT;
}

int recorder_stop(struct recorder *r, uint64_t id)
{
    uv_mutex_lock(&r->lock);
    struct recording *x = find_running(r, id);
    const uint64_t now = x ? recorder_end_now(x) : 0;
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
    recorder_sum_disk(r, out);
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
        if (recorder_start_in(r, e, &q, &id, &why) < 0)
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
        recorder_free_recording(x);
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

static void keeper_main(void *arg)
{
    struct recorder *r = arg;
    uint64_t limits_ns = 0, list_ns = 0;
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
        err = recorder_start_disk(r, why);
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
        const uint64_t now = x->ended ? 0 : recorder_end_now(x);
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
        recorder_free_recording(x);
    }
    free(r->files);
    age_clock_destroy(r->clock);
    recorder_stop_disk(r);
    iq_tap_destroy(r->disk_tap);
    iq_tap_destroy(r->all_tap);
    iq_tap_destroy(r->tap);
    uv_cond_destroy(&r->changed);
    uv_mutex_destroy(&r->lock);
    free(r);
}
