/* webhook.c - the queue of webhooks, and the thread that sends them. */
#include "daemon/trigger/webhook/webhook.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/trigger/webhook/webhook_post.h"

const struct figure webhooks_figures[] = {
    FIGURE_COUNTER(struct webhooks_state, delivered, NULL, "fftd_webhooks_delivered",
                   "Events that webhooks delivered."),
    FIGURE_COUNTER(struct webhooks_state, failed, NULL, "fftd_webhook_failures",
                   "Tries of webhooks that failed."),
    FIGURE_COUNTER(struct webhooks_state, dropped, NULL, "fftd_webhooks_dropped",
                   "Events that webhooks did not deliver."),
    FIGURE_GAUGE(struct webhooks_state, waiting, NULL, "fftd_webhooks_waiting",
                 "Events that webhooks have yet to deliver."),
    FIGURE_END,
};

enum { AT_ONCE = 8, SECOND_NS = 1000000000, NAME_BYTES = 64 };

struct item {
    struct item *next;
    char *url, *body;
    char name[NAME_BYTES];
    uint64_t event;
    uint64_t timeout_ns;
    bool sending; /* `post` is in use: neither another thread nor a newer event changes the item */
    struct webhook_post post;
    unsigned tries;
    uint64_t try_ns, late_ns; /* of the next try; of the one that runs */
};

struct webhooks {
    void (*done)(void *user);
    void *user;
    uv_thread_t thread;
    lws_sorted_usec_list_t timer; /* the thread's: wakes lws_service */

    uv_mutex_t lock;
    /* under lock */
    bool running;                /* there is a thread */
    struct lws_context *context; /* NULL: not yet, or not any more */
    struct item *first;          /* oldest first */
    bool stop, ended;            /* the thread has ended: nothing is sent any more */
    uint64_t stop_ns;            /* when the thread gives up */
    struct webhooks_state state;
};

/* ---- the queue, under lock --------------------------------------------------------------- */

static void free_item(struct item *i)
{
    if (!i)
        return;
    free(i->url);
    free(i->body);
    free(i);
}

static void remove_item(struct webhooks *w, struct item *i)
{
    struct item **at = &w->first;
    while (*at != i)
        at = &(*at)->next;
    *at = i->next;
    w->state.waiting--;
    free_item(i);
}

static void drop_oldest(struct webhooks *w)
{
    struct item *i = w->first;
    while (i && i->sending)
        i = i->next;
    if (!i)
        return;
    log_warn("webhook of trigger %s: an event is dropped: %d wait", i->name, WEBHOOKS_MAX);
    w->state.dropped++;
    remove_item(w, i);
}

static struct item *find_same(const struct webhooks *w, const struct item *other)
{
    struct item *i = w->first;
    while (i && (i->sending || i->event != other->event || strcmp(i->url, other->url) != 0))
        i = i->next;
    return i;
}

/* Takes over the item. */
static void append(struct webhooks *w, struct item *i)
{
    struct item *same = find_same(w, i), **at = &w->first;
    if (same) {
        char *body = same->body;
        same->body = i->body;
        i->body = body;
        free_item(i);
        return;
    }
    if (w->state.waiting >= WEBHOOKS_MAX)
        drop_oldest(w);
    while (*at)
        at = &(*at)->next;
    *at = i;
    w->state.waiting++;
}

/* ---- one try ----------------------------------------------------------------------------- */

static bool is_delivered(const struct webhook_post *p)
{
    return p->status >= 200 && p->status < 300;
}

/* 4xx says that the request is wrong; the same one again would be. */
static bool is_final(const struct item *i)
{
    const unsigned status = i->post.status;
    return i->tries >= WEBHOOK_TRIES ||
           (status >= 400 && status < 500 && status != 408 && status != 429);
}

static void describe(const struct webhook_post *p, char *into, size_t size)
{
    if (p->status)
        snprintf(into, size, "the answer is %u", p->status);
    else
        snprintf(into, size, "%s", p->reason[0] ? p->reason : "the connection was closed");
}

/* Under lock: the try has ended. */
static void judge(struct webhooks *w, struct item *i, uint64_t now)
{
    char why[WEBHOOK_REASON] = "";
    i->sending = false;
    if (is_delivered(&i->post)) {
        w->state.delivered++;
        remove_item(w, i);
        return;
    }
    const bool last = is_final(i) || w->stop;
    w->state.failed++;
    describe(&i->post, why, sizeof why);
    log_warn("webhook of trigger %s: %s: %s; %s", i->name, i->post.url.authority, why,
             last ? "the event is dropped" : "fftd tries again");
    i->try_ns = now + ((uint64_t)SECOND_NS << (i->tries - 1));
    if (last) {
        w->state.dropped++;
        remove_item(w, i);
    }
}

/* Without the lock: libwebsockets may call back at once. */
static void start(struct item *i, struct lws_context *context, uint64_t now)
{
    i->tries++;
    i->late_ns = now + i->timeout_ns;
    http_url_parse(i->url, &i->post.url);
    i->post.body = i->body;
    webhook_post_start(&i->post, context);
}

/* ---- the thread -------------------------------------------------------------------------- */

static bool has_older(const struct webhooks *w, const struct item *item)
{
    const struct item *i = w->first;
    while (i != item && strcmp(i->url, item->url) != 0)
        i = i->next;
    return i != item;
}

static struct item *find_due(struct webhooks *w, uint64_t now)
{
    unsigned sending = 0;
    for (const struct item *i = w->first; i; i = i->next)
        sending += i->sending;
    for (struct item *i = w->first; i && sending < AT_ONCE; i = i->next)
        if (!i->sending && (i->try_ns <= now || w->stop) && !has_older(w, i))
            return i;
    return NULL;
}

static void end_tries(struct webhooks *w, uint64_t now)
{
    struct item *next;
    for (struct item *i = w->first; i; i = next) {
        next = i->next;
        if (i->sending && !i->post.wsi)
            judge(w, i, now);
        else if (i->sending && i->late_ns <= now && !i->post.late)
            webhook_post_abort(&i->post);
    }
}

static uint64_t next_ns(const struct webhooks *w, uint64_t now)
{
    uint64_t next = now + 60ULL * SECOND_NS;
    for (const struct item *i = w->first; i; i = i->next) {
        const uint64_t at = i->sending ? i->late_ns : i->try_ns;
        if (at < next && at > now)
            next = at;
    }
    return w->stop && w->stop_ns < next ? w->stop_ns : next;
}

static void on_timer(lws_sorted_usec_list_t *timer)
{
    (void)timer; /* lws_service returns */
}

/* Under lock, which it leaves while libwebsockets works. False: it is time to end. */
static bool run_once(struct webhooks *w)
{
    const uint64_t now = clock_now_ns();
    struct item *due;
    end_tries(w, now);
    while ((due = find_due(w, now))) {
        due->sending = true;
        uv_mutex_unlock(&w->lock);
        start(due, w->context, now);
        uv_mutex_lock(&w->lock);
    }
    if (w->stop && (!w->first || now >= w->stop_ns))
        return false;
    const bool idle = !w->first;
    const uint64_t wait_us = (next_ns(w, now) - now) / 1000 + 1000;
    uv_mutex_unlock(&w->lock);
    if (idle && w->done)
        w->done(w->user);
    lws_sul_schedule(w->context, 0, &w->timer, on_timer, (lws_usec_t)wait_us);
    lws_service(w->context, 0);
    uv_mutex_lock(&w->lock);
    return true;
}

static void drop_all(struct webhooks *w)
{
    const uint32_t left = w->state.waiting;
    while (w->first)
        remove_item(w, w->first);
    w->state.dropped += left;
    if (left > 0)
        log_warn("webhooks: %u events are dropped at the end", left);
}

static void run(void *user)
{
    struct webhooks *w = user;
    pthread_setname_np(pthread_self(), "webhook");
    struct lws_context *context = webhook_post_context();
    if (!context)
        log_error("webhooks: libwebsockets does not start");
    uv_mutex_lock(&w->lock);
    w->context = context;
    while (context && run_once(w))
        ;
    w->context = NULL;
    uv_mutex_unlock(&w->lock);
    if (context) {
        lws_sul_schedule(context, 0, &w->timer, on_timer, LWS_SET_TIMER_USEC_CANCEL);
        lws_context_destroy(context); /* ends what is being sent */
    }
    uv_mutex_lock(&w->lock);
    w->ended = true;
    drop_all(w);
    uv_mutex_unlock(&w->lock);
    if (w->done)
        w->done(w->user);
}

/* ---- any thread -------------------------------------------------------------------------- */

static struct item *make_item(const struct webhook *hook)
{
    struct item *i = calloc(1, sizeof *i);
    if (!i)
        return NULL;
    i->url = strdup(hook->url);
    i->body = strdup(hook->body);
    i->event = hook->event;
    i->timeout_ns = (uint64_t)(hook->timeout_s * SECOND_NS);
    snprintf(i->name, sizeof i->name, "%s", hook->name);
    if (i->url && i->body)
        return i;
    free_item(i);
    return NULL;
}

void webhooks_push(struct webhooks *w, const struct webhook *hook)
{
    struct item *i = make_item(hook);
    uv_mutex_lock(&w->lock);
    w->state.on = true;
    if (!w->running && i)
        w->running = uv_thread_create(&w->thread, run, w) == 0;
    if (i && w->running && !w->stop && !w->ended) {
        append(w, i);
        if (w->context)
            lws_cancel_service(w->context);
    } else {
        w->state.dropped++;
        free_item(i);
    }
    uv_mutex_unlock(&w->lock);
}

bool webhooks_idle(struct webhooks *w)
{
    if (!w)
        return true;
    uv_mutex_lock(&w->lock);
    const bool idle = !w->first;
    uv_mutex_unlock(&w->lock);
    return idle;
}

void webhooks_state(struct webhooks *w, struct webhooks_state *out)
{
    *out = (struct webhooks_state){0};
    if (!w)
        return;
    uv_mutex_lock(&w->lock);
    *out = w->state;
    uv_mutex_unlock(&w->lock);
}

int webhooks_create(struct webhooks **out, void (*done)(void *user), void *user)
{
    struct webhooks *w = calloc(1, sizeof *w);
    *out = NULL;
    if (!w || uv_mutex_init(&w->lock) < 0) {
        free(w);
        return -ENOMEM;
    }
    w->done = done;
    w->user = user;
    *out = w;
    return 0;
}

void webhooks_stop(struct webhooks *w, int patience_ms)
{
    if (!w)
        return;
    uv_mutex_lock(&w->lock);
    const bool running = w->running && !w->stop;
    w->stop = true;
    w->stop_ns = clock_after_ms(patience_ms);
    if (w->context)
        lws_cancel_service(w->context);
    uv_mutex_unlock(&w->lock);
    if (running)
        uv_thread_join(&w->thread);
}

void webhooks_destroy(struct webhooks *w)
{
    if (!w)
        return;
    webhooks_stop(w, 0);
    uv_mutex_destroy(&w->lock);
    free(w);
}
