/* hub_server.c - starts and stops a hub, reads what came from the broker, and answers requests. */
#include "daemon/hub/serve/hub_server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/resource.h"
#include "daemon/api/streams.h"
#include "daemon/base/clock.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/service/http_service.h"
#include "daemon/hub/radio_report.h"
#include "daemon/hub/serve/hub_archive.h"
#include "daemon/hub/serve/hub_service.h"
#include "daemon/hub/serve/radio_call.h"
#include "daemon/hub/serve/remote_call.h"
#include "daemon/hub/serve/viewer_request.h"
#include "daemon/hub/serve/viewers.h"
#include "daemon/live/client_send.h"
#include "daemon/live/client_silence.h"
#include "daemon/live/clients.h"

static json_t *list_json(const struct hub_service *h)
{
    struct link_reader_state link;
    hub_service_link(h, &link);
    return radio_report_list(&h->radios, &link, inbox_dropped(h->inbox));
}

/* ---- messages of the broker -------------------------------------------------------------- */

/*
 * Marks a new list as pending for every viewer. A round is sent with the frames that come next, as
 * one turn with them: a turn of its own for every viewer would delay frames. The rest gets it soon.
 */
static void push_list(struct hub_service *h)
{
    const struct radio_list_time now = {.clock_ns = clock_now_ns(), .unix_ns = clock_unix_ns()};
    const bool round = now.clock_ns >= h->next_list_ns;
    struct link_reader_state link;
    hub_service_link(h, &link);
    if (round)
        hub_archive_update(h);
    radio_list_update(&h->list, &h->radios, &link, inbox_dropped(h->inbox), now, round);
    if (round) {
        h->next_list_ns = now.clock_ns + HUB_LIST_NS;
        h->next_rest_ns = now.clock_ns + HUB_REST_NS;
    }
    if (h->radios.changed || !round)
        client_send_all_soon(&h->clients);
    h->radios.changed = false;
}

static void send_rest(struct hub_service *h)
{
    if (h->next_rest_ns == 0 || clock_now_ns() < h->next_rest_ns)
        return;
    h->next_rest_ns = 0;
    client_send_all_soon(&h->clients);
}

static void take_messages(struct hub_service *h)
{
    for (struct inbox_message *m = inbox_take(h->inbox); m;) {
        struct inbox_message *next = m->next;
        radios_take(&h->radios, m->subject, m->data, m->size, m->time_ns);
        free(m);
        m = next;
    }
}

static void on_done(void *user, const struct hub_request *request, const struct hub_answer *answer)
{
    if (request->id)
        viewer_request_done(request, answer);
    else
        remote_call_done(user, request, answer);
}

/* To requests that are decided. */
static void take_answers(struct hub_service *h)
{
    struct link_reader_state link;
    hub_service_link(h, &link);
    for (struct inbox_message *m = inbox_take(h->answers); m;) {
        struct inbox_message *next = m->next;
        hub_requests_take(&h->requests, m->subject, m->data, m->size, on_done, h);
        free(m);
        m = next;
    }
    hub_requests_expire(&h->requests, clock_now_ns(), link.connected ? link.links : 0, on_done, h);
}

static void update(struct hub_service *h)
{
    take_messages(h);
    take_answers(h);
    remote_call_keep_all(h);
    radios_check_silence(&h->radios, clock_unix_ns());
    if (h->radios.changed || clock_now_ns() >= h->next_list_ns)
        push_list(h);
    viewers_mark_pending(h);
    send_rest(h);
}

static void on_pace(uv_timer_t *pace)
{
    update(pace->data);
}

static void on_arrived(uv_async_t *arrived)
{
    struct hub_service *h = arrived->data;
    if (!h->http.stopping && !uv_is_active((uv_handle_t *)&h->pace))
        uv_timer_start(&h->pace, on_pace, HUB_PACE_MS, 0);
}

/* Called on a thread of the link. */
static void wake(void *user)
{
    struct hub_service *h = user;
    uv_async_send(&h->arrived);
}

/* ---- routes ------------------------------------------------------------------------------ */

static void answer_radios(void *hub, const struct request *r, struct answer *a)
{
    answer_json(r->server, list_json(hub), a);
}

static void answer_document(void *hub, const struct request *r, struct answer *a)
{
    (void)hub;
    answer_json(r->server, api_hub_document(), a);
}

/* /api/v1/radios/SITE.RADIO, and below it /archive, /survey, and the resources of the radio */
static void answer_radio(void *hub, const struct request *r, struct answer *a)
{
    struct hub_service *h = hub;
    const char *name = r->path + strlen(radio_call_paths);
    struct reason why = {0};
    if (hub_archive_answer(h, r, name, a) || remote_call_read(r, a))
        return;
    if (query_check(&r->query, NULL, &why) < 0) {
        answer_reason(a, 400, &why);
        return;
    }
    const struct radio *radio = hub_service_radio(h, name);
    if (radio)
        answer_json(r->server, radio_report_one(radio), a);
    else
        answer_fault(a, 404, "%s: there is no such radio: SITE.RADIO", name);
}

static void add_viewers(const struct metric_writer *m, const struct hub_service *h)
{
    metric_gauge(m, "fftd_hub_viewers", "Websockets.", h->clients.count);
    metric_counter(m, "fftd_hub_viewers_accepted", "Websockets ever accepted.", h->clients.total);
    metric_counter(m, "fftd_hub_refused", "Connections and upgrades refused.",
                   h->http.refused_total);
    metric_counter(m, "fftd_hub_sent_frames", "Frames sent to viewers.", h->frames);
    metric_counter(m, "fftd_hub_sent_bytes", "Their bytes.", h->bytes);
    metric_counter(m, "fftd_hub_dropped_frames", "Frames that viewers were too late for.",
                   h->dropped);
    metric_head(m, "fftd_hub_requests", METRIC_COUNTER, "Requests of viewers to radios.");
    for (int i = 0; i < HUB_OUTCOMES; i++)
        fprintf(m->f, "fftd_hub_requests_total{outcome=\"%s\"} %llu\n",
                hub_outcome_name((enum hub_outcome)i), (unsigned long long)h->requests.outcomes[i]);
}

/* Allocated; NULL: no memory. */
static char *make_metrics(const struct hub_service *h, enum metrics_format format, size_t *size)
{
    struct link_reader_state link;
    struct metric_writer m;
    metrics_open(&m, format);
    if (!m.f)
        return NULL;
    hub_service_link(h, &link);
    radio_report_metrics(&m, &h->radios, &link, inbox_dropped(h->inbox));
    add_viewers(&m, h);
    return metrics_close(&m, size);
}

static void answer_metrics(void *hub, const struct request *r, struct answer *a)
{
    const enum metrics_format format = answer_metrics_format(r);
    size_t size = 0;
    char *text = make_metrics(hub, format, &size);
    answer_metrics_text(r->server, text, size, format, a);
}

/* 200 while the broker is connected, otherwise 503. */
static void answer_health(void *hub, const struct request *r, struct answer *a)
{
    struct link_reader_state link;
    (void)r;
    hub_service_link(hub, &link);
    answer_text(a, link.connected ? 200 : 503, "%s\n",
                link.connected ? "connected" : "the broker is away");
}

static void set_routes(struct hub_service *h)
{
    const struct http_route routes[HUB_ROUTES] = {
        {"/api/v1/openapi.json", answer_document, h, false},
        {"/api/v1/radios", answer_radios, h, false},
        {radio_call_paths, answer_radio, h, true},
        {"/healthz", answer_health, h, false},
        {"/metrics", answer_metrics, h, false},
        {"/ws", answer_websocket, NULL, false},
    };
    memcpy(h->routes, routes, sizeof routes);
}

/* ---- start and stop ---------------------------------------------------------------------- */

void hub_server_stop(struct hub_service *h)
{
    if (h->http.stopping)
        return;
    collector_stop(h->collector);
    link_reader_stop(h->reader);
    if (h->opened) {
        uv_close((uv_handle_t *)&h->arrived, NULL);
        uv_close((uv_handle_t *)&h->pace, NULL);
    }
    h->opened = false;
    clients_stop(&h->clients);
    http_service_stop(&h->http);
}

static void free_inboxes(struct hub_service *h)
{
    inbox_destroy(h->inbox);
    inbox_destroy(h->to_sensors);
    inbox_destroy(h->answers);
}

void hub_server_destroy(struct hub_service *h)
{
    if (!h)
        return;
    http_service_finish(&h->http);
    link_reader_destroy(h->reader);
    collector_destroy(h->collector);
    free_inboxes(h);
    radio_list_finish(&h->list);
    radios_finish(&h->radios);
    free(h);
}

static int open_handles(struct hub_service *h)
{
    int err = uv_async_init(h->http.loop, &h->arrived, on_arrived);
    if (err < 0)
        return err;
    uv_timer_init(h->http.loop, &h->pace);
    h->arrived.data = h->pace.data = h;
    h->opened = true;
    return 0;
}

static int start_parts(struct hub_service *h, struct reason *why)
{
    const struct link_reader_config config = {.options = &h->nats,
                                              .inbox = h->inbox,
                                              .requests = h->to_sensors,
                                              .answers = h->answers,
                                              .changed = wake,
                                              .user = h};
    int err = http_service_open(&h->http, why);
    if (err == 0)
        err = clients_start(&h->clients);
    if (err == 0)
        err = open_handles(h);
    if (err == 0)
        err = hub_archive_start(h, why);
    if (err == 0)
        err = link_reader_start(&h->reader, &config, why);
    if (err == 0)
        push_list(h);
    return err;
}

static int create_inboxes(struct hub_service *h)
{
    const int err = inbox_create(&h->inbox, INBOX_HUB_BYTES);
    return err < 0 || inbox_create(&h->to_sensors, INBOX_CALL_BYTES) < 0 ||
                   inbox_create(&h->answers, INBOX_ANSWER_BYTES) < 0
               ? -ENOMEM
               : 0;
}

static void tick(void *hub)
{
    struct hub_service *h = hub;
    client_silence_check(&h->clients);
    update(h);
}

static const struct http_site site = {.index = "/hub/index.html",
                                      .streams = api_hub_streams,
                                      .resource = remote_call_resource,
                                      .admit = remote_call_admit,
                                      .change = remote_call_change,
                                      .tick = tick};

static void set_carriers(struct hub_service *h, const struct hub_server_config *config)
{
    h->clients.http = &h->http;
    h->clients.role = &viewers_role;
    h->clients.user = h;
    h->http.loop = config->loop;
    h->http.options = *config->server;
    h->http.site = &site;
    h->http.user = h;
    h->http.routes = h->routes;
    h->http.route_count = HUB_ROUTES;
    h->http.websocket = clients_websocket(&h->clients);
}

int hub_server_start(struct hub_service **out, const struct hub_server_config *config,
                     struct reason *why)
{
    struct hub_service *h = calloc(1, sizeof *h);
    *out = NULL;
    if (!h || create_inboxes(h) < 0) {
        if (h)
            free_inboxes(h);
        free(h);
        return -ENOMEM;
    }
    h->nats = *config->nats;
    h->archive = *config->archive;
    radios_init(&h->radios, h->nats.prefix);
    set_routes(h);
    set_carriers(h, config);
    *out = h;
    return start_parts(h, why);
}
