/* channels.c - opens, lists and closes channels, and runs their thread. */
#include "daemon/channel/channels.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/channel/channel_pipeline.h"
#include "daemon/stream/epoch/iq_tap.h"

const struct figure channels_figures[] = {
    FIGURE_GAUGE(struct channels_state, open, NULL, "fftd_channels_open",
                 "Channels that are open."),
    FIGURE_COUNTER(struct channels_state, opened_total, NULL, "fftd_channels_opened",
                   "Channels that were opened."),
    FIGURE_COUNTER(struct channels_state, missed, NULL, "fftd_channel_missed_samples",
                   "Samples that were overwritten before the channels had them."),
    FIGURE_END,
};

enum {
    BLOCKS_MIN = 4,
    BLOCKS_MAX = 192,       /* that an output keeps: 1.1 s of 6 ms */
    OUTPUT_BYTES = 4 << 20, /* of them; at high rates they are fewer */
    WAIT_MS = 50,
    IDLE_MS = 1000,
    PRE_BLOCKS_MAX = 100000,
    ADDING_MS = 2,
    NICER = 5, /* than the threads of the source and of the analysis */
};
#define BLOCK_S 0.006 /* of samples that a block adds */

struct channels {
    struct channels_config config;
    struct iq_tap *tap;
    uv_thread_t thread;
    bool has_thread;
    uv_mutex_t lock;
    uv_cond_t changed, stopped; /* of what the thread has to do; of what it has done */
    /* under lock */
    struct channel *oldest;
    size_t open;
    uint64_t ids, missed, transformed, version;
    size_t named;
    double block_s;
    bool stop, final; /* final: no epoch will follow */
    bool done;        /* none followed, or there is nothing to do */
    /* the thread's */
    struct channel *active; /* channels that it serves */
    struct channel_pipeline pipeline;
    bool has_pipeline;
    uint32_t next_epoch; /* the lowest number of an epoch that was not read */
};

const char *channel_state_name(enum channel_state state)
{
    static const char *const names[] = {"starts", "open", "armed", "idle", "outside", "refused"};
    return names[state];
}

/* ---- the thread --------------------------------------------------------------------------- */

static void free_channel(struct channel *x)
{
    channel_output_close(x->output);
    channel_output_unref(x->output);
    free(x);
}

/* With the lock held: a named channel that takes nothing by itself, and has no reader. */
static bool is_idle(const struct channel *x)
{
    return x->info.name[0] && !x->info.request.armed && x->readers == 0;
}

/* With the lock held: whether the thread has to do something. */
static bool has_work(const struct channels *c)
{
    bool any = false;
    for (const struct channel *x = c->oldest; x && !any; x = x->next)
        any = x->closed ? !x->removed || (x->released && x->readers == 0) : !is_idle(x) || x->tried;
    return any;
}

/* With the lock held: into the lists of those that it serves, and of those that it no longer does.
 */
static struct channel *sort_channels(struct channels *c)
{
    struct channel *gone = NULL, **end = &c->active;
    c->active = NULL;
    for (struct channel *x = c->oldest; x; x = x->next) {
        if (!x->closed && !is_idle(x)) {
            *end = x;
            end = &x->active;
            x->active = NULL;
        } else if (x->closed ? !x->removed : x->tried || x->info.state == CHANNEL_STARTS) {
            x->active = gone;
            gone = x;
        }
    }
    return gone;
}

static void remove_gone(struct channels *c, struct channel *gone)
{
    while (gone) {
        struct channel *x = gone;
        gone = x->active;
        if (c->has_pipeline)
            channel_pipeline_remove(&c->pipeline, x);
        uv_mutex_lock(&c->lock);
        c->version++;
        x->removed = x->closed;
        x->info.state = CHANNEL_IDLE;
        uv_mutex_unlock(&c->lock);
        if (x->removed)
            channel_output_close(x->output);
    }
}

static void free_removed(struct channels *c)
{
    struct channel *freed = NULL;
    uv_mutex_lock(&c->lock);
    for (struct channel **at = &c->oldest; *at;) {
        struct channel *x = *at;
        if (!x->removed || !x->released || x->readers > 0) {
            at = &x->next;
            continue;
        }
        *at = x->next;
        x->active = freed;
        freed = x;
    }
    uv_mutex_unlock(&c->lock);
    while (freed) {
        struct channel *x = freed;
        freed = x->active;
        free_channel(x);
    }
}

/* In real time not for long: planning takes time, in which the others wait for their samples. */
static void add_new(struct channels *c)
{
    const uint64_t until = clock_after_ms(ADDING_MS);
    for (struct channel *x = c->active; x; x = x->active) {
        if (x->tried)
            continue;
        channel_pipeline_add(&c->pipeline, x, &c->lock);
        if (!c->config.lossless && clock_now_ns() >= until)
            return;
    }
}

/* Takes over what was opened, and frees what was closed. */
static void update(struct channels *c)
{
    uv_mutex_lock(&c->lock);
    struct channel *gone = sort_channels(c);
    uv_mutex_unlock(&c->lock);
    remove_gone(c, gone);
    free_removed(c);
    if (c->has_pipeline)
        add_new(c);
}

static void end_pipeline(struct channels *c)
{
    if (!c->has_pipeline)
        return;
    for (struct channel *x = c->active; x; x = x->active)
        channel_pipeline_remove(&c->pipeline, x);
    channel_pipeline_finish(&c->pipeline);
    c->has_pipeline = false;
}

/* A tap of a replay keeps all epochs, for those who come. */
static void forget_old_epochs(struct channels *c)
{
    struct epoch *e = c->config.lossless ? iq_tap_newest(c->tap) : NULL;
    if (e)
        iq_tap_forget(c->tap, e->number);
    epoch_unref(e);
}

/* In a replay each epoch from its first sample on, else the newest one. */
static void begin_pipeline(struct channels *c)
{
    struct reason why = {0};
    struct epoch *e =
        c->config.lossless ? iq_tap_epoch_from(c->tap, c->next_epoch) : iq_tap_newest(c->tap);
    if (e && e->number < c->next_epoch) { /* it was read to its end */
        epoch_unref(e);
        e = NULL;
    }
    if (!e)
        return;
    const uint32_t number = e->number;
    const int err = channel_pipeline_init(&c->pipeline, e, c->config.lossless,
                                          c->config.options->max_bytes, &why);
    c->has_pipeline = err == 0;
    c->pipeline.ready = c->config.ready;
    c->pipeline.transmission = c->config.transmission;
    c->pipeline.user = c->config.user;
    c->pipeline.version = &c->version;
    if (err < 0) {
        log_error("channels: %s", why.sentence);
        c->next_epoch = number + 1;
    }
    if (c->config.lossless)
        iq_tap_forget(c->tap, number);
}

static void publish(struct channels *c, uint64_t missed_before, uint64_t transformed_before)
{
    uv_mutex_lock(&c->lock);
    c->block_s = c->pipeline.grid.n / c->pipeline.grid.rate_hz;
    c->missed += c->pipeline.missed - missed_before;
    c->transformed += c->pipeline.transformed - transformed_before;
    uv_mutex_unlock(&c->lock);
}

/* Before the search for an epoch: one that is not found then is none. */
static bool is_final(struct channels *c)
{
    uv_mutex_lock(&c->lock);
    const bool final = c->final;
    uv_mutex_unlock(&c->lock);
    return final;
}

static void end_outputs(struct channels *c)
{
    for (struct channel *x = c->active; x; x = x->active) {
        if (!x->ended)
            channel_output_close(x->output);
        x->ended = true;
    }
}

static void step(struct channels *c)
{
    const bool final = is_final(c);
    if (!c->has_pipeline)
        begin_pipeline(c);
    update(c);
    if (!c->has_pipeline) {
        if (final)
            end_outputs(c);
        uv_mutex_lock(&c->lock);
        c->done = c->done || final;
        uv_cond_broadcast(&c->stopped);
        if (!c->stop)
            uv_cond_timedwait(&c->changed, &c->lock, WAIT_MS * UINT64_C(1000000));
        uv_mutex_unlock(&c->lock);
        return;
    }
    if (c->config.lossless) /* the pipeline keeps what its channels need */
        iq_tap_forget(c->tap, c->pipeline.epoch->number);
    const uint64_t missed = c->pipeline.missed, transformed = c->pipeline.transformed;
    const bool over = channel_pipeline_step(&c->pipeline, c->active, final, &c->lock, WAIT_MS);
    publish(c, missed, transformed);
    if (over) {
        c->next_epoch = c->pipeline.epoch->number + 1;
        end_pipeline(c);
    }
}

static void channels_main(void *arg)
{
    struct channels *c = arg;
    pthread_setname_np(pthread_self(), "channels");
    (void)!nice(NICER); /* a failure costs nothing */
    for (bool stop = false; !stop;) {
        uv_mutex_lock(&c->lock);
        c->done = c->done || !has_work(c);
        if (!c->stop && !has_work(c))
            uv_cond_timedwait(&c->changed, &c->lock, IDLE_MS * UINT64_C(1000000));
        stop = c->stop;
        const bool idle = !has_work(c);
        if (idle)
            forget_old_epochs(c); /* with the lock: not those of a channel that is opened now */
        uv_mutex_unlock(&c->lock);
        if (!idle && !stop)
            step(c);
        if (!c->active)
            end_pipeline(c);
    }
    end_pipeline(c);
}

/* ---- life --------------------------------------------------------------------------------- */

int channels_create(struct channels **out, const struct channels_config *config, struct reason *why)
{
    struct channels *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c || uv_mutex_init(&c->lock) < 0) {
        free(c);
        return reason_set(why, -ENOMEM, "channels: no memory");
    }
    uv_cond_init(&c->changed);
    uv_cond_init(&c->stopped);
    c->config = *config;
    int err = iq_tap_create(&c->tap, config->lossless);
    if (err == 0)
        err = uv_thread_create(&c->thread, channels_main, c);
    c->has_thread = err == 0;
    if (err < 0) {
        reason_set(why, err, "channels: %s", strerror(-err));
        channels_destroy(c);
        return err;
    }
    *out = c;
    return 0;
}

void channels_stop(struct channels *c, int patience_ms)
{
    if (!c || !c->has_thread)
        return;
    const uint64_t until = clock_after_ms(patience_ms);
    uv_mutex_lock(&c->lock);
    c->final = true;
    uv_cond_broadcast(&c->changed);
    while (!c->done && clock_wait(&c->stopped, &c->lock, until))
        ;
    c->stop = true;
    for (struct channel *x = c->oldest; x; x = x->next)
        x->closed = true; /* so that nobody waits for a reader */
    uv_cond_broadcast(&c->changed);
    uv_mutex_unlock(&c->lock);
    uv_thread_join(&c->thread);
    c->has_thread = false;
    for (struct channel *x = c->oldest; x; x = x->next)
        channel_output_close(x->output);
}

void channels_destroy(struct channels *c)
{
    if (!c)
        return;
    channels_stop(c, 0);
    uv_mutex_lock(&c->lock);
    for (struct channel *x = c->oldest; x; x = x->next) {
        x->closed = x->released = true;
        x->readers = 0;
    }
    uv_mutex_unlock(&c->lock);
    update(c);
    iq_tap_destroy(c->tap);
    uv_cond_destroy(&c->changed);
    uv_cond_destroy(&c->stopped);
    uv_mutex_destroy(&c->lock);
    free(c);
}

struct iq_tap *channels_tap(struct channels *c)
{
    return c->tap;
}

void channels_end(struct channels *c)
{
    if (!c)
        return;
    uv_mutex_lock(&c->lock);
    c->final = true;
    uv_cond_broadcast(&c->changed);
    uv_mutex_unlock(&c->lock);
}

bool channels_finished(struct channels *c)
{
    if (!c)
        return true;
    uv_mutex_lock(&c->lock);
    const bool finished = c->done;
    uv_mutex_unlock(&c->lock);
    return finished;
}

/* ---- channels ------------------------------------------------------------------------------ */

static void add(struct channels *c, struct channel *x)
{
    uv_mutex_lock(&c->lock);
    struct channel **end = &c->oldest;
    while (*end)
        end = &(*end)->next;
    *end = x;
    *(x->info.name[0] ? &c->named : &c->open) += 1;
    c->version++;
    c->done = false;
    x->info.id = ++c->ids;
    uv_cond_broadcast(&c->changed);
    uv_mutex_unlock(&c->lock);
}

static int refuse_more(struct channels *c, struct reason *why)
{
    uv_mutex_lock(&c->lock);
    const bool full = c->open >= c->config.options->most;
    uv_mutex_unlock(&c->lock);
    if (!full)
        return 0;
    return c->config.options->most == 0
               ? reason_set(why, -EPERM, "channels are off: max-channels is 0")
               : reason_set(why, -EMFILE, "max-channels is %u, and as many are open",
                            c->config.options->most);
}

/* Blocks of 8 ms are as long as any. What comes before a transmission comes at once. */
static uint32_t blocks_of(const struct channel_request *q)
{
    const double bytes = BLOCK_S * q->rate_hz * sizeof(struct fft_iq);
    const double pre = q->armed ? fmin(fmax(q->pre_s / BLOCK_S, 0), PRE_BLOCKS_MAX) : 0;
    return (uint32_t)(fmin(fmax(OUTPUT_BYTES / fmax(bytes, 1), BLOCKS_MIN), BLOCKS_MAX) + pre);
}

static int check_request(const struct channel_request *q, struct reason *why)
{
    if (!(q->rate_hz > 0))
        return reason_key(why, -EINVAL, "rate_hz",
                          "rate_hz: a channel needs a sample rate, such as 48k");
    if (q->armed && q->squelch.by == SQUELCH_OFF)
        return reason_key(why, -EINVAL, "squelch",
                          "squelch: an armed channel needs one, such as 6 (dB above the noise)");
    return 0;
}

static int make(struct channels *c, const struct channel_request *q, struct channel **out,
                struct reason *why)
{
    struct channel *x = calloc(1, sizeof *x);
    const bool waits = c->config.lossless && q->waits;
    *out = x;
    if (!x || channel_output_create(&x->output, blocks_of(q), waits, c->config.ready,
                                    c->config.user) < 0) {
        free(x);
        return reason_set(why, -ENOMEM, "a channel: no memory");
    }
    x->owner = c;
    x->info.request = *q;
    x->info.level_dbfs = -INFINITY;
    x->info.noise_dbfs = NAN;
    return 0;
}

int channel_open(struct channels *c, const struct channel_request *request, struct channel **out,
                 struct reason *why)
{
    struct channel *x;
    const bool waits = c->config.lossless && request->waits;
    *out = NULL;
    int err = check_request(request, why);
    if (err == 0)
        err = refuse_more(c, why);
    if (err == 0)
        err = make(c, request, &x, why);
    if (err < 0)
        return err;
    add(c, x);
    if (waits) {
        iq_tap_want(c->tap, true);
        iq_tap_hold(c->tap); /* until the thread serves it */
    }
    *out = x;
    return 0;
}

int channel_open_named(struct channels *c, const struct channel_named *n, struct channel **out,
                       struct reason *why)
{
    struct channel *x;
    *out = NULL;
    int err = check_request(&n->request, why);
    if (err == 0 && c->config.options->most == 0)
        err = reason_set(why, -EPERM, "channels are off: max-channels is 0");
    if (err == 0)
        err = make(c, &n->request, &x, why);
    if (err < 0)
        return err;
    snprintf(x->info.name, sizeof x->info.name, "%s", n->name);
    snprintf(x->info.mode, sizeof x->info.mode, "%s", n->mode ? n->mode : "");
    x->info.passband_hz = n->passband_hz;
    if (n->opened)
        n->opened(n->user, x);
    if (c->config.lossless)
        iq_tap_want(c->tap, true);
    add(c, x);
    *out = x;
    return 0;
}

void channel_join(struct channel *x)
{
    uv_mutex_lock(&x->owner->lock);
    x->readers++;
    x->owner->done = false;
    uv_cond_broadcast(&x->owner->changed);
    uv_mutex_unlock(&x->owner->lock);
}

void channel_leave(struct channel *x)
{
    if (!x)
        return;
    struct channels *c = x->owner; /* x may be gone as soon as the lock is */
    uv_mutex_lock(&c->lock);
    x->readers--;
    uv_cond_broadcast(&c->changed);
    uv_mutex_unlock(&c->lock);
}

/* Its output gives no more; the thread frees it. */
void channel_close(struct channel *x)
{
    if (!x)
        return;
    struct channels *c = x->owner;
    uv_mutex_lock(&c->lock);
    x->closed = x->released = true;
    *(x->info.name[0] ? &c->named : &c->open) -= 1;
    c->version++;
    uv_cond_broadcast(&c->changed);
    uv_mutex_unlock(&c->lock);
}

void channel_move(struct channel *x, double center_hz)
{
    uv_mutex_lock(&x->owner->lock);
    x->info.request.center_hz = center_hz;
    x->owner->version++;
    uv_mutex_unlock(&x->owner->lock);
}

struct channel_output *channel_output_of(struct channel *x)
{
    return x->output;
}

bool channel_is_refused(struct channel *x)
{
    uv_mutex_lock(&x->owner->lock);
    const bool refused = x->info.state == CHANNEL_REFUSED;
    uv_mutex_unlock(&x->owner->lock);
    return refused;
}

void channel_info(struct channel *x, struct channel_info *out)
{
    uv_mutex_lock(&x->owner->lock);
    *out = x->info;
    uv_mutex_unlock(&x->owner->lock);
}

size_t channels_list(struct channels *c, struct channel_info *out, size_t most)
{
    size_t count = 0;
    uv_mutex_lock(&c->lock);
    for (const struct channel *x = c->oldest; x; x = x->next) {
        if (x->closed)
            continue;
        if (count < most)
            out[count] = x->info;
        count++;
    }
    uv_mutex_unlock(&c->lock);
    return count;
}

void channels_state(struct channels *c, struct channels_state *out)
{
    *out = (struct channels_state){0};
    if (!c)
        return;
    uv_mutex_lock(&c->lock);
    *out = (struct channels_state){.on = true,
                                   .open = c->open,
                                   .most = c->config.options->most,
                                   .opened_total = c->ids,
                                   .named = c->named,
                                   .version = c->version + 1,
                                   .missed = c->missed,
                                   .transformed = c->transformed,
                                   .block_s = c->block_s};
    uv_mutex_unlock(&c->lock);
}
