/* sensor.c - the thread that reads lines, folds them, and puts frames of them into the outbox. */
#include "daemon/sensor/sensor.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/measure/report_json.h"
#include "daemon/nats/line_message.h"
#include "daemon/sensor/line_fold.h"
#include "daemon/sensor/sensor_archive.h"
#include "daemon/sensor/sensor_control.h"
#include "daemon/sensor/sensor_link.h"
#include "daemon/sensor/sensor_report.h"
#include "daemon/wire/ws_message.h"

enum { WAIT_MS = 50, SITE = 64 };
static const uint64_t second_ns = 1000000000;

struct sensor {
    struct sensor_config config;
    char site[SITE];
    struct sensor_report report;
    struct outbox *outbox;
    struct sensor_link *link;
    struct sensor_archive *archive; /* NULL: there is none, or hubs may not have it */
    uv_thread_t thread;
    bool started;

    /* used by the loop thread only */
    struct status *status;                      /* the newest */
    uint64_t announce_ns, ledger_ns, status_ns; /* when these are due */
    uint64_t links;                             /* times that the link had come up by then */
    struct sensor_control control;

    /* used by the sensor's thread only */
    struct line_reader reader;
    struct line_fold fold;
    uint64_t period_ns, next_ns; /* of frames; when the next one is due */
    uint64_t measured_ns;        /* when measurements are due */
    uint64_t measured_line;      /* of those published last */
    uint64_t links_seen;         /* times that the link came up, when the last frame was made */
    uint64_t away_lines;         /* folded since it was lost */

    uv_mutex_t lock;
    struct nats_state state; /* under lock, like the next one */
    double line_rate_hz;
};

/* ---- the sensor's thread: frames --------------------------------------------------------- */

static struct ws_message *make_message(struct sensor *s, const struct line *newest, bool after_loss)
{
    struct ws_message *frame = line_fold_encode(&s->fold);
    if (!frame)
        return NULL;
    const struct line_message m = {.after_loss = after_loss,
                                   .run = s->report.run,
                                   .base = s->fold.encoder.base.number,
                                   .host_time_ns = clock_unix_ns(),
                                   .uncertainty_us = line_message_uncertainty(
                                       !newest->hardware_time && newest->anchor.id == 0)};
    struct ws_message *message = line_message_create(&m, frame);
    ws_message_unref(frame);
    return message;
}

static void count_frame(struct sensor *s, uint32_t lines, bool pushed)
{
    uv_mutex_lock(&s->lock);
    s->state.lines += lines;
    s->state.folded += lines - 1;
    s->state.dropped_lines += pushed ? 0 : lines;
    uv_mutex_unlock(&s->lock);
}

static void note_links(struct sensor *s, const struct outbox_state *link)
{
    struct nats_state state;
    if (link->links == s->links_seen)
        return;
    sensor_state(s, &state);
    if (s->links_seen > 0)
        sensor_report_gap(s->outbox, &s->report, &state,
                          &(struct sensor_report_gap){link->lost_ns, link->back_ns,
                                                      s->fold.newest->number, s->away_lines});
    s->links_seen = link->links;
    s->away_lines = 0;
}

static void publish(struct sensor *s)
{
    struct outbox_state link;
    const uint32_t lines = s->fold.lines;
    outbox_state(s->outbox, &link);
    if (link.links > s->links_seen)
        line_fold_need_base(&s->fold); /* new subscribers may have come */
    struct ws_message *message = make_message(s, s->fold.newest, s->away_lines > 0);
    count_frame(s, lines,
                message && outbox_push(s->outbox, OUTBOX_LINES, message->data, message->size));
    ws_message_unref(message);
    if (link.up)
        note_links(s, &link);
}

static bool is_due(struct sensor *s)
{
    return s->fold.lines > 0 && clock_now_ns() >= s->next_ns && outbox_wants_line(s->outbox);
}

static void publish_if_due(struct sensor *s)
{
    if (!is_due(s))
        return;
    const uint64_t now = clock_now_ns();
    publish(s);
    s->next_ns += s->period_ns;
    if (s->next_ns < now)
        s->next_ns = now + s->period_ns;
}

/* ---- the sensor's thread: lines and measurements ----------------------------------------- */

static double line_rate(struct sensor *s)
{
    uv_mutex_lock(&s->lock);
    const double rate_hz = s->line_rate_hz;
    uv_mutex_unlock(&s->lock);
    return rate_hz;
}

static void add_line(struct sensor *s, struct line *line)
{
    struct outbox_state link;
    if (!line_fold_render(&s->fold, line, line_rate(s))) {
        line_unref(s->config.lines, line);
        return;
    }
    if (!line_fold_fits(&s->fold))
        publish(s); /* settings changed: what waits cannot be folded any further */
    line_fold_add(&s->fold, line);
    outbox_state(s->outbox, &link);
    s->away_lines += !link.up;
}

static void publish_measurements(struct sensor *s)
{
    struct text rows = {0};
    const uint64_t now = clock_now_ns();
    if (!s->config.measure_thread || now < s->measured_ns)
        return;
    s->measured_ns = now + second_ns;
    struct measure_snapshot *newest = measure_thread_newest(s->config.measure_thread);
    if (newest && newest->count > 0 && newest->line != s->measured_line) {
        s->measured_line = newest->line;
        snapshot_add_rows(&rows, newest);
    }
    measure_snapshot_unref(newest);
    if (rows.length > 0 && !rows.failed)
        outbox_push(s->outbox, OUTBOX_MEASUREMENTS, rows.data, rows.length);
    text_finish(&rows);
}

static void note_missed(struct sensor *s)
{
    uv_mutex_lock(&s->lock);
    s->state.missed = line_reader_missed(&s->reader);
    uv_mutex_unlock(&s->lock);
}

static void run(void *user)
{
    struct sensor *s = user;
    bool closed = false;
    pthread_setname_np(pthread_self(), "sensor");
    while (!closed) {
        struct line *line = line_reader_next(&s->reader, WAIT_MS, &closed);
        if (line)
            add_line(s, line);
        publish_if_due(s);
        publish_measurements(s);
        note_missed(s);
    }
    if (s->fold.lines > 0)
        publish(s);
    line_fold_finish(&s->fold);
    line_reader_leave(&s->reader);
}

/* ---- the loop thread --------------------------------------------------------------------- */

static void announce(struct sensor *s, bool gone)
{
    struct nats_state state;
    sensor_state(s, &state);
    sensor_archive_offer(s->archive, &s->report.offer);
    sensor_report_announce(s->outbox, &s->report, s->status, &state, &s->control.writer, gone);
}

/* True once a period; *at_ns 0: now. */
static bool is_time(uint64_t *at_ns, unsigned period_s)
{
    const uint64_t now = clock_now_ns();
    if (now < *at_ns)
        return false;
    *at_ns = now + period_s * second_ns;
    return true;
}

/* A subscriber that was away, too, gets everything at once. */
static void note_change(struct sensor *s, const struct status *status)
{
    struct outbox_state link;
    outbox_state(s->outbox, &link);
    if (s->status->state != status->state || link.links != s->links)
        s->announce_ns = s->ledger_ns = s->status_ns = 0;
    s->links = link.links;
    *s->status = *status;
    uv_mutex_lock(&s->lock);
    s->line_rate_hz = status->dsp.line_rate_hz;
    uv_mutex_unlock(&s->lock);
}

void sensor_set_status(struct sensor *s, const struct status *status)
{
    if (!s)
        return;
    note_change(s, status);
    if (sensor_control_handle(&s->control, &s->config))
        s->announce_ns = 0; /* it says who changed the radio */
    if (is_time(&s->announce_ns, SENSOR_ANNOUNCE_S))
        announce(s, false);
    if (is_time(&s->ledger_ns, SENSOR_LEDGER_S))
        sensor_report_ledger(s->outbox, &s->report, &status->dsp.ledger);
    if (is_time(&s->status_ns, SENSOR_STATUS_S))
        sensor_report_status(s->outbox, &s->report, status);
}

/* ---- any thread -------------------------------------------------------------------------- */

void sensor_push_event(struct sensor *s, const struct event *e)
{
    if (s)
        sensor_report_event(s->outbox, &s->report, e);
}

void sensor_state(struct sensor *s, struct nats_state *out)
{
    *out = (struct nats_state){0};
    if (!s)
        return;
    uv_mutex_lock(&s->lock);
    *out = s->state;
    uv_mutex_unlock(&s->lock);
    outbox_state(s->outbox, &out->outbox);
}

/* ---- start and end ----------------------------------------------------------------------- */

/* The host name up to its first dot, as a word of a subject. */
static void name_host(char site[SITE])
{
    if (gethostname(site, SITE) < 0 || !site[0] || site[0] == '.')
        snprintf(site, SITE, "site");
    site[SITE - 1] = '\0';
    site[strcspn(site, ".")] = '\0';
    for (char *at = site; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '-' && *at != '_')
            *at = '-';
}

static void add_services(struct sensor *s, struct sensor_link_config *link)
{
    if (s->control.requests)
        link->service[link->services++] = (struct sensor_service){
            .name = "control", .requests = s->control.requests, .replies = s->control.replies};
    if (s->archive)
        link->service[link->services++] = sensor_archive_service(s->archive);
}

static int start_link(struct sensor *s, struct reason *why)
{
    const struct nats_options *o = &s->config.config->nats;
    const int length = snprintf(s->state.subject, sizeof s->state.subject, "%s.%s.%s", o->prefix,
                                s->report.site, o->radio);
    if (length >= (int)sizeof s->state.subject)
        return reason_set(why, -EINVAL, "nats: the subject %s... is too long", s->state.subject);
    int err = sensor_control_init(&s->control, s->config.config, why);
    s->report.controllable = s->control.requests != NULL;
    snprintf(s->control.at, sizeof s->control.at, "/api/v1/radios/%s.%s/", s->report.site,
             o->radio);
    if (err == 0)
        err = outbox_create(&s->outbox);
    if (err == 0)
        err = sensor_archive_start(&s->archive, s->config.config, s->outbox);
    struct sensor_link_config link = {
        .options = o, .subject = s->state.subject, .outbox = s->outbox, .run = s->report.run};
    add_services(s, &link);
    return err < 0 ? err : sensor_link_start(&s->link, &link, why);
}

static int init_sensor(struct sensor *s)
{
    const struct config *c = s->config.config;
    if (uv_mutex_init(&s->lock) < 0)
        return -ENOMEM;
    name_host(s->site);
    s->state.on = true;
    s->period_ns = (uint64_t)((double)second_ns / c->nats.rate_hz);
    s->report = (struct sensor_report){.options = &c->nats,
                                       .site = c->nats.site ? c->nats.site : s->site,
                                       .detector = detector_name(c->output.detector_index)};
    if (getrandom(&s->report.run, sizeof s->report.run, 0) != sizeof s->report.run)
        s->report.run = (uint32_t)clock_unix_ns();
    s->status = calloc(1, sizeof *s->status);
    const int err = line_fold_init(&s->fold, s->config.lines, c->nats.columns,
                                   c->output.detector_index, c->nats.step_db);
    return s->status ? err : -ENOMEM;
}

static int start_thread(struct sensor *s)
{
    line_reader_join(&s->reader, s->config.lines, false);
    const int err = uv_thread_create(&s->thread, run, s);
    s->started = err == 0;
    if (err < 0)
        line_reader_leave(&s->reader);
    return err;
}

int sensor_start(struct sensor **out, const struct sensor_config *config, struct reason *why)
{
    struct sensor *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return -ENOMEM;
    s->config = *config;
    int err = init_sensor(s);
    if (err == 0)
        err = start_link(s, why);
    if (err == 0)
        err = start_thread(s);
    if (err < 0) {
        sensor_destroy(s);
        return err;
    }
    *out = s;
    return 0;
}

void sensor_stop(struct sensor *s, int patience_ms)
{
    if (!s || !s->started)
        return;
    uv_thread_join(&s->thread);
    s->started = false;
    announce(s, true);
    sensor_archive_stop(s->archive);
    sensor_link_stop(s->link, patience_ms);
}

void sensor_destroy(struct sensor *s)
{
    if (!s)
        return;
    sensor_archive_stop(s->archive); /* it wakes the link */
    sensor_link_destroy(s->link);
    sensor_archive_destroy(s->archive);
    sensor_control_finish(&s->control);
    line_fold_finish(&s->fold);
    outbox_destroy(s->outbox);
    uv_mutex_destroy(&s->lock);
    free(s->status);
    free(s);
}
