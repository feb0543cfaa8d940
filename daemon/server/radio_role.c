/* radio_role.c - the server of the radio of this process: its routes and the messages of clients.
 */
#include "daemon/server/role.h"

#include "daemon/base/json.h"
#include "daemon/client/control.h"
#include "daemon/server/archive.h"
#include "daemon/server/internal.h"
#include "daemon/status/status_json.h"

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

json_t *server_status_json(struct server *s, const struct status *status)
{
    const struct server_counts c = server_count(s);
    json_t *json = status_to_json(status);
    if (json) {
        json_object_set_new(json, "server", counts_to_json(&c));
        json_object_set_new(json, "limits", server_limits_json(s));
    }
    return json;
}

static void answer_status(struct server *s, const struct request *r, struct answer *a)
{
    struct status now;
    (void)r;
    server_update_status(s, &now);
    answer_json(s, server_status_json(s, &now), 0, a);
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
    {"/api/spectrum", answer_spectrum,
     "columns, format, high_hz, low_hz, detector, reduction, math, reference"},
    {"/api/status", answer_status, ""},
    {"/api/v1/archive", answer_archive,
     "bottom, columns, detector, format, from, high_hz, low_hz, rows, to, top"},
    {"/api/v1/band-plan", answer_band_plan, ""},
    {"/api/v1/density", answer_density, "format, persistence"},
    {"/api/v1/events", answer_events, "after, from, limit, to, trigger"},
    {"/api/v1/history", answer_history,
     "before, columns, detector, format, from, high_hz, lines, low_hz, rows, to"},
    {"/api/v1/lease", answer_lease, ""},
    {"/api/v1/measure", answer_measures, ""},
    {"/api/v1/measure-types", answer_measure_types, ""},
    {"/api/v1/measure/", answer_measure, ""},
    {"/api/v1/presets", answer_presets, ""},
    {"/api/v1/presets/", answer_preset, ""},
    {"/api/v1/recording-files/", answer_recording_file, ""},
    {"/api/v1/recordings", answer_recordings, ""},
    {"/api/v1/recordings/", answer_recording, ""},
    {"/api/v1/references", answer_references, ""},
    {"/api/v1/references/", answer_reference, ""},
    {"/api/v1/replay", answer_replay, ""},
    {"/api/v1/settings", answer_settings, ""},
    {"/api/v1/spectrum", answer_spectrum,
     "columns, format, high_hz, low_hz, detector, reduction, math, reference"},
    {"/api/v1/spurs", answer_spurs, ""},
    {"/api/v1/status", answer_status, ""},
    {"/api/v1/survey", answer_survey,
     "above_noise, detector, format, from, high_hz, low_hz, resolution, threshold, to, width"},
    {"/api/v1/trigger-types", answer_trigger_types, ""},
    {"/api/v1/triggers", answer_triggers, ""},
    {"/api/v1/triggers/", answer_trigger, ""},
    {"/healthz", answer_health, ""},
    {"/metrics", answer_metrics, ""},
    {"/ws", answer_websocket, ""},
};

/* ---- websockets ------------------------------------------------------------------------- */

static bool has_output(struct client *c)
{
    return status_is_due(c) || (c->measures_due && c->server->measures) || own_measure_is_due(c) ||
           view_is_news(c) || lease_is_news(c) || events_are_news(c) || recordings_are_news(c) ||
           (c->welcomed && (c->choices_due || c->presets_due)) || replay_is_news(c) || c->density ||
           c->history_rows || feed_ready(&c->feed);
}

static struct frame *choices_message(struct client *c)
{
    c->choices_due = false;
    return frame_from_json(
        json_pack("{ss so}", "type", "choices", "choices", choices_to_json(c->server->radio)));
}

/* The status, measurements, then spectra. */
static struct frame *next_frame(struct client *c)
{
    struct server *s = c->server;
    if (status_is_due(c))
        return status_message_next(c);
    if (c->measures_due && s->measures) {
        c->measures_due = false;
        return frame_hold(s->measures);
    }
    if (own_measure_is_due(c))
        return own_measure_next(c);
    if (c->welcomed && c->choices_due)
        return choices_message(c);
    if (c->welcomed && c->presets_due)
        return presets_message(c);
    if (lease_is_news(c))
        return lease_message_next(c);
    if (view_is_news(c))
        return view_message_next(c);
    if (recordings_are_news(c))
        return recordings_message_next(c);
    if (events_are_news(c))
        return events_next(c);
    if (replay_is_news(c))
        return replay_message_next(c);
    if (c->history_rows) {
        struct frame *rows = c->history_rows;
        c->history_rows = NULL;
        history_next(s);
        return rows;
    }
    struct frame *density = c->density;
    c->density = NULL;
    if (density)
        return density;
    return markers_are_due(c) ? markers_next(c) : feed_next_frame(&s->feed, &c->feed);
}

static int on_message(struct client *c)
{
    struct control m;
    char error[256] = "";
    int err = control_parse(&m, c->message, c->size, error, sizeof error);
    err = err < 0 ? client_queue_error(c, error) : client_on_message(c, &m);
    control_finish(&m);
    return err;
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
    struct radio_options *radio = s->hooks.radio ? s->hooks.radio(s->hooks.user) : NULL;
    for (struct client *c = s->clients; c && radio != s->radio; c = c->next)
        c->choices_due = true;
    radio_options_drop(s->radio);
    s->radio = radio;
}

static void tick(struct server *s)
{
    density_on_tick(s);
    lease_on_tick(s);
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
    learn_finish(s);
    history_service_finish(s);
    references_finish(s);
    feed_finish(&s->feed);
    status_news_finish(&s->status);
    recording_news_finish(&s->recordings);
    frame_drop(s->measures);
    measure_snapshot_drop(s->measured);
    measure_snapshot_drop(s->owned);
    radio_options_drop(s->radio);
    presets_finish(&s->presets);
}

const struct server_role radio_role = {.routes = routes,
                                       .route_count = sizeof routes / sizeof routes[0],
                                       .index = "/index.html",
                                       .changes = true,
                                       .tick = tick,
                                       .leave = leave,
                                       .has_output = has_output,
                                       .next_frame = next_frame,
                                       .on_message = on_message,
                                       .finish = finish};
