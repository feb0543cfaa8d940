/* collector_link.c - connects to the broker, sends requests and passes replies on. */
#include "daemon/hub/copies/collector_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/hub/link_requests.h"
#include "daemon/nats/link.h"

enum { SUBJECT_MAX = 256 };

struct collector_link {
    struct collector_link_config config;
    char reply[LINK_REPLY], subject[LINK_REPLY + 2]; /* of all connections */
    struct link link;
    atomic_bool up;
    bool was_up; /* since the last try; used by the link's thread only */
};

/* ---- numbers in subjects ----------------------------------------------------------------- */

/* ".NUMBER" */
static bool read_number(const char *at, char end, uint32_t *out)
{
    char *rest;
    if (at[0] != '.' || at[1] < '0' || at[1] > '9')
        return false;
    const unsigned long long value = strtoull(at + 1, &rest, 10);
    *out = (uint32_t)value;
    return *rest == end && value <= UINT32_MAX;
}

bool collector_link_read_subject(const char *subject, uint32_t *owner, uint32_t *number)
{
    const char *last = strrchr(subject, '.');
    const char *before = last ? memrchr(subject, '.', (size_t)(last - subject)) : NULL;
    return before && read_number(before, '.', owner) && read_number(last, '\0', number);
}

/* ---- the connection ---------------------------------------------------------------------- */

static void set_up(struct collector_link *l, bool up)
{
    atomic_store(&l->up, up);
    l->config.changed(l->config.user);
}

bool collector_link_is_up(struct collector_link *l)
{
    return atomic_load(&l->up);
}

bool collector_link_ask(struct collector_link *l, const char *site, const char *radio,
                        uint32_t owner, uint32_t number, const char *text)
{
    char subject[SUBJECT_MAX], reply[LINK_REPLY + 24];
    snprintf(subject, sizeof subject, "%s.%s.%s.archive", l->config.options->prefix, site, radio);
    snprintf(reply, sizeof reply, "%s.%u.%u", l->reply, owner, number);
    return link_broker_publish(l->link.broker, LINK_FRAME_PUBLISH, subject, reply, text,
                               strlen(text));
}

static void prepare(void *user)
{
    struct collector_link *l = user;
    l->was_up = false;
}

static bool opened(void *user)
{
    struct collector_link *l = user;
    l->was_up = true;
    set_up(l, true);
    return true;
}

static void closed(void *user)
{
    set_up(user, false);
}

static void take(void *user, const struct link_frame *f)
{
    struct collector_link *l = user;
    if (f->kind != LINK_FRAME_MESSAGE || f->size == 0)
        return;
    inbox_put(l->config.replies, f->subject, f->data, f->size);
    l->config.changed(l->config.user);
}

static void dropped(void *user, uint64_t count)
{
    struct collector_link *l = user;
    inbox_count_dropped(l->config.replies, count);
}

/* Passes replies on. A broker that does not answer shows in time-outs. */
static bool step(void *user)
{
    struct collector_link *l = user;
    return link_read(&l->link, LINK_POLL_MS);
}

/* link_reader.c says that the broker is away. */
static const char *why_ended(void *user, const char *broker)
{
    const struct collector_link *l = user;
    return l->was_up ? NULL : broker;
}

static const struct link_ops ops = {.prepare = prepare,
                                    .opened = opened,
                                    .step = step,
                                    .closed = closed,
                                    .take = take,
                                    .dropped = dropped,
                                    .why = why_ended};

/* ---- start and end ----------------------------------------------------------------------- */

static int start_link(struct collector_link *l, struct reason *why)
{
    const struct link_config config = {
        .thread = "nats-archives",
        .who = "hub: archives",
        .then = "fftd tries again",
        .broker = {.options = l->config.options,
                   .name = "fftd hub archives",
                   .subject = {l->subject},
                   .subjects = 1,
                   .ping = true},
        .ops = &ops,
        .user = l,
    };
    const int err = link_reply_create(l->reply);
    snprintf(l->subject, sizeof l->subject, "%s.>", l->reply);
    return err < 0 ? err : link_start(&l->link, &config, why);
}

int collector_link_start(struct collector_link **out, const struct collector_link_config *config,
                         struct reason *why)
{
    struct collector_link *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l)
        return -ENOMEM;
    l->config = *config;
    const int err = start_link(l, why);
    if (err < 0) {
        collector_link_destroy(l);
        return err;
    }
    *out = l;
    return 0;
}

void collector_link_stop(struct collector_link *l)
{
    if (l)
        link_stop(&l->link);
}

void collector_link_destroy(struct collector_link *l)
{
    if (!l)
        return;
    link_finish(&l->link);
    free(l);
}
