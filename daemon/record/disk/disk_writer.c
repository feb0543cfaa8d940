/* disk_writer.c - copies the IQ rings of all epochs into the disk ring. */
#include "daemon/record/disk/disk_writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/stream/epoch/iq_feed.h"

enum { BUFFER_BYTES = 1 << 20, WAIT_MS = 100, IDLE_MS = 10, LOG_MS = 10000 };

struct disk_writer {
    struct disk_ring *ring;
    struct iq_tap *tap;
    bool lossless;
    uv_thread_t thread;
    unsigned char *buffer;
    uint64_t log_ns;     /* until then, no more lines about failures */
    uint32_t next_epoch; /* the first one that is not written yet */
    uv_mutex_t lock;
    /* under lock */
    bool stop;
    struct disk_writer_counts counts;
};

static bool must_stop(struct disk_writer *w)
{
    uv_mutex_lock(&w->lock);
    const bool stop = w->stop;
    uv_mutex_unlock(&w->lock);
    return stop;
}

static void count(struct disk_writer *w, uint64_t *which, uint64_t samples)
{
    uv_mutex_lock(&w->lock);
    *which += samples;
    uv_mutex_unlock(&w->lock);
}

static void report(struct disk_writer *w, const char *why)
{
    if (clock_now_ns() < w->log_ns)
        return;
    log_warn("iq-history: samples are lost: %s", why);
    w->log_ns = clock_after_ms(LOG_MS);
}

/* ---- one epoch -------------------------------------------------------------------------- */

static void put(struct disk_writer *w, const struct epoch *e, struct iq_feed *f, void *samples,
                uint64_t first, uint64_t samples_count)
{
    if (f->fresh) {
        const struct disk_piece piece = {.epoch = e->number,
                                         .fresh = true,
                                         .anew = f->anew,
                                         .position = first,
                                         .mark = f->mark,
                                         .stream = e->stream};
        disk_ring_begin(w->ring, &piece);
    }
    f->fresh = f->anew = false;
    const int err = disk_ring_write(w->ring, samples, samples_count);
    count(w, err < 0 ? &w->counts.failed : &w->counts.written, samples_count);
    if (err < 0) { /* the next samples begin a block */
        f->fresh = f->anew = true;
        report(w, strerror(-err));
    }
}

static void copy(struct disk_writer *w, const struct epoch *e, struct iq_feed *f, uint64_t end)
{
    void *samples;
    uint64_t first;
    const uint64_t from = f->position;
    const uint64_t got =
        iq_feed_read(f, end, w->buffer, BUFFER_BYTES / f->sample_bytes, &samples, &first);
    if (first > from) {
        count(w, &w->counts.overrun, first - from);
        report(w, "the disk is too slow");
    }
    if (got > 0)
        put(w, e, f, samples, first, got);
}

/* Up to its end, or to what it has when the writer is to stop. */
static void write_epoch(struct disk_writer *w, struct epoch *e)
{
    struct iq_feed f;
    bool final = false;
    iq_feed_join(&f, e, 0, w->lossless);
    iq_tap_forget(w->tap, e->number);
    count(w, &w->counts.overrun, f.position);
    for (bool more = true; more;) {
        const bool stop = must_stop(w);
        const uint64_t twentieth = (uint64_t)(e->stream.tuning.rate_hz / 20) + 1;
        const uint64_t most = BUFFER_BYTES / f.sample_bytes;
        const uint64_t want = f.position + (twentieth < most ? twentieth : most);
        const uint64_t reached =
            iq_ring_follow(f.ring, &e->reader, want, stop ? 0 : WAIT_MS, &final);
        if (reached > f.position)
            copy(w, e, &f, reached);
        else
            more = !final && !stop;
    }
    iq_feed_leave(&f);
}

/* ---- the thread ------------------------------------------------------------------------- */

static void run(void *arg)
{
    struct disk_writer *w = arg;
    pthread_setname_np(pthread_self(), "disk ring");
    for (bool stop = false; !stop;) {
        stop = must_stop(w);
        struct epoch *e = iq_tap_epoch_from(w->tap, w->next_epoch);
        if (e) {
            w->next_epoch = e->number + 1;
            write_epoch(w, e);
            epoch_unref(e);
            stop = false;
        } else if (!stop) {
            nanosleep(&(struct timespec){.tv_nsec = IDLE_MS * 1000000L}, NULL);
        }
    }
}

int disk_writer_create(struct disk_writer **out, struct disk_ring *ring, struct iq_tap *tap,
                       bool lossless)
{
    *out = NULL;
    struct disk_writer *w = calloc(1, sizeof *w);
    if (!w)
        return -ENOMEM;
    w->ring = ring;
    w->tap = tap;
    w->lossless = lossless;
    w->buffer = malloc(BUFFER_BYTES);
    uv_mutex_init(&w->lock);
    iq_tap_want(tap, true);
    const int err = w->buffer ? uv_thread_create(&w->thread, run, w) : -ENOMEM;
    if (err < 0) {
        uv_mutex_destroy(&w->lock);
        free(w->buffer);
        free(w);
        return err;
    }
    *out = w;
    return 0;
}

void disk_writer_destroy(struct disk_writer *w)
{
    if (!w)
        return;
    uv_mutex_lock(&w->lock);
    w->stop = true;
    uv_mutex_unlock(&w->lock);
    uv_thread_join(&w->thread);
    uv_mutex_destroy(&w->lock);
    free(w->buffer);
    free(w);
}

void disk_writer_counts(struct disk_writer *w, struct disk_writer_counts *out)
{
    uv_mutex_lock(&w->lock);
    *out = w->counts;
    uv_mutex_unlock(&w->lock);
}
