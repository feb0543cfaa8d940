/* link_reader.c - reads what sensors publish, and sends requests to them. */
#include "daemon/hub/link_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/hub/link_requests.h"
#include "daemon/nats/link.h"
#include "daemon/nats/message.h"

enum { SUBJECT_MAX = 256 };

struct link_reader {
    struct link_reader_config config;
    char subject[HUB_KINDS][SUBJECT_MAX];
    struct link link;
    uv_mutex_t lock;
    struct link_reader_state state; /* under lock */

    /* used by the link's thread only */
    bool news; /* the inbox has something new */
    struct link_requests requests;
};

/* ---- the connection ---------------------------------------------------------------------- */

static void set_state(struct link_reader *l, bool connected)
{
    uv_mutex_lock(&l->lock);
    const bool changed = l->state.connected != connected;
    if (changed)
        l->state.since_ns = clock_unix_ns();
    l->state.links += connected;
    l->state.connected = connected;
    uv_mutex_unlock(&l->lock);
    if (changed)
        l->config.changed(l->config.user);
}

static void prepare(void *user)
{
    struct link_reader *l = user;
    link_requests_open(&l->requests);
}

static bool opened(void *user)
{
    struct link_reader *l = user;
    if (link_retry_connected(&l->link.retry))
        log_info("hub: reading %s.> at %s", l->config.options->prefix, l->config.options->url);
    set_state(l, true);
    return true;
}

static void closed(void *user)
{
    set_state(user, false);
}

static void take(void *user, const struct link_frame *f)
{
    struct link_reader *l = user;
    l->news = true;
    if (f->id == HUB_KINDS)
        link_requests_take_answer(&l->requests, f);
    else if (f->id < HUB_KINDS && f->kind == LINK_FRAME_MESSAGE)
        inbox_put(l->config.inbox, f->subject, f->data, f->size);
}

static void dropped(void *user, uint64_t count)
{
    struct link_reader *l = user;
    l->news = true;
    inbox_count_dropped(l->config.inbox, count);
}

static bool bears(void *user, const char *text)
{
    struct link_reader *l = user;
    return link_requests_refused(&l->requests, text);
}

static bool step(void *user)
{
    struct link_reader *l = user;
    l->news = false;
    const bool up = link_read(&l->link, LINK_POLL_MS);
    if (l->news)
        l->config.changed(l->config.user);
    return up && link_requests_send(&l->requests, l->link.broker);
}

static const struct link_ops ops = {.prepare = prepare,
                                    .opened = opened,
                                    .step = step,
                                    .closed = closed,
                                    .take = take,
                                    .dropped = dropped,
                                    .bears = bears};

/* ---- start and end ----------------------------------------------------------------------- */

static int start_link(struct link_reader *l, struct reason *why)
{
    struct link_config config = {
        .thread = "nats",
        .who = "hub",
        .then = "fftd tries again",
        .broker = {.options = l->config.options,
                   .name = "fftd hub",
                   .subjects = HUB_KINDS + 1,
                   .ping = true},
        .ops = &ops,
        .user = l,
    };
    for (int i = 0; i < HUB_KINDS; i++) {
        snprintf(l->subject[i], sizeof l->subject[i], "%s.*.*.%s", l->config.options->prefix,
                 hub_kind_name((enum hub_kind)i));
        config.broker.subject[i] = l->subject[i];
    }
    config.broker.subject[HUB_KINDS] = l->requests.subject;
    const int err = link_requests_init(&l->requests);
    return err < 0 ? err : link_start(&l->link, &config, why);
}

int link_reader_start(struct link_reader **out, const struct link_reader_config *config,
                      struct reason *why)
{
    struct link_reader *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l || uv_mutex_init(&l->lock) < 0) {
        free(l);
        return -ENOMEM;
    }
    l->config = *config;
    l->requests.out = config->requests;
    l->requests.in = config->answers;
    l->requests.changed = config->changed;
    l->requests.user = config->user;
    const int err = start_link(l, why);
    if (err < 0) {
        link_reader_destroy(l);
        return err;
    }
    *out = l;
    return 0;
}

void link_reader_state(struct link_reader *l, struct link_reader_state *out)
{
    uv_mutex_lock(&l->lock);
    *out = l->state;
    uv_mutex_unlock(&l->lock);
    out->no_answers = atomic_load(&l->requests.no_answers);
}

void link_reader_stop(struct link_reader *l)
{
    if (l)
        link_stop(&l->link);
}

void link_reader_destroy(struct link_reader *l)
{
    if (!l)
        return;
    link_finish(&l->link);
    uv_mutex_destroy(&l->lock);
    free(l);
}
