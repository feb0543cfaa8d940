/* audio.c - shares receivers among listeners, and runs their thread. */
#include "daemon/audio/audio.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/audio/audio_listener.h"
#include "daemon/base/clock.h"
#include "daemon/base/reason.h"

const struct figure audio_figures[] = {
    FIGURE_GAUGE(struct audio_state, receivers, NULL, "fftd_audio_receivers",
                 "Demodulators that run."),
    FIGURE_GAUGE(struct audio_state, encodings, NULL, "fftd_audio_encodings",
                 "Formats and rates that audio is encoded in."),
    FIGURE_GAUGE(struct audio_state, listeners, NULL, "fftd_audio_listeners",
                 "Clients that audio is sent to."),
    FIGURE_COUNTER(struct audio_state, skipped, NULL, "fftd_audio_skipped_blocks",
                   "Blocks of audio that clients were too slow for, and that have left since."),
    FIGURE_END,
};

enum {
    BLOCKS_IN_A_ROW = 8, /* of a receiver, before others have their turn */
    CHECK_MS = 500,      /* for channels that were refused */
    NICER = 5,           /* as the thread of the channels */
};

struct audio {
    struct audio_config config;
    uv_thread_t thread;
    bool has_thread;
    atomic_bool stop;
    uv_mutex_t wake_lock; /* apart from the lock: who wakes the thread must not wait */
    uv_cond_t woken_changed;
    bool woken; /* under wake_lock */
    uv_mutex_t lock;
    /* under lock */
    struct audio_receiver *oldest;
    size_t listeners;
    uint64_t listeners_total, skipped;
    /* the thread's */
    struct audio_receiver *active;
    uint64_t checked_ns;
};

/* ---- the thread --------------------------------------------------------------------------- */

static void wake(struct audio *a)
{
    uv_mutex_lock(&a->wake_lock);
    a->woken = true;
    uv_cond_signal(&a->woken_changed);
    uv_mutex_unlock(&a->wake_lock);
}

static void await_wake(struct audio *a)
{
    const uint64_t until = clock_after_ms(CHECK_MS);
    uv_mutex_lock(&a->wake_lock);
    while (!a->woken && clock_wait(&a->woken_changed, &a->wake_lock, until))
        ;
    a->woken = false;
    uv_mutex_unlock(&a->wake_lock);
}

/* With the lock held: unlinks the encodings that nobody listens to, and links the others for the
 * thread. The unlinked ones are returned. */
static struct audio_encoding *update_encodings(struct audio_receiver *r,
                                               struct audio_encoding *gone)
{
    struct audio_encoding **at = &r->encodings, **end = &r->active_encodings;
    while (*at) {
        struct audio_encoding *e = *at;
        if (e->listeners == 0) {
            *at = e->next;
            e->active = gone;
            gone = e;
            continue;
        }
        at = &e->next;
        *end = e;
        end = &e->active;
    }
    *end = NULL;
    return gone;
}

/* Takes over what has come, and frees what nobody listens to. */
static void update(struct audio *a)
{
    struct audio_receiver *gone = NULL;
    struct audio_encoding *unheard = NULL;
    uv_mutex_lock(&a->lock);
    struct audio_receiver **at = &a->oldest, **end = &a->active;
    while (*at) {
        struct audio_receiver *r = *at;
        unheard = update_encodings(r, unheard);
        if (!r->encodings) {
            *at = r->next;
            r->active = gone;
            gone = r;
            continue;
        }
        at = &r->next;
        *end = r;
        end = &r->active;
    }
    *end = NULL;
    uv_mutex_unlock(&a->lock);
    for (struct audio_encoding *e = unheard, *next; e; e = next) {
        next = e->active;
        audio_encoding_destroy(e);
    }
    for (struct audio_receiver *r = gone, *next; r; r = next) {
        next = r->active;
        audio_receiver_destroy(r);
    }
}

/* Its listeners learn that no more comes; who asks next gets another receiver. */
static void end_receiver(struct audio *a, struct audio_receiver *r)
{
    uv_mutex_lock(&a->lock);
    r->ended = true;
    for (struct audio_encoding *e = r->encodings; e; e = e->next)
        channel_output_close(e->output);
    uv_mutex_unlock(&a->lock);
}

static void run_receiver(struct audio *a, struct audio_receiver *r, bool check)
{
    struct audio_figures figures;
    struct channel_block *b = NULL;
    bool closed = false;
    int count = 0;
    while (count < BLOCKS_IN_A_ROW && !a->stop &&
           (b = channel_output_take(channel_output_of(r->channel), &r->cursor, &closed))) {
        audio_receiver_run(r, b, &a->stop);
        channel_block_unref(b);
        count++;
    }
    if (count == BLOCKS_IN_A_ROW)
        wake(a);
    else if (closed || r->deserted || (check && channel_is_refused(r->channel)))
        end_receiver(a, r);
    if (count == 0)
        return;
    audio_receiver_figures(r, &figures);
    uv_mutex_lock(&a->lock);
    r->figures = figures;
    uv_mutex_unlock(&a->lock);
}

static void audio_main(void *arg)
{
    struct audio *a = arg;
    pthread_setname_np(pthread_self(), "audio");
    (void)!nice(NICER); /* a failure costs nothing */
    while (!a->stop) {
        await_wake(a);
        update(a);
        const uint64_t now_ns = clock_now_ns();
        const bool check = now_ns - a->checked_ns > CHECK_MS * UINT64_C(1000000);
        if (check)
            a->checked_ns = now_ns;
        for (struct audio_receiver *r = a->active; r; r = r->active)
            if (!r->ended)
                run_receiver(a, r, check);
    }
}

/* ---- life --------------------------------------------------------------------------------- */

int audio_create(struct audio **out, const struct audio_config *config, struct reason *why)
{
    struct audio *a = calloc(1, sizeof *a);
    *out = NULL;
    if (!a || uv_mutex_init(&a->lock) < 0) {
        free(a);
        return reason_set(why, -ENOMEM, "audio: no memory");
    }
    uv_mutex_init(&a->wake_lock);
    uv_cond_init(&a->woken_changed);
    a->config = *config;
    const int err = uv_thread_create(&a->thread, audio_main, a);
    a->has_thread = err == 0;
    if (err < 0) {
        reason_set(why, err, "audio: %s", strerror(-err));
        audio_destroy(a);
        return err;
    }
    *out = a;
    return 0;
}

void audio_stop(struct audio *a)
{
    if (!a || !a->has_thread)
        return;
    a->stop = true;
    wake(a);
    uv_thread_join(&a->thread);
    a->has_thread = false;
    for (struct audio_receiver *r = a->oldest; r; r = r->next) {
        end_receiver(a, r);
        uv_mutex_lock(&a->lock);
        channel_close(r->channel);
        r->channel = NULL;
        uv_mutex_unlock(&a->lock);
    }
}

void audio_destroy(struct audio *a)
{
    if (!a)
        return;
    audio_stop(a);
    update(a);
    uv_cond_destroy(&a->woken_changed);
    uv_mutex_destroy(&a->wake_lock);
    uv_mutex_destroy(&a->lock);
    free(a);
}

void audio_wake(struct audio *a)
{
    if (a)
        wake(a);
}

/* ---- listeners ------------------------------------------------------------------------------ */

/* With the lock held. */
static struct audio_receiver *find_receiver(const struct audio *a, const struct audio_request *q)
{
    struct audio_receiver *r = a->oldest;
    while (r && (r->ended || r->deserted || !audio_request_shares(&r->request, q)))
        r = r->next;
    return r;
}

/* With the lock held. */
static struct audio_encoding *find_encoding(const struct audio_receiver *r,
                                            const struct audio_request *q)
{
    struct audio_encoding *e = r->encodings;
    while (e && (e->ops != q->codec->encoding || e->form.rate_hz < q->rate_hz ||
                 e->form.rate_hz > q->rate_hz))
        e = e->next;
    return e;
}

/* With the lock held, as is the next. */
static int need_receiver(struct audio *a, const struct audio_request *q,
                         struct audio_receiver **out, struct reason *why)
{
    *out = find_receiver(a, q);
    if (*out)
        return 0;
    const int err = audio_receiver_create(out, q, a->config.channels, why);
    struct audio_receiver **end = &a->oldest;
    while (*end)
        end = &(*end)->next;
    *end = *out;
    return err;
}

static int need_encoding(struct audio *a, struct audio_receiver *r, const struct audio_request *q,
                         struct audio_encoding **out, struct reason *why)
{
    const struct audio_form form = {.from_hz = r->plan.audio_rate_hz,
                                    .rate_hz = q->rate_hz,
                                    .channels = r->plan.audio_channels};
    *out = find_encoding(r, q);
    if (*out)
        return 0;
    const int err = audio_encoding_create(out, q->codec->encoding, &form, audio_receiver_most(r),
                                          q->waits, a->config.ready, a->config.user, why);
    if (err < 0)
        return err;
    (*out)->next = r->encodings;
    r->encodings = *out;
    return 0;
}

static int join(struct audio *a, const struct audio_request *q, struct audio_listener *l,
                struct reason *why)
{
    int err = need_receiver(a, q, &l->receiver, why);
    if (err == 0)
        err = need_encoding(a, l->receiver, q, &l->encoding, why);
    if (err < 0)
        return err; /* the thread frees a receiver without encodings */
    l->audio = a;
    l->codec = q->codec;
    l->ops = l->encoding->ops;
    l->output = channel_output_ref(l->encoding->output);
    l->framing =
        (struct audio_framing){.rate_hz = q->rate_hz, .channels = l->encoding->form.channels};
    channel_output_join(l->output, &l->cursor);
    l->encoding->listeners++;
    a->listeners++;
    a->listeners_total++;
    return 0;
}

/* Sets its rate. */
static int complete(const struct audio *a, struct audio_request *q, struct reason *why)
{
    struct demod_plan plan;
    struct channel_request channel;
    q->waits = q->waits && a->config.lossless;
    return audio_request_plan(q, &plan, &channel, why);
}

int audio_listen(struct audio *a, const struct audio_request *q, struct audio_listener **out,
                 struct reason *why)
{
    struct audio_request wanted = *q;
    struct audio_listener *l = calloc(1, sizeof *l);
    *out = NULL;
    int err = l ? complete(a, &wanted, why) : reason_set(why, -ENOMEM, "audio: no memory");
    if (err == 0) {
        uv_mutex_lock(&a->lock);
        err = join(a, &wanted, l, why);
        uv_mutex_unlock(&a->lock);
    }
    if (err < 0) {
        free(l);
        return err;
    }
    wake(a);
    *out = l;
    return 0;
}

void audio_leave(struct audio_listener *l)
{
    if (!l)
        return;
    struct audio *a = l->audio;
    channel_output_leave(l->output, &l->cursor);
    uv_mutex_lock(&a->lock);
    a->skipped += l->cursor.skipped;
    a->listeners--;
    l->encoding->listeners--;
    uv_mutex_unlock(&a->lock);
    wake(a);
    channel_output_unref(l->output);
    channel_block_unref(l->block);
    free(l->own);
    free(l);
}

bool audio_has(struct audio *a, const struct audio_request *q)
{
    struct audio_request wanted = *q;
    if (complete(a, &wanted, NULL) < 0)
        return false;
    uv_mutex_lock(&a->lock);
    const struct audio_receiver *r = find_receiver(a, &wanted);
    const bool found = r && find_encoding(r, &wanted);
    uv_mutex_unlock(&a->lock);
    return found;
}

/* With the lock held. */
static void follow(struct audio_receiver *r, const struct channel_setup *after)
{
    r->request.center_hz = after->center_hz;
    if (r->channel)
        channel_move(r->channel, after->center_hz + r->plan.offset_hz);
}

void audio_channel_moved(struct audio *a, const char *name, const struct channel_setup *after)
{
    if (!a)
        return;
    uv_mutex_lock(&a->lock);
    for (struct audio_receiver *r = a->oldest; r; r = r->next) {
        if (strcmp(r->request.channel, name) != 0)
            continue;
        if (after)
            follow(r, after);
        else
            r->deserted = true;
    }
    uv_mutex_unlock(&a->lock);
    wake(a);
}

/* ---- what there is ----------------------------------------------------------------------------
 */

static void count(const struct audio_receiver *r, size_t *encodings, size_t *listeners)
{
    for (const struct audio_encoding *e = r->encodings; e; e = e->next) {
        *encodings += e->listeners > 0;
        *listeners += e->listeners;
    }
}

size_t audio_list(struct audio *a, struct audio_info *out, size_t most)
{
    size_t found = 0;
    uv_mutex_lock(&a->lock);
    for (const struct audio_receiver *r = a->oldest; r; r = r->next) {
        struct channel_info channel;
        if (!r->channel)
            continue;
        channel_info(r->channel, &channel);
        if (found < most) {
            out[found] = (struct audio_info){.channel = channel.id,
                                             .request = r->request,
                                             .plan = r->plan,
                                             .figures = r->figures};
            count(r, &out[found].encodings, &out[found].listeners);
        }
        found++;
    }
    uv_mutex_unlock(&a->lock);
    return found;
}

void audio_state(struct audio *a, struct audio_state *out)
{
    *out = (struct audio_state){0};
    if (!a)
        return;
    uv_mutex_lock(&a->lock);
    *out = (struct audio_state){.on = true,
                                .listeners = a->listeners,
                                .listeners_total = a->listeners_total,
                                .skipped = a->skipped};
    for (const struct audio_receiver *r = a->oldest; r; r = r->next) {
        out->receivers++;
        count(r, &out->encodings, &(size_t){0});
    }
    uv_mutex_unlock(&a->lock);
}
