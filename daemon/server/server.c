/* server.c - wires the server of this process's radio: its routes, its services, lines for both. */
#include "daemon/server/server.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/api/collect/reference_takes.h"
#include "daemon/api/collect/spur_learning.h"
#include "daemon/api/streams.h"
#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/client/feed.h"
#include "daemon/figure/figure_report.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/channel/channel_answer.h"
#include "daemon/http/channel/channel_stream.h"
#include "daemon/http/http_server.h"
#include "daemon/http/rest/rest.h"
#include "daemon/http/service/http_service.h"
#include "daemon/http/stream/archive_reads.h"
#include "daemon/http/stream/demand.h"
#include "daemon/http/stream/density_answer.h"
#include "daemon/http/stream/density_service.h"
#include "daemon/http/stream/event_answer.h"
#include "daemon/http/stream/history_answer.h"
#include "daemon/http/stream/history_service.h"
#include "daemon/http/stream/recording_file.h"
#include "daemon/http/stream/spectra.h"
#include "daemon/live/client_send.h"
#include "daemon/live/clients.h"
#include "daemon/live/live.h"
#include "daemon/live/message/status_message.h"
#include "daemon/live/service/limits.h"
#include "daemon/live/service/live_service.h"
#include "daemon/server/server_counts.h"
#include "daemon/status/metrics.h"
#include "daemon/status/status_json.h"
#include "daemon/stream/source_state.h"

enum { LINES_PER_CALL = 64, LAST_STATUS_NS = 1000000000, ROUTES = 11 };

struct server {
    struct server_hooks hooks;
    struct http_server http;
    struct live live;
    struct http_route routes[ROUTES];
    uv_async_t remaining_lines; /* more lines wait than one call may handle */

    struct line_reader reader;
    struct feed feed;
    uint32_t epoch; /* of the newest line */
    bool drained;
    uint64_t drained_ns; /* since when it is */

    struct services services;
    struct reference_takes references;
    struct spur_learning learning;
    struct demand demand;
    struct spectra spectra;
    struct density_service density;
    struct history_service history;
    struct archive_reads archive;
    struct event_answers events;
    struct channel_streams channel_streams;
};

/* ---- status and metrics ----------------------------------------------------------------- */

static struct server_counts count(const struct server *s)
{
    struct server_counts c = {.clients = s->live.clients.count,
                              .views = s->feed.view_count,
                              .clients_total = s->live.clients.total,
                              .refused_total = s->http.refused_total,
                              .displaced_total = s->live.clients.displaced_total,
                              .frames_total = s->feed.frames,
                              .merged_total = s->feed.merged,
                              .lines_missed = line_reader_missed(&s->reader),
                              .wrong_tokens_total = s->http.login.wrong_total,
                              .blocked_tokens_total = s->http.login.blocked_total,
                              .spectra_total = s->spectra.total,
                              .answer_bytes = s->http.body_bytes};
    tls_relay_counts(s->http.tls, &c.tls);
    return c;
}

static json_t *status_json(void *user, const struct status *status)
{
    const struct server *s = user;
    const struct server_counts c = count(s);
    json_t *json = status_to_json(status);
    if (json) {
        json_object_set_new(json, "server", figures_to_json(server_figures, &c));
        json_object_set_new(json, "limits", limits_to_json(&s->live));
    }
    return json;
}

/* Allocated; NULL: no memory. */
static char *make_metrics(const struct server *s, enum metrics_format format, size_t *size)
{
    const struct server_counts counts = count(s);
    struct metric_writer m;
    struct status now;
    metrics_open(&m, format);
    if (!m.f)
        return NULL;
    struct measure_snapshot *measured =
        s->hooks.measure_thread ? measure_thread_newest(s->hooks.measure_thread) : NULL;
    radio_control_status(s->hooks.control, &now);
    metrics_write(&m, &now, measured);
    server_counts_write(&m, &counts);
    measure_snapshot_unref(measured);
    return metrics_close(&m, size);
}

static void answer_metrics(void *server, const struct request *r, struct answer *a)
{
    const enum metrics_format format = answer_metrics_format(r);
    size_t size = 0;
    char *text = make_metrics(server, format, &size);
    answer_metrics_text(r->server, text, size, format, a);
}

/* 200 while spectra are being produced, otherwise 503. */
static void answer_health(void *server, const struct request *r, struct answer *a)
{
    const struct server *s = server;
    struct status now;
    (void)r;
    radio_control_status(s->hooks.control, &now);
    answer_text(a, now.state == SOURCE_RUNNING ? 200 : 503, "%s%s%s\n",
                source_state_name(now.state), now.message[0] ? ": " : "", now.message);
}

/* ---- lines ------------------------------------------------------------------------------ */

/* The first lines may come before a status that knows their rate. */
static double rate_of(const struct line *line)
{
    const double samples =
        line->dwells ? (double)line->sample_count : (double)line->hop * (double)line->frames;
    return line_sample_rate_hz(line) / fmax(samples, 1);
}

static void on_line(struct server *s, struct line *line)
{
    s->epoch = line->epoch;
    live_service_on_line(&s->live, line);
    density_service_on_line(&s->density, line);
    reference_takes_on_line(&s->references, line);
    spur_learning_on_line(&s->learning, line);
    if (!(s->feed.line_rate_hz > 0))
        s->feed.line_rate_hz = rate_of(line);
    feed_line(&s->feed, line);
    spectra_on_line(&s->spectra);
}

void server_on_lines(struct server *s)
{
    bool closed = false;
    bool changed = false;
    struct line *line = NULL;
    int budget = LINES_PER_CALL;
    while (!s->http.stopping && budget-- > 0 && (line = line_reader_next(&s->reader, 0, &closed))) {
        changed = changed || line->epoch != s->epoch;
        on_line(s, line);
    }
    if (closed && !s->drained) { /* the status says that the recording has ended */
        s->drained_ns = clock_now_ns();
        changed = true;
    }
    s->drained = closed;
    if (line) /* LINES_PER_CALL is used up */
        uv_async_send(&s->remaining_lines);
    if (changed)
        status_message_push(&s->live);
    live_service_push(&s->live);
    client_send_all_soon(&s->live.clients);
}

void server_on_blocks(struct server *s)
{
    if (!s->http.stopping)
        channel_streams_on_blocks(&s->channel_streams);
}

void server_reload_tls(struct server *s)
{
    http_service_reload_tls(&s->http);
}

static void on_remaining_lines(uv_async_t *remaining_lines)
{
    server_on_lines(remaining_lines->data);
}

bool server_drained(const struct server *s)
{
    return s->drained &&
           (live_service_has_sent_end(&s->live) || clock_now_ns() - s->drained_ns > LAST_STATUS_NS);
}

bool server_finished(const struct server *s)
{
    return server_drained(s) && !channel_streams_wait(&s->channel_streams);
}

const char *server_url(const struct server *s)
{
    return s->http.listener.url;
}

const struct services *server_services(const struct server *s)
{
    return &s->services;
}

const char *server_note(const struct server *s)
{
    return s->http.listener.note;
}

/* ---- what becomes of the radio ---------------------------------------------------------- */

static void on_measures_changed(void *user)
{
    struct server *s = user;
    demand_update(&s->demand);
    s->live.measures.changed = true;
}

static struct line *newest_line(void *user)
{
    const struct server *s = user;
    return s->feed.latest;
}

static bool is_refused(void *user)
{
    const struct server *s = user;
    return s->demand.refused;
}

/* Spectra may have been computed with a reference that has changed. */
static void on_reference_changed(void *user)
{
    struct server *s = user;
    spectra_on_line(&s->spectra);
}

static void tick(void *user)
{
    struct server *s = user;
    density_service_on_tick(&s->density);
    demand_update(&s->demand);
    spectra_on_tick(&s->spectra);
    channel_streams_on_tick(&s->channel_streams);
    radio_control_tick(s->hooks.control);
    live_service_tick(&s->live);
}

/* ---- start and stop --------------------------------------------------------------------- */

static const struct http_site site = {.index = "/index.html",
                                      .streams = api_streams,
                                      .resource = rest_resource,
                                      .admit = rest_admit,
                                      .change = rest_change,
                                      .tick = tick};

static void set_services(struct server *s)
{
    const struct server_hooks *h = &s->hooks;
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
    s->services = (struct services){.radio = h->control,
                                    .measure_thread = h->measure_thread,
                                    .channels = h->channels,
                                    .channel_set = h->channel_set,
                                    .audio = h->audio,
                                    .recorder = h->recorder,
                                    .triggers = h->triggers,
                                    .references = &s->references,
                                    .learning = &s->learning,
                                    .spurs = h->spurs,
                                    .band_plan = h->band_plan,
                                    .user = s,
                                    .status = status_json,
                                    .measures_changed = on_measures_changed};
}

static void set_streams(struct server *s)
{
    const struct server_hooks *h = &s->hooks;
    s->demand = (struct demand){.control = h->control,
                                .feed = &s->feed,
                                .measure_thread = h->measure_thread,
                                .own_measure_thread = h->own_measure_thread,
                                .triggers = h->triggers,
                                .references = &s->references,
                                .detectors = h->detectors};
    s->spectra = (struct spectra){.http = &s->http,
                                  .feed = &s->feed,
                                  .lines = h->lines,
                                  .active_calibration = h->active_calibration,
                                  .references = h->references,
                                  .demand = &s->demand,
                                  .density = &s->density,
                                  .history = &s->history};
    s->density.spectra = s->history.spectra = &s->spectra;
    s->density.demand = &s->demand;
    s->history.archive = s->archive.folder = h->archive;
    s->channel_streams = (struct channel_streams){.channels = h->channels,
                                                  .channel_set = h->channel_set,
                                                  .audio = h->audio,
                                                  .control = h->control};
    s->events = (struct event_answers){.triggers = h->triggers, .log = h->event_log};
}

static void set_routes(struct server *s)
{
    const struct http_route routes[ROUTES] = {
        {"/api/v1/archive", archive_reads_answer, &s->archive, false},
        {"/api/v1/channel-stream", channel_answer, &s->channel_streams, false},
        {"/api/v1/density", density_answer, &s->density, false},
        {"/api/v1/events", event_answer, &s->events, false},
        {"/api/v1/history", history_answer, &s->history, false},
        {"/api/v1/recording-files/", recording_file_answer, s->hooks.recorder, false},
        {"/api/v1/spectrum", spectra_answer, &s->spectra, false},
        {"/api/v1/survey", archive_reads_survey, &s->archive, false},
        {"/healthz", answer_health, s, false},
        {"/metrics", answer_metrics, s, false},
        {"/ws", answer_websocket, NULL, false},
    };
    memcpy(s->routes, routes, sizeof routes);
}

static void set_carriers(struct server *s, const struct server_options *options)
{
    struct clients *clients = &s->live.clients;
    clients->http = &s->http;
    clients->role = &live_service_role;
    clients->user = &s->live;
    s->live.feed = &s->feed;
    s->live.services = &s->services;
    s->live.own_measure_thread = s->hooks.own_measure_thread;
    s->live.demand = &s->demand;
    s->live.history = &s->history;
    s->http.loop = s->hooks.loop;
    s->http.options = *options;
    s->http.site = &site;
    s->http.user = s;
    s->http.routes = s->routes;
    s->http.route_count = ROUTES;
    s->http.services = &s->services;
    s->http.websocket = clients_websocket(clients);
}

static int open_parts(struct server *s, struct reason *why)
{
    int err = http_service_open(&s->http, why);
    if (err == 0)
        err = live_service_start(&s->live);
    if (err == 0)
        err = uv_async_init(s->hooks.loop, &s->remaining_lines, on_remaining_lines);
    if (err < 0)
        return err;
    s->remaining_lines.data = s;
    return history_service_start(&s->history, s->hooks.lines, s->http.options.history_bytes,
                                 s->hooks.lossless, why);
}

int server_start(struct server **out, const struct server_options *options,
                 const struct server_hooks *hooks, struct reason *why)
{
    struct server *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return -ENOMEM;
    s->hooks = *hooks;
    feed_init(&s->feed, hooks->lines, options->max_views);
    s->feed.traces.references = hooks->references;
    line_reader_join(&s->reader, hooks->lines, false);
    set_services(s);
    set_streams(s);
    set_routes(s);
    set_carriers(s, options);
    return open_parts(s, why);
}

void server_stop(struct server *s)
{
    if (s->http.stopping)
        return;
    http_service_stop(&s->http);
    live_service_stop(&s->live);
    if (s->remaining_lines.data)
        uv_close((uv_handle_t *)&s->remaining_lines, NULL);
}

void server_destroy(struct server *s)
{
    if (!s)
        return;
    http_service_finish(&s->http);
    line_reader_leave(&s->reader);
    spectra_finish(&s->spectra);
    density_service_finish(&s->density);
    live_service_finish(&s->live);
    spur_learning_finish(&s->learning);
    history_service_finish(&s->history);
    reference_takes_finish(&s->references);
    feed_finish(&s->feed);
    free(s);
}
