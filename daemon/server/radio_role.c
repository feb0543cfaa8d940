/* radio_role.c - the server of the radio of this process: its routes and the messages of clients.
 */
#include "daemon/api/reference_takes.h"
#include "daemon/api/spur_learning.h"
#include "daemon/base/reason.h"
#include "daemon/http/role.h"

#include "daemon/base/json.h"
#include "daemon/client/control.h"
#include "daemon/http/internal.h"
#include "daemon/http/rest/rest.h"
#include "daemon/http/stream/archive_answer.h"
#include "daemon/live/topic.h"
#include "daemon/status/status_json.h"
#include "daemon/stream/radio_options.h"
#include "daemon/stream/source_state.h"
#include "daemon/wire/frame.h"

/* ---- routes ----------------------------------------------------------------------------- */

static json_t *counts_to_json(const struct server_counts *c)
{
    return json_pack(
        "{so so so so so so so so so so so so}", "clients", count_to_json(c->clients), "views",
        count_to_json(c->views), "clients_total", count_to_json(c->clients_total),
        "displaced_total", count_to_json(c->displaced_total), "refused_total",
        count_to_json(c->refused_total), "frames_total", count_to_json(c->frames_total),
        "merged_total", count_to_json(c->merged_total), "lines_missed",
        count_to_json(c->lines_missed), "wrong_tokens_total", count_to_json(c->wrong_tokens_total),
        "blocked_tokens_total", count_to_json(c->blocked_tokens_total), "spectra_total",
        count_to_json(c->spectra_total), "answer_bytes", count_to_json(c->answer_bytes));
}

json_t *server_status_json(void *user, const struct status *status)
{
    struct server *s = user;
    const struct server_counts c = server_count(s);
    json_t *json = status_to_json(status);
    if (json) {
        json_object_set_new(json, "server", counts_to_json(&c));
        json_object_set_new(json, "limits", server_limits_json(s));
    }
    return json;
}

static void answer_metrics(struct server *s, const struct request *r, struct answer *a)
{
    const enum metrics_format format = answer_metrics_format(r);
    struct status now;
    server_update_status(s, &now);
    const struct server_counts counts = server_count(s);
    size_t size = 0;
    struct measure_snapshot *measured =
        s->hooks.measurer ? measurer_newest(s->hooks.measurer) : NULL;
    char *text = metrics_text(&now, &counts, measured, format, &size);
    measure_snapshot_drop(measured);
    answer_metrics_text(s, text, size, format, a);
}

/* 200 while spectra are being produced, otherwise 503. */
static void answer_health(struct server *s, const struct request *r, struct answer *a)
{
    struct status now;
    (void)r;
    server_update_status(s, &now);
    answer_text(a, now.state == SOURCE_RUNNING ? 200 : 503, "%s%s%s\n",
                source_state_name(now.state), now.message[0] ? ": " : "", now.message);
}

static const struct route routes[] = {
    {"/api/v1/archive", answer_archive,
     "bottom, columns, detector, format, from, high_hz, low_hz, rows, to, top"},
    {"/api/v1/density", answer_density, "format, persistence"},
    {"/api/v1/events", answer_events, "after, from, limit, to, trigger"},
    {"/api/v1/history", answer_history,
     "before, columns, detector, format, from, high_hz, lines, low_hz, rows, to"},
    {"/api/v1/recording-files/", answer_recording_file, ""},
    {"/api/v1/spectrum", answer_spectrum,
     "columns, format, high_hz, low_hz, detector, reduction, math, reference"},
    {"/api/v1/survey", answer_survey,
     "above_noise, detector, format, from, high_hz, low_hz, resolution, threshold, to, width"},
    {"/healthz", answer_health, ""},
    {"/metrics", answer_metrics, ""},
    {"/ws", answer_websocket, ""},
};

/* The token was all that it needs. */
static const char *admit(struct server *s, struct lws *wsi, char *credential, unsigned *status,
                         struct reason *why)
{
    credential[0] = '\0';
    return server_refuse_change(s, wsi, status, why);
}

/* ---- websockets ------------------------------------------------------------------------- */

static bool measures_are_due(const struct client *c)
{
    return c->measures_due && c->server->measures && topic_is_open(&c->topic[TOPIC_MEASUREMENTS]);
}

static struct frame *measures_next(struct client *c)
{
    c->measures_due = false;
    topic_sent(&c->topic[TOPIC_MEASUREMENTS]);
    return frame_hold(c->server->measures);
}

static bool choices_are_due(const struct client *c)
{
    return c->welcomed && c->choices_due;
}

static struct frame *choices_next(struct client *c)
{
    c->choices_due = false;
    return frame_from_json(
        json_pack("{ss so}", "type", "choices", "choices", choices_to_json(c->server->radio)));
}

static bool presets_are_due(const struct client *c)
{
    return c->welcomed && c->presets_due;
}

static bool history_is_due(const struct client *c)
{
    return c->history_rows;
}

static struct frame *history_rows_next(struct client *c)
{
    struct frame *rows = c->history_rows;
    c->history_rows = NULL;
    history_next(c->server);
    return rows;
}

static bool density_is_due(const struct client *c)
{
    return c->density && topic_is_open(&c->topic[TOPIC_DENSITY]);
}

static struct frame *density_next(struct client *c)
{
    struct frame *density = c->density;
    c->density = NULL;
    topic_sent(&c->topic[TOPIC_DENSITY]);
    return density;
}

static bool spectra_are_due(const struct client *c)
{
    return feed_ready(&c->feed);
}

static struct frame *spectra_next(struct client *c)
{
    return feed_next_frame(&c->server->feed, &c->feed);
}

/* In the order in which they are sent: markers are read on the line of the spectra that follow. */
static const struct {
    bool (*is_due)(const struct client *c);
    struct frame *(*next)(struct client *c); /* held; NULL: no memory */
} messages[] = {
    {status_is_due, status_message_next},   {measures_are_due, measures_next},
    {own_measure_is_due, own_measure_next}, {choices_are_due, choices_next},
    {presets_are_due, presets_message},     {lease_is_news, lease_message_next},
    {view_is_news, view_message_next},      {recordings_are_news, recordings_message_next},
    {events_are_news, events_next},         {replay_is_news, replay_message_next},
    {history_is_due, history_rows_next},    {density_is_due, density_next},
    {markers_are_due, markers_next},        {spectra_are_due, spectra_next},
};

enum { MESSAGES = sizeof messages / sizeof messages[0] };

/* MESSAGES: none is due. */
static size_t find_due(const struct client *c)
{
    size_t i = 0;
    while (i < MESSAGES && !messages[i].is_due(c))
        i++;
    return i;
}

static bool has_output(struct client *c)
{
    return find_due(c) < MESSAGES;
}

static struct frame *next_frame(struct client *c)
{
    const size_t due = find_due(c);
    return due < MESSAGES ? messages[due].next(c) : NULL;
}

static int on_message(struct client *c)
{
    struct control m;
    struct reason why = {0};
    int err = control_parse(&m, c->message, c->size, &why);
    err = err < 0 ? client_refuse_message(c, &m, why.sentence) : client_on_message(c, &m);
    control_finish(&m);
    return err;
}

/* ---- what becomes of the radio ---------------------------------------------------------- */

static void on_settings(void *user)
{
    server_push_status(user);
}

static void on_presets(void *user)
{
    struct server *s = user;
    for (struct client *c = s->clients; c; c = c->next)
        c->presets_due = true;
    server_request_writes(s);
}

static void on_lease(void *user)
{
    struct server *s = user;
    for (struct client *c = s->clients; c; c = c->next)
        c->lease_due = true;
    server_request_writes(s);
}

static void on_taken(void *user, const void *client)
{
    const struct server *s = user;
    for (struct client *c = s->clients; c; c = c->next)
        c->lease_taken = c->lease_taken || c == client;
}

static void on_measures_changed(void *user)
{
    struct server *s = user;
    wishes_update(s);
    s->measures_changed = true;
}

static struct line *newest_line(void *user)
{
    const struct server *s = user;
    return s->feed.latest;
}

static bool is_refused(void *user)
{
    const struct server *s = user;
    return s->wishes.refused;
}

/* Spectra may have been computed with a reference that has changed. */
static void on_reference_changed(void *user)
{
    spectra_on_line(user);
}

void server_serve_radio(struct server *s)
{
    const struct server_hooks *h = &s->hooks;
    h->control->watcher = (struct radio_watcher){.user = s,
                                                 .settings = on_settings,
                                                 .presets = on_presets,
                                                 .lease = on_lease,
                                                 .taken = on_taken};
    s->references = (struct reference_takes){.store = h->references,
                                             .user = s,
                                             .newest = newest_line,
                                             .never_comes = is_refused,
                                             .changed = on_reference_changed};
    s->learning = (struct spur_learning){.config = {.loop = h->loop,
                                                    .radio = h->control,
                                                    .file = h->spurs_file,
                                                    .own = h->spurs_own,
                                                    .spurs = h->spurs}};
    s->own_services = (struct services){.radio = h->control,
                                        .measurer = h->measurer,
                                        .recorder = h->recorder,
                                        .triggers = h->triggers,
                                        .references = &s->references,
                                        .learning = &s->learning,
                                        .spurs = h->spurs,
                                        .band_plan = h->band_plan,
                                        .user = s,
                                        .status = server_status_json,
                                        .measures_changed = on_measures_changed};
    s->services = &s->own_services;
}

static void leave(struct client *c)
{
    feed_leave(&c->server->feed, &c->feed);
    density_subscribe(c, false);
    own_measure_leave(c);
    lease_leave(c);
    markers_drop(c);
    history_leave(c);
}

/* ---- the server ------------------------------------------------------------------------- */

/* Another radio is open: its options are told to every client. */
static void update_radio(struct server *s)
{
    struct radio_options *radio = radio_control_options(s->hooks.control);
    for (struct client *c = s->clients; c && radio != s->radio; c = c->next)
        c->choices_due = true;
    radio_options_drop(s->radio);
    s->radio = radio;
}

static void tick(struct server *s)
{
    density_on_tick(s);
    spectra_on_tick(s);
    radio_control_tick(s->hooks.control);
    server_push_recordings(s);
    update_radio(s);
    server_push_measures(s);
    server_push_own_measures(s);
    server_push_status(s);
}

static void finish(struct server *s)
{
    line_reader_leave(&s->reader);
    spectra_finish(s);
    density_finish_service(s);
    markers_finish(s);
    spur_learning_finish(&s->learning);
    history_service_finish(s);
    reference_takes_finish(&s->references);
    feed_finish(&s->feed);
    status_news_finish(&s->status);
    recording_news_finish(&s->recordings);
    frame_drop(s->measures);
    measure_snapshot_drop(s->measured);
    measure_snapshot_drop(s->owned);
    radio_options_drop(s->radio);
    if (s->hooks.control)
        s->hooks.control->watcher = (struct radio_watcher){.user = NULL};
}

const struct server_role radio_role = {.routes = routes,
                                       .route_count = sizeof routes / sizeof routes[0],
                                       .index = "/index.html",
                                       .resource = rest_resource,
                                       .admit = admit,
                                       .change = rest_change,
                                       .tick = tick,
                                       .leave = leave,
                                       .has_output = has_output,
                                       .next_frame = next_frame,
                                       .on_message = on_message,
                                       .finish = finish};
