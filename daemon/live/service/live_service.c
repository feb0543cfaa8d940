/* live_service.c - the order of the messages of each client, and the clients of each change. */
#include "daemon/live/service/live_service.h"

#include "daemon/control/choices.h"
#include "daemon/live/client_silence.h"
#include "daemon/live/clients.h"
#include "daemon/live/live.h"
#include "daemon/live/message/density_message.h"
#include "daemon/live/message/event_message.h"
#include "daemon/live/message/history_message.h"
#include "daemon/live/message/lease_message.h"
#include "daemon/live/message/marker_message.h"
#include "daemon/live/message/measure_message.h"
#include "daemon/live/message/own_measure.h"
#include "daemon/live/message/preset_message.h"
#include "daemon/live/message/recording_message.h"
#include "daemon/live/message/replay_message.h"
#include "daemon/live/message/state_message.h"
#include "daemon/live/message/status_message.h"
#include "daemon/live/message/view_message.h"
#include "daemon/live/service/client_message.h"
#include "daemon/stream/radio_options.h"
#include "daemon/wire/ws_message.h"

/* ---- topics ----------------------------------------------------------------------------- */

static struct ws_message *next_choices(struct subscriber *u)
{
    return ws_message_from_json(
        json_pack("{ss so}", "type", "choices", "choices", choices_to_json(u->live->radio)));
}

static bool spectra_are_pending(const struct subscriber *u)
{
    return feed_ready(&u->feed);
}

static struct ws_message *next_spectra(struct subscriber *u)
{
    return feed_next_frame(u->live->feed, &u->feed);
}

static const struct {
    bool (*is_pending)(
        const struct subscriber *u); /* asked while it is on; NULL: while it is pending */
    struct ws_message *(*next)(struct subscriber *u); /* a reference; NULL: no memory */
} topics[LIVE_TOPICS] = {
    [LIVE_STATUS] = {NULL, status_message_next},
    [LIVE_MEASURES] = {NULL, measure_message_next},
    [LIVE_OWN_MEASURES] = {own_measure_is_pending, own_measure_next},
    [LIVE_STATES] = {state_message_is_pending, state_message_next},
    [LIVE_CHOICES] = {NULL, next_choices},
    [LIVE_PRESETS] = {NULL, preset_message_next},
    [LIVE_LEASE] = {NULL, lease_message_next},
    [LIVE_VIEWS] = {view_message_is_pending, view_message_next},
    [LIVE_RECORDINGS] = {NULL, recording_message_next},
    [LIVE_EVENTS] = {event_message_is_pending, event_message_next},
    [LIVE_REPLAY] = {replay_message_is_pending, replay_message_next},
    [LIVE_HISTORY] = {NULL, history_message_next},
    [LIVE_DENSITY] = {NULL, density_message_next},
    [LIVE_MARKERS] = {marker_message_is_pending, marker_message_next},
    [LIVE_SPECTRA] = {spectra_are_pending, next_spectra},
};

/* LIVE_TOPICS: none is pending. */
static size_t find_pending(const struct subscriber *u)
{
    size_t i = 0;
    while (i < LIVE_TOPICS &&
           !(topic_is_open(&u->topic[i]) &&
             (topics[i].is_pending ? topics[i].is_pending(u) : u->topic[i].pending)))
        i++;
    return i;
}

static bool has_output(struct client *c)
{
    const struct subscriber *u = live_subscriber(c);
    return spectra_are_pending(u) || find_pending(u) < LIVE_TOPICS;
}

static struct ws_message *next_frame(struct client *c)
{
    struct subscriber *u = live_subscriber(c);
    const size_t pending = find_pending(u);
    struct ws_message *f = pending < LIVE_TOPICS ? topics[pending].next(u) : NULL;
    if (pending < LIVE_TOPICS)
        topic_sent(&u->topic[pending]);
    return f;
}

/* ---- one client ------------------------------------------------------------------------- */

static void join(struct client *c)
{
    live_subscriber(c)->live = c->all->user;
}

static void leave(struct client *c)
{
    struct subscriber *u = live_subscriber(c);
    feed_leave(u->live->feed, &u->feed);
    density_message_subscribe(u, false);
    own_measure_leave(u);
    lease_message_leave(u);
    marker_message_drop(u);
    history_message_leave(u);
}

static int on_message(struct client *c)
{
    return client_message(live_subscriber(c), c->message, c->size);
}

static bool is_idle(const struct client *c)
{
    return !feed_has_view(&live_subscriber(c)->feed);
}

const struct client_role live_service_role = {.state = sizeof(struct subscriber),
                                              .join = join,
                                              .leave = leave,
                                              .has_output = has_output,
                                              .next_frame = next_frame,
                                              .on_message = on_message,
                                              .is_idle = is_idle};

/* ---- what becomes of the radio ---------------------------------------------------------- */

static void on_settings(void *user)
{
    status_message_push(user);
}

static void on_presets(void *user)
{
    live_mark_pending(user, LIVE_PRESETS);
}

static void on_lease(void *user)
{
    live_mark_pending(user, LIVE_LEASE);
}

static void on_taken(void *user, const void *client)
{
    const struct live *l = user;
    for (struct client *c = l->clients.first; c; c = c->next)
        if (c == client)
            live_subscriber(c)->lease.taken = true;
}

void live_service_on_line(struct live *l, const struct line *line)
{
    replay_message_on_line(&l->replay, line);
    density_message_on_line(l, line);
}

void live_service_push(struct live *l)
{
    recording_message_push(l);
    measure_message_push(l);
    own_measure_push(l);
}

/* Another radio is open: every client gets its options. */
static void update_radio(struct live *l)
{
    struct radio_options *radio = radio_control_options(l->services->radio);
    if (radio != l->radio)
        live_mark_pending(l, LIVE_CHOICES);
    radio_options_unref(l->radio);
    l->radio = radio;
}

void live_service_tick(struct live *l)
{
    client_silence_check(&l->clients);
    update_radio(l);
    live_service_push(l);
    status_message_push(l);
}

bool live_service_has_sent_end(const struct live *l)
{
    const struct client *c = l->clients.first;
    while (c && !(live_subscriber(c)->topic[LIVE_STATUS].pending && c->welcomed))
        c = c->next;
    return !c;
}

/* ---- start and stop --------------------------------------------------------------------- */

int live_service_start(struct live *l)
{
    l->services->radio->watcher = (struct radio_watcher){.user = l,
                                                         .settings = on_settings,
                                                         .presets = on_presets,
                                                         .lease = on_lease,
                                                         .taken = on_taken};
    return clients_start(&l->clients);
}

void live_service_stop(struct live *l)
{
    clients_stop(&l->clients);
}

void live_service_finish(struct live *l)
{
    density_message_finish(&l->density);
    marker_message_finish(&l->rules);
    status_message_finish(&l->status);
    recording_message_finish(&l->recordings);
    measure_message_finish(&l->measures);
    own_measure_finish(&l->own_measures);
    radio_options_unref(l->radio);
    if (l->services->radio)
        l->services->radio->watcher = (struct radio_watcher){.user = NULL};
}
