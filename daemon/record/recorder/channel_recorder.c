/* channel_recorder.c - blocks of transmissions into pairs. */
#include "daemon/record/recorder/channel_recorder.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/channel/channel_gain.h"
#include "daemon/channel/channel_output.h"
#include "daemon/option/option_text.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_meta.h"
#include "daemon/record/record_pair.h"
#include "daemon/record/recorder/recorder.h"

enum {
    BUFFER_BYTES = 1 << 16, /* of a pair, that are written together */
    WAIT_MS = 100,
    NICER = 10,
};
#define SHORTEST_S 0.1 /* of a transmission that is recorded */

enum progress {
    WAITS,   /* for more of the transmission: it may be too short */
    WRITES,  /* the pair is open */
    IGNORES, /* the rest of the transmission */
};

/* A channel. */
struct input {
    struct input *next;
    char name[OPTION_NAME_MAX + 1];
    double rate_hz, max_s;
    struct channel_output *output;
    struct channel_cursor cursor;
    uint64_t transmission; /* of the blocks; 0: none yet */
    enum progress progress;
    struct channel_block **waiting; /* blocks of the beginning */
    size_t waits, capacity;
    struct record_pair pair;
    struct channel_gain gain;
    struct record_moment at; /* of the newest capture */
    uint64_t index, samples; /* of the next sample; in the pair so far, also in the buffer */
    unsigned char *buffer;   /* [BUFFER_BYTES] */
    size_t filled;
};

struct channel_recorder {
    const struct record_options *options;
    struct recorder *recorder;
    enum fft_iq_format format;
    uv_thread_t thread;
    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    struct input *added;
    bool woken, stop;
    /* the thread's */
    struct input *inputs;
};

/* ---- pairs ------------------------------------------------------------------------------- */

/* As of a radio that has this channel alone. */
static struct stream stream_of(const struct channel_recorder *r, const struct input *x)
{
    struct stream s = {
        .format = r->format, .full_scale = fft_iq_full_scale(r->format), .gain_db = NAN};
    s.tuning.rate_hz = x->rate_hz;
    return s;
}

static struct record_moment moment_of(const struct input *x, const struct channel_block *b)
{
    struct record_moment m = {.position = x->samples,
                              .sample_number = b->index,
                              .gain_db = NAN,
                              .has_time = b->dated,
                              .time_ns = b->time_ns};
    m.tuning.rate_hz = x->rate_hz;
    m.tuning.center_hz = b->center_hz;
    return m;
}

/* The block follows `missing` samples that are not there. */
static int begin_capture(struct input *x, const struct channel_block *b, uint64_t missing)
{
    const struct record_moment m = moment_of(x, b);
    json_t *capture = record_meta_capture(&m, NULL, x->samples, missing);
    x->at = m;
    return record_pair_describe(&x->pair, "capture", capture);
}

static int begin_pair(const struct channel_recorder *r, struct input *x,
                      const struct channel_block *b)
{
    const struct record_moment m = moment_of(x, b);
    const struct stream s = stream_of(r, x);
    const int64_t time_ns = b->dated ? b->time_ns : RECORD_UNDATED;
    const struct record_start start = {time_ns, (double)b->time_ns * 1e-9, x->name};
    if (record_free_bytes(r->options->folder) < r->options->min_free)
        return -ENOSPC;
    int err = record_pair_create(&x->pair, r->options->folder, start, b->center_hz, x->rate_hz,
                                 (uint32_t)fft_iq_bytes(r->format));
    if (err == 0)
        err = record_pair_describe(&x->pair, "global", record_meta_global(&s, &m, x->name));
    x->samples = x->filled = 0;
    channel_gain_init(&x->gain, false, 0);
    return err;
}

static int flush(struct input *x)
{
    const int err = x->filled > 0 ? record_pair_write(&x->pair, x->buffer, x->filled) : 0;
    x->filled = 0;
    return err;
}

static void end_pair(struct input *x, const char *end)
{
    struct reason why = {0};
    if (!x->pair.folder)
        return;
    int err = flush(x);
    if (err < 0)
        end = strerror(-err);
    if (x->pair.bytes == 0)
        record_pair_remove(&x->pair);
    else if ((err = record_pair_finish(&x->pair, end, &why)) < 0)
        log_warn("channel %s: %s", x->name, why.sentence[0] ? why.sentence : strerror(-err));
    record_pair_close(&x->pair);
}

/* ---- samples ------------------------------------------------------------------------------ */

/* -EDQUOT: record-events-max allows no more. */
static int write_samples(struct channel_recorder *r, struct input *x, const struct channel_block *b,
                         size_t count)
{
    const size_t bytes = fft_iq_bytes(r->format), most = BUFFER_BYTES / bytes;
    int err = recorder_allow(r->recorder, b->time_ns, count * bytes, x->samples == 0);
    for (size_t at = 0, now; err == 0 && at < count; at += now) {
        now = count - at < most ? count - at : most;
        if (x->filled + now * bytes > BUFFER_BYTES)
            err = flush(x);
        if (err < 0)
            break;
        channel_gain_pack(&x->gain, r->format, x->rate_hz, b->sample + at, now,
                          x->buffer + x->filled);
        x->filled += now * bytes;
        x->samples += now;
    }
    x->index = b->index + count;
    return err;
}

static size_t room_for(const struct input *x, size_t count)
{
    const double most = x->max_s > 0 ? x->max_s * x->rate_hz : INFINITY;
    const double left = most - (double)x->samples;
    return left < (double)count ? (size_t)fmax(left, 0) : count;
}

static void write_block(struct channel_recorder *r, struct input *x, const struct channel_block *b)
{
    int err = x->samples == 0 && !x->pair.folder ? begin_pair(r, x, b) : 0;
    const size_t count = room_for(x, b->count);
    if (err == 0 && (x->samples == 0 || b->index != x->index))
        err = begin_capture(x, b, x->samples > 0 && b->index > x->index ? b->index - x->index : 0);
    if (err == 0)
        err = write_samples(r, x, b, count);
    if (err == 0 && count == b->count)
        return;
    if (err < 0 && err != -EDQUOT) /* the recorder counts these */
        log_warn("channel %s is not recorded: %s", x->name, strerror(-err));
    end_pair(x, err == -EDQUOT ? "record-events-max" : err < 0 ? strerror(-err) : "max-duration");
    x->progress = IGNORES;
}

/* ---- transmissions ------------------------------------------------------------------------ */

static void drop_waiting(struct input *x)
{
    for (size_t i = 0; i < x->waits; i++)
        channel_block_unref(x->waiting[i]);
    x->waits = 0;
}

static void write_waiting(struct channel_recorder *r, struct input *x)
{
    x->progress = WRITES;
    x->samples = 0;
    for (size_t i = 0; i < x->waits && x->progress == WRITES; i++)
        write_block(r, x, x->waiting[i]);
    drop_waiting(x);
}

/* Takes over the block. */
static void keep_waiting(struct input *x, struct channel_block *b)
{
    if (x->waits == x->capacity) {
        const size_t more = x->capacity > 0 ? 2 * x->capacity : 128;
        void *grown = realloc(x->waiting, more * sizeof *x->waiting);
        if (!grown) {
            channel_block_unref(b);
            return;
        }
        x->waiting = grown;
        x->capacity = more;
    }
    x->waiting[x->waits++] = b;
}

static void end_transmission(struct input *x, const char *end)
{
    drop_waiting(x);
    end_pair(x, end);
    x->progress = IGNORES;
}

/* Takes over the block. */
static void take(struct channel_recorder *r, struct input *x, struct channel_block *b)
{
    const bool last = b->last;
    if (b->transmission != x->transmission) { /* its end was lost, if the one before had one */
        end_transmission(x, "complete");
        x->transmission = b->transmission;
        x->progress = WAITS;
    }
    const bool heard = b->heard_s >= SHORTEST_S;
    if (x->progress == WAITS)
        keep_waiting(x, b);
    else if (x->progress == WRITES)
        write_block(r, x, b);
    if (x->progress != WAITS)
        channel_block_unref(b);
    else if (heard)
        write_waiting(r, x);
    if (last)
        end_transmission(x, "complete");
}

/* ---- the thread --------------------------------------------------------------------------- */

static void free_input(struct input *x)
{
    channel_output_leave(x->output, &x->cursor);
    channel_output_unref(x->output);
    end_transmission(x, "the stream ended");
    free(x->waiting);
    free(x->buffer);
    free(x);
}

/* All blocks that are there. True: the output has ended. */
static bool drain(struct channel_recorder *r, struct input *x)
{
    bool closed;
    struct channel_block *b;
    while ((b = channel_output_take(x->output, &x->cursor, &closed)))
        take(r, x, b);
    return closed;
}

static void take_added(struct channel_recorder *r, struct input *added)
{
    while (added) {
        struct input *x = added;
        added = x->next;
        x->next = r->inputs;
        r->inputs = x;
    }
}

static void recorder_main(void *arg)
{
    struct channel_recorder *r = arg;
    pthread_setname_np(pthread_self(), "channel-rec");
    (void)!nice(NICER); /* a failure costs nothing */
    for (bool stop = false; !stop || r->inputs;) {
        uv_mutex_lock(&r->lock);
        if (!r->stop && !r->woken)
            uv_cond_timedwait(&r->changed, &r->lock, WAIT_MS * UINT64_C(1000000));
        stop = r->stop;
        r->woken = false;
        struct input *added = r->added;
        r->added = NULL;
        uv_mutex_unlock(&r->lock);
        take_added(r, added);
        for (struct input **at = &r->inputs; *at;) {
            struct input *x = *at;
            if (!drain(r, x)) {
                at = &x->next;
                continue;
            }
            *at = x->next;
            free_input(x);
        }
    }
}

/* ---- life --------------------------------------------------------------------------------- */

int channel_recorder_create(struct channel_recorder **out, const struct record_options *options,
                            struct recorder *recorder)
{
    struct channel_recorder *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r || uv_mutex_init(&r->lock) < 0) {
        free(r);
        return -ENOMEM;
    }
    uv_cond_init(&r->changed);
    r->options = options;
    r->recorder = recorder;
    r->format = options->cut_cs16 ? FFT_IQ_CS16 : FFT_IQ_CF32;
    const int err = uv_thread_create(&r->thread, recorder_main, r);
    if (err < 0) {
        uv_cond_destroy(&r->changed);
        uv_mutex_destroy(&r->lock);
        free(r);
        return err;
    }
    *out = r;
    return 0;
}

void channel_recorder_destroy(struct channel_recorder *r)
{
    if (!r)
        return;
    uv_mutex_lock(&r->lock);
    r->stop = true;
    uv_cond_broadcast(&r->changed);
    uv_mutex_unlock(&r->lock);
    uv_thread_join(&r->thread);
    uv_cond_destroy(&r->changed);
    uv_mutex_destroy(&r->lock);
    free(r);
}

void channel_recorder_wake(struct channel_recorder *r)
{
    if (!r)
        return;
    uv_mutex_lock(&r->lock);
    r->woken = true;
    uv_cond_broadcast(&r->changed);
    uv_mutex_unlock(&r->lock);
}

void channel_recorder_add(struct channel_recorder *r, const char *name, double rate_hz,
                          double max_s, struct channel_output *output)
{
    struct input *x = calloc(1, sizeof *x);
    if (x)
        x->buffer = malloc(BUFFER_BYTES);
    if (!x || !x->buffer) {
        free(x);
        log_error("channel %s is not recorded: no memory", name);
        return;
    }
    snprintf(x->name, sizeof x->name, "%s", name);
    x->rate_hz = rate_hz;
    x->max_s = max_s;
    x->progress = IGNORES;
    x->output = channel_output_ref(output);
    channel_output_join(output, &x->cursor);
    uv_mutex_lock(&r->lock);
    x->next = r->added;
    r->added = x;
    uv_mutex_unlock(&r->lock);
}
