/* hub_role.c - starts and stops a hub, reads what came from the broker, and answers requests. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/resource.h"
#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/hub/radio_report.h"
#include "daemon/hub/serve/hub_service.h"
#include "daemon/live/topic.h"

void hub_link_state(const struct hub_service *h, struct link_reader_state *out)
{
    *out = (struct link_reader_state){0};
    if (h->reader)
        link_reader_state(h->reader, out);
}

static json_t *list_json(const struct hub_service *h)
{
    struct link_reader_state link;
    hub_link_state(h, &link);
    return radio_report_list(&h->radios, &link, inbox_dropped(h->inbox));
}

/* ---- messages of the broker -------------------------------------------------------------- */

/*
 * Makes a new list due for every viewer. A round is sent with the frames that come next, as one
 * turn with them: a turn of its own for every viewer would delay frames. The rest gets it soon.
 */
static void push_list(struct server *s)
{
    struct hub_service *h = s->hub;
    const struct radio_news_time now = {.clock_ns = clock_now_ns(), .unix_ns = clock_unix_ns()};
    const bool round = now.clock_ns >= h->list_due_ns;
    struct link_reader_state link;
    hub_link_state(h, &link);
    if (round)
        hub_archive_update(h);
    radio_news_update(&h->news, &h->radios, &link, inbox_dropped(h->inbox), now, round);
    if (round) {
        h->list_due_ns = now.clock_ns + HUB_LIST_NS;
        h->rest_due_ns = now.clock_ns + HUB_REST_NS;
    }
    if (h->radios.changed || !round)
        server_request_writes(s);
    h->radios.changed = false;
}

static void send_rest(struct server *s)
{
    struct hub_service *h = s->hub;
    if (h->rest_due_ns == 0 || clock_now_ns() < h->rest_due_ns)
        return;
    h->rest_due_ns = 0;
    server_request_writes(s);
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

static void update(struct server *s)
{
    struct hub_service *h = s->hub;
    take_messages(h);
    hub_take_answers(s);
    remote_calls_keep(h);
    radios_check_silence(&h->radios, clock_unix_ns());
    if (h->radios.changed || clock_now_ns() >= h->list_due_ns)
        push_list(s);
    viewers_make_due(h);
    send_rest(s);
}

static void on_pace(uv_timer_t *pace)
{
    update(pace->data);
}

static void on_arrived(uv_async_t *arrived)
{
    struct server *s = arrived->data;
    if (!s->stopping && !uv_is_active((uv_handle_t *)&s->hub->pace))
        uv_timer_start(&s->hub->pace, on_pace, HUB_PACE_MS, 0);
}

/* Called on a thread of the link. */
static void ring(void *user)
{
    struct hub_service *h = user;
    uv_async_send(&h->arrived);
}

/* ---- routes ------------------------------------------------------------------------------ */

static const char radios_path[] = "/api/v1/radios/";

static void answer_radios(struct server *s, const struct request *r, struct answer *a)
{
    (void)r;
    answer_json(s, list_json(s->hub), JSON_REAL_PRECISION(15), a);
}

static void answer_document(struct server *s, const struct request *r, struct answer *a)
{
    (void)r;
    answer_json(s, api_hub_document(), JSON_REAL_PRECISION(API_DIGITS), a);
}

const struct radio *hub_find_radio(const struct hub_service *h, const char *name)
{
    const size_t site = strcspn(name, ".");
    char of[HUB_WORD];
    if (site >= sizeof of || name[site] != '.')
        return NULL;
    memcpy(of, name, site);
    of[site] = '\0';
    return radios_find_name(&h->radios, of, name + site + 1);
}

/* /api/v1/radios/SITE.RADIO, and below it /archive, /survey, and the resources of the radio */
static void answer_radio(struct server *s, const struct request *r, struct answer *a)
{
    const char *name = r->path + sizeof radios_path - 1;
    struct reason why = {0};
    if (hub_archive_answer(s, r, name, a) || remote_call_read(s, r, a))
        return;
    if (query_check(&r->query, "", &why) < 0) {
        answer_fault(a, 400, "%s", why.sentence);
        return;
    }
    const struct radio *radio = hub_find_radio(s->hub, name);
    if (radio)
        answer_json(s, radio_report_one(radio), JSON_REAL_PRECISION(15), a);
    else
        answer_fault(a, 404, "%s: there is no such radio: SITE.RADIO", name);
}

static void add_viewers(const struct metric_writer *m, const struct server *s)
{
    metric_gauge(m, "fftd_hub_viewers", "Websockets.", s->counts.clients);
    metric_counter(m, "fftd_hub_viewers_accepted", "Websockets ever accepted.",
                   s->counts.clients_total);
    metric_counter(m, "fftd_hub_refused", "Connections and upgrades refused.",
                   s->counts.refused_total);
    metric_counter(m, "fftd_hub_sent_frames", "Frames sent to viewers.", s->hub->frames);
    metric_counter(m, "fftd_hub_sent_bytes", "Their bytes.", s->hub->bytes);
    metric_counter(m, "fftd_hub_dropped_frames", "Frames that viewers were too late for.",
                   s->hub->dropped);
    metric_head(m, "fftd_hub_requests", METRIC_COUNTER, "Requests of viewers to radios.");
    for (int i = 0; i < HUB_OUTCOMES; i++)
        fprintf(m->f, "fftd_hub_requests_total{outcome=\"%s\"} %llu\n",
                hub_outcome_name((enum hub_outcome)i),
                (unsigned long long)s->hub->requests.outcomes[i]);
}

/* Allocated; NULL: no memory. */
static char *make_metrics(const struct server *s, enum metrics_format format, size_t *size)
{
    struct link_reader_state link;
    struct metric_writer m;
    metrics_open(&m, format);
    if (!m.f)
        return NULL;
    hub_link_state(s->hub, &link);
    radio_report_metrics(&m, &s->hub->radios, &link, inbox_dropped(s->hub->inbox));
    add_viewers(&m, s);
    return metrics_close(&m, size);
}

static void answer_metrics(struct server *s, const struct request *r, struct answer *a)
{
    const enum metrics_format format = answer_metrics_format(r);
    size_t size = 0;
    char *text = make_metrics(s, format, &size);
    answer_metrics_text(s, text, size, format, a);
}

/* 200 while the broker is connected, otherwise 503. */
static void answer_health(struct server *s, const struct request *r, struct answer *a)
{
    struct link_reader_state link;
    (void)r;
    hub_link_state(s->hub, &link);
    answer_text(a, link.connected ? 200 : 503, "%s\n",
                link.connected ? "connected" : "the broker is away");
}

static const struct route routes[] = {
    {"/api/v1/openapi.json", answer_document, ""},
    {"/api/v1/radios", answer_radios, ""},
    {radios_path, answer_radio, NULL},
    {"/healthz", answer_health, ""},
    {"/metrics", answer_metrics, ""},
    {"/ws", answer_websocket, ""},
};

/* ---- start and stop ---------------------------------------------------------------------- */

static void stop(struct server *s)
{
    struct hub_service *h = s->hub;
    collector_stop(h->collector);
    link_reader_stop(h->reader);
    if (h->opened) {
        uv_close((uv_handle_t *)&h->arrived, NULL);
        uv_close((uv_handle_t *)&h->pace, NULL);
    }
    h->opened = false;
}

static void free_inboxes(struct hub_service *h)
{
    if (!h)
        return;
    inbox_destroy(h->inbox);
    inbox_destroy(h->to_sensors);
    inbox_destroy(h->answers);
}

static void finish(struct server *s)
{
    struct hub_service *h = s->hub;
    link_reader_destroy(h->reader);
    collector_destroy(h->collector);
    free_inboxes(h);
    radio_news_finish(&h->news);
    radios_finish(&h->radios);
    free(h);
}

static int open_handles(struct server *s, uv_loop_t *loop)
{
    struct hub_service *h = s->hub;
    int err = uv_async_init(loop, &h->arrived, on_arrived);
    if (err < 0)
        return err;
    uv_timer_init(loop, &h->pace);
    h->arrived.data = h->pace.data = s;
    h->opened = true;
    return 0;
}

static int start_service(struct server *s, struct reason *why)
{
    struct hub_service *h = s->hub;
    const struct link_reader_config config = {.options = &h->nats,
                                              .inbox = h->inbox,
                                              .requests = h->to_sensors,
                                              .answers = h->answers,
                                              .changed = ring,
                                              .user = h};
    int err = open_handles(s, s->hooks.loop);
    if (err == 0)
        err = hub_archive_start(s, why);
    if (err == 0)
        err = link_reader_start(&h->reader, &config, why);
    if (err == 0)
        push_list(s);
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

int server_start_hub(struct server **out, const struct server_options *options,
                     const struct server_hub *hub, struct reason *why)
{
    struct server *s = calloc(1, sizeof *s);
    struct hub_service *h = calloc(1, sizeof *h);
    *out = NULL;
    if (!s || !h || create_inboxes(h) < 0) {
        free_inboxes(h);
        free(s);
        free(h);
        return -ENOMEM;
    }
    s->role = &hub_role;
    s->hub = h;
    s->options = *options;
    s->hooks.loop = hub->loop;
    h->nats = *hub->nats;
    h->archive = *hub->archive;
    radios_init(&h->radios, h->nats.prefix);
    *out = s;
    const int err = server_open(s, why);
    return err < 0 ? err : start_service(s, why);
}

const struct server_role hub_role = {.routes = routes,
                                     .route_count = sizeof routes / sizeof routes[0],
                                     .index = "/hub/index.html",
                                     .resource = remote_call_resource,
                                     .admit = remote_call_admit,
                                     .change = remote_call_change,
                                     .tick = update,
                                     .join = viewer_join,
                                     .leave = viewer_leave,
                                     .has_output = viewer_has_output,
                                     .next_frame = viewer_next_frame,
                                     .on_message = viewer_on_message,
                                     .stop = stop,
                                     .finish = finish};
