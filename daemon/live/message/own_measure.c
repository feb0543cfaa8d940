/* own_measure.c - sets up the measurements of clients, and sends them the results. */
#include "daemon/live/message/own_measure.h"

#include <errno.h>
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/http/stream/demand.h"
#include "daemon/line/line_ring.h"
#include "daemon/live/live.h"
#include "daemon/measure/report_json.h"
#include "daemon/option/option_text.h"
#include "daemon/wire/ws_message.h"

/* Each client gets at most 50 messages, and 250 kB, a second. */
static const uint64_t message_ns = 1000000000 / OWN_MESSAGES_PER_S, byte_ns = 4000;

/* ---- results ---------------------------------------------------------------------------- */

static bool has_results(const struct measure_snapshot *newest, uint32_t owner)
{
    for (size_t i = 0; newest && i < newest->count; i++)
        if (newest->report[i].owner == owner)
            return true;
    return false;
}

void own_measure_push(struct live *l)
{
    struct own_measure_topic *topic = &l->own_measures;
    struct measure_snapshot *newest =
        l->own_measure_thread ? measure_thread_newest(l->own_measure_thread) : NULL;
    const bool is_pending = newest != topic->newest;
    measure_snapshot_unref(topic->newest);
    topic->newest = newest;
    for (struct client *c = l->clients.first; is_pending && c; c = c->next) {
        struct subscriber *u = live_subscriber(c);
        u->topic[LIVE_OWN_MEASURES].pending = has_results(newest, u->own.owner);
    }
}

bool own_measure_is_pending(const struct subscriber *u)
{
    if (!u->topic[LIVE_OWN_MEASURES].pending)
        return false;
    const uint64_t now = clock_now_ns();
    if (now >= u->own.next_ns)
        return true;
    lws_set_timer_usecs(live_client(u)->wsi, (lws_usec_t)((u->own.next_ns - now) / 1000 + 1));
    return false;
}

struct ws_message *own_measure_next(struct subscriber *u)
{
    const struct measure_snapshot *newest = u->live->own_measures.newest;
    json_t *list = json_array();
    for (size_t i = 0; newest && i < newest->count; i++)
        if (newest->report[i].owner == u->own.owner)
            json_array_append_new(list, report_to_json(newest, &newest->report[i]));
    struct ws_message *f =
        ws_message_from_json(json_pack("{ss so}", "type", "own_measure", "measurements", list));
    u->own.next_ns = clock_now_ns() + message_ns + (f ? f->size * byte_ns : 0);
    return f;
}

void own_measure_finish(struct own_measure_topic *topic)
{
    measure_snapshot_unref(topic->newest);
}

/* ---- changes ---------------------------------------------------------------------------- */

/* Half of the places are for the clients of one address. */
static int find_place(const struct subscriber *u, struct reason *why)
{
    const struct measure_thread *m = u->live->own_measure_thread;
    if (measure_thread_count_own(m, u->own.owner) >= OWN_MEASUREMENTS)
        return reason_set(why, -EMFILE, "a client has at most %d measurements", OWN_MEASUREMENTS);
    if (measure_thread_count_own(m, 0) >= OWN_MEASUREMENTS_ALL ||
        live_client(u)->peer->own_measurements >= OWN_MEASUREMENTS_ALL / 2)
        return reason_set(why, -EMFILE, "other clients use all %d measurements",
                          OWN_MEASUREMENTS_ALL);
    return 0;
}

static struct line *newest_line(const struct live *l)
{
    if (l->feed->latest)
        line_ref(l->feed->latest);
    return l->feed->latest;
}

static void count_own(struct subscriber *u)
{
    const struct measure_thread *m = u->live->own_measure_thread;
    const uint32_t count = (uint32_t)measure_thread_count_own(m, u->own.owner);
    live_client(u)->peer->own_measurements += count - u->own.count;
    u->own.count = count;
    u->topic[LIVE_OWN_MEASURES].on = count > 0;
}

int own_measure_set(struct subscriber *u, const struct option_text *text, struct reason *why)
{
    struct live *l = u->live;
    struct measure_setup *setup = NULL;
    if (!l->own_measure_thread)
        return reason_set(why, -ENOTSUP, "no measurements are possible here");
    if (u->own.owner == 0)
        u->own.owner = ++l->own_measures.last_owner;
    int err = measure_thread_has_own(l->own_measure_thread, u->own.owner, text->name)
                  ? 0
                  : find_place(u, why);
    if (err == 0)
        err = measure_setup_create(&setup, text, NULL, why);
    if (!setup)
        return err;
    setup->owner = u->own.owner;
    err = measure_thread_set_own(l->own_measure_thread, setup, newest_line(l));
    count_own(u);
    demand_update(l->demand);
    return err;
}

int own_measure_remove(struct subscriber *u, const char *name, struct reason *why)
{
    struct measure_thread *m = u->live->own_measure_thread;
    const int err = m && u->own.owner ? measure_thread_remove(m, u->own.owner, name) : -ENOENT;
    if (err == -ENOENT)
        return reason_set(why, err, "there is no such measurement");
    count_own(u);
    return err;
}

void own_measure_leave(struct subscriber *u)
{
    if (u->own.count == 0)
        return;
    measure_thread_remove_owner(u->live->own_measure_thread, u->own.owner);
    count_own(u);
}
