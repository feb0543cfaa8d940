/* density_message.c - sums lines until the next frame, and makes one of each form. */
#include "daemon/live/message/density_message.h"

#include <math.h>

#include "daemon/base/clock.h"
#include "daemon/http/http_server.h"
#include "daemon/http/stream/demand.h"
#include "daemon/live/live.h"
#include "daemon/stream/tuning.h"
#include "daemon/wire/ws_message.h"

static const uint64_t frame_ns = 1000000000 / DENSITY_FRAMES_PER_S;

/* ---- frames ----------------------------------------------------------------------------- */

static struct ws_message *create_frame(const struct density_topic *d,
                                       const struct density_form *form)
{
    struct density coarse = {0};
    struct ws_message *frame = NULL;
    if (!(form->step_db > d->unsent.shape.step_db))
        return density_frame_create(&d->unsent, d->frames_before, form->coding);
    if (density_coarsen(&coarse, &d->unsent, form->step_db) == 0)
        frame = density_frame_create(&coarse, d->frames_before, form->coding);
    density_finish(&coarse);
    return frame;
}

static bool is_same_form(const struct density_form *a, const struct density_form *b)
{
    return a->coding == b->coding && !(fabs(a->step_db - b->step_db) > 0);
}

/* To this client and to those after it that want the same frame. */
static void send_frame(struct live *l, struct client *first)
{
    const struct density_form *form = &live_subscriber(first)->density.form;
    struct ws_message *frame = create_frame(&l->density, form);
    for (struct client *c = first; c; c = c->next) {
        struct subscriber *u = live_subscriber(c);
        if (!u->topic[LIVE_DENSITY].on || !is_same_form(&u->density.form, form))
            continue;
        u->density.round = l->density.round;
        if (!frame)
            continue;
        ws_message_unref(u->density.frame);
        u->density.frame = ws_message_ref(frame);
        u->topic[LIVE_DENSITY].pending = true;
    }
    ws_message_unref(frame);
}

static void send_unsent(struct live *l)
{
    struct density_topic *d = &l->density;
    d->round++;
    for (struct client *c = l->clients.first; c; c = c->next) {
        const struct subscriber *u = live_subscriber(c);
        if (u->topic[LIVE_DENSITY].on && u->density.round != d->round)
            send_frame(l, c);
    }
    d->frames_before += (uint64_t)d->unsent.frames;
    density_clear(&d->unsent);
}

/* A line that does not fit the unsent ones, because the radio was tuned, ends their frame. */
static bool fits(const struct density *unsent, const struct line *line)
{
    return unsent->lines == 0 || (unsent->epoch == line->epoch && unsent->n == line->n &&
                                  tuning_equal(&unsent->tuning, &line->tuning));
}

static void add_unsent(struct live *l, const struct line *line)
{
    struct density_topic *d = &l->density;
    const uint64_t now = clock_now_ns();
    if (!fits(&d->unsent, line))
        send_unsent(l);
    d->unsent.persistence_s = INFINITY;
    if (density_add(&d->unsent, line) < 0 || d->unsent.lines == 0 || now < d->next_frame_ns)
        return;
    d->next_frame_ns = now + frame_ns;
    send_unsent(l);
}

void density_message_on_line(struct live *l, const struct line *line)
{
    if (line->hits && l->demand->subscribers > 0)
        add_unsent(l, line);
}

/* ---- clients ---------------------------------------------------------------------------- */

void density_message_subscribe(struct subscriber *u, bool want)
{
    struct live *l = u->live;
    if (want == u->topic[LIVE_DENSITY].on)
        return;
    u->topic[LIVE_DENSITY].on = want;
    l->demand->subscribers += want ? 1 : UINT32_MAX; /* - 1 */
    ws_message_unref(u->density.frame);
    u->density.frame = NULL;
    u->topic[LIVE_DENSITY].pending = false;
    if (l->demand->subscribers == 0)
        density_finish(&l->density.unsent);
    if (!l->clients.http->stopping)
        demand_update(l->demand);
}

struct ws_message *density_message_next(struct subscriber *u)
{
    struct ws_message *frame = u->density.frame;
    u->density.frame = NULL;
    return frame;
}

void density_message_finish(struct density_topic *topic)
{
    density_finish(&topic->unsent);
}
