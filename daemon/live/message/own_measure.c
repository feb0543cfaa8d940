/*
 * own_measure.c - measurements that a client sets up for itself: the message "own_measure".
 *
 * They need no control: their number and memory are bounded, and the thread that makes them has the
 * lowest priority. They end with the client.
 */
#include <errno.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/config/measure_text.h"
#include "daemon/http/internal.h"
#include "daemon/line/line_ring.h"
#include "daemon/measure/report_json.h"

/* Each client gets at most 50 messages, and 250 kB, a second. */
static const uint64_t message_ns = 1000000000 / OWN_MESSAGES_PER_S, byte_ns = 4000;

/* ---- results ---------------------------------------------------------------------------- */

static bool has_results(const struct server *s, const struct client *c)
{
    for (size_t i = 0; s->owned && i < s->owned->count; i++)
        if (s->owned->report[i].owner == c->owner)
            return true;
    return false;
}

void server_push_own_measures(struct server *s)
{
    struct measure_snapshot *newest =
        s->hooks.own_measurer ? measurer_newest(s->hooks.own_measurer) : NULL;
    const bool news = newest != s->owned;
    measure_snapshot_drop(s->owned);
    s->owned = newest;
    for (struct client *c = s->clients; news && c; c = c->next)
        c->own_due = has_results(s, c);
}

bool own_measure_is_due(const struct client *c)
{
    const uint64_t now = clock_now_ns();
    if (!c->own_due)
        return false;
    if (now >= c->own_next_ns)
        return true;
    lws_set_timer_usecs(c->wsi, (lws_usec_t)((c->own_next_ns - now) / 1000 + 1));
    return false;
}

struct frame *own_measure_next(struct client *c)
{
    const struct measure_snapshot *owned = c->server->owned;
    json_t *list = json_array();
    for (size_t i = 0; owned && i < owned->count; i++)
        if (owned->report[i].owner == c->owner)
            json_array_append_new(list, report_to_json(owned, &owned->report[i]));
    struct frame *f =
        frame_from_json(json_pack("{ss so}", "type", "own_measure", "measurements", list));
    c->own_due = false;
    c->own_next_ns = clock_now_ns() + message_ns + (f ? f->size * byte_ns : 0);
    return f;
}

/* ---- changes ---------------------------------------------------------------------------- */

/* Half of the places are for the clients of one address. */
static int find_place(const struct client *c, struct reason *why)
{
    const struct measurer *m = c->server->hooks.own_measurer;
    if (measurer_count_own(m, c->owner) >= OWN_MEASUREMENTS)
        return reason_set(why, -EMFILE, "a client has at most %d measurements", OWN_MEASUREMENTS);
    if (measurer_count_own(m, 0) >= OWN_MEASUREMENTS_ALL ||
        c->peer->own_measurements >= OWN_MEASUREMENTS_ALL / 2)
        return reason_set(why, -EMFILE, "other clients have the %d measurements that are possible",
                          OWN_MEASUREMENTS_ALL);
    return 0;
}

static struct line *newest_line(const struct server *s)
{
    if (s->feed.latest)
        line_hold(s->feed.latest);
    return s->feed.latest;
}

static void count_own(struct client *c)
{
    const struct measurer *m = c->server->hooks.own_measurer;
    const uint32_t count = (uint32_t)measurer_count_own(m, c->owner);
    c->peer->own_measurements += count - c->own_measurements;
    c->own_measurements = count;
}

static int set(struct client *c, const struct measure_text *text, struct reason *why)
{
    struct server *s = c->server;
    struct measure_setup *setup = NULL;
    if (!s->hooks.own_measurer)
        return reason_set(why, -ENOTSUP, "no measurements are possible here");
    if (!text->name || !measure_name_is_valid(text->name))
        return reason_set(why, -EINVAL, "name: expected %s", measure_name_expected);
    if (c->owner == 0)
        c->owner = ++s->last_owner;
    int err =
        measurer_has_own(s->hooks.own_measurer, c->owner, text->name) ? 0 : find_place(c, why);
    if (err == 0)
        err = measure_setup_create(&setup, text, NULL, why);
    if (!setup)
        return err;
    setup->owner = c->owner;
    err = measurer_set_own(s->hooks.own_measurer, setup, newest_line(s));
    count_own(c);
    wishes_update(s);
    return err;
}

static int set_object(struct client *c, const json_t *object, struct reason *why)
{
    struct measure_text text;
    int err = measure_text_from_json(&text, object, why);
    if (err == 0)
        err = set(c, &text, why);
    measure_text_finish(&text);
    return err;
}

static int remove_one(struct client *c, const char *name, struct reason *why)
{
    struct measurer *m = c->server->hooks.own_measurer;
    const int err = m && c->owner ? measurer_remove(m, c->owner, name) : -ENOENT;
    if (err == -ENOENT)
        return reason_set(why, err, "there is no such measurement");
    count_own(c);
    return err;
}

int own_measure_change(struct client *c, const struct control *m, struct reason *why)
{
    return m->measure == MEASURE_SET ? set_object(c, m->measure_setup, why)
                                     : remove_one(c, m->measure_name, why);
}

void own_measure_leave(struct client *c)
{
    if (c->own_measurements == 0)
        return;
    measurer_remove_owner(c->server->hooks.own_measurer, c->owner);
    count_own(c);
}
