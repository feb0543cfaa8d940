/* server.c - starts and stops the server, and passes lines and the status to its clients. */
#include "daemon/server/server.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/access/peers.h"
#include "daemon/access/token.h"
#include "daemon/api/reference_takes.h"
#include "daemon/api/spur_learning.h"
#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/http/answer/assets.h"
#include "daemon/http/internal.h"
#include "daemon/live/topic.h"

enum { LINES_PER_CALL = 64, LAST_STATUS_NS = 1000000000 };

/* ---- lines and the status --------------------------------------------------------------- */

void server_update_status(struct server *s, struct status *out)
{
    radio_control_status(s->hooks.control, out);
    s->feed.line_rate_hz = out->dsp.line_rate_hz;
}

struct server_counts server_count(struct server *s)
{
    s->counts.views = s->feed.view_count;
    s->counts.frames_total = s->feed.frames;
    s->counts.merged_total = s->feed.merged;
    s->counts.lines_missed = line_reader_missed(&s->reader);
    s->counts.answer_bytes = s->body_bytes;
    return s->counts;
}

static void on_tick(uv_timer_t *timer)
{
    struct server *s = timer->data;
    listener_resume(&s->listener);
    server_check_silence(s);
    s->role->tick(s);
}

/* The first lines may come before a status that knows their rate. */
static double rate_of(const struct line *line)
{
    const double samples =
        line->dwells ? (double)line->sample_count : (double)line->hop * (double)line->frames;
    return line_sample_rate_hz(line) / fmax(samples, 1);
}

void server_on_lines(struct server *s)
{
    bool closed = false;
    bool changed = false;
    struct line *line = NULL;
    int budget = LINES_PER_CALL;
    while (!s->stopping && budget-- > 0 && (line = line_reader_next(&s->reader, 0, &closed))) {
        changed = changed || line->epoch != s->epoch;
        replay_on_line(s, line);
        s->epoch = line->epoch;
        density_on_line(s, line);
        reference_takes_on_line(&s->references, line);
        spur_learning_on_line(&s->learning, line);
        if (!(s->feed.line_rate_hz > 0))
            s->feed.line_rate_hz = rate_of(line);
        feed_line(&s->feed, line);
        spectra_on_line(s);
    }
    if (closed && !s->drained) { /* it says that the recording has ended */
        s->drained_ns = clock_now_ns();
        server_push_status(s);
    }
    s->drained = closed;
    if (line) /* LINES_PER_CALL is used up */
        uv_async_send(&s->remaining_lines);
    if (changed)
        server_push_status(s);
    server_push_recordings(s);
    server_push_measures(s);
    server_push_own_measures(s);
    server_request_writes(s);
}

static void on_remaining_lines(uv_async_t *remaining_lines)
{
    server_on_lines(remaining_lines->data);
}

bool server_drained(const struct server *s)
{
    bool waits = false;
    for (const struct client *c = s->clients; c; c = c->next)
        waits = waits || (c->status_due && c->welcomed);
    return s->drained && (!waits || clock_now_ns() - s->drained_ns > LAST_STATUS_NS);
}

const char *server_url(const struct server *s)
{
    return s->listener.url;
}

const struct services *server_services(const struct server *s)
{
    return s->services;
}

const char *server_note(const struct server *s)
{
    return s->listener.note;
}

/* ---- start and stop --------------------------------------------------------------------- */

static int start_handles(struct server *s, struct reason *why)
{
    int err = uv_async_init(s->hooks.loop, &s->remaining_lines, on_remaining_lines);
    if (err == 0) {
        s->remaining_lines.data = s;
        err = uv_timer_init(s->hooks.loop, &s->tick);
    }
    if (err == 0)
        err = uv_idle_init(s->hooks.loop, &s->sending);
    if (err == 0) {
        s->tick.data = s->sending.data = s;
        uv_timer_start(&s->tick, on_tick, 0, 1000);
        err = listener_start(&s->listener, s->hooks.loop, server_on_accepted, s);
    }
    if (err < 0)
        reason_set(why, err, "listen %s: %s", s->options.listen, uv_strerror(err));
    return err;
}

int server_open(struct server *s, struct reason *why)
{
    const struct server_options *o = &s->options;
    connections_init(&s->connections);
    int err = token_load_service(&s->token, o->token, o->token_file, why);
    if (s->token.is_short)
        log_warn("the control token can be guessed: it has less than 16 characters");
    if (err == 0)
        err = peers_init(&s->peers, 2 * (o->max_clients + 2 * HTTP_EXTRA) + 2);
    if (err == 0 && o->web_root)
        err = asset_check_root(o->web_root, why);
    if (err == 0)
        err = server_raise_descriptors(o->max_clients, why);
    if (err == 0)
        err = listener_open(&s->listener, o, why);
    if (err == 0)
        err = server_start_context(s, why);
    if (err == 0)
        err = start_handles(s, why);
    return err;
}

int server_start(struct server **out, const struct server_options *options,
                 const struct server_hooks *hooks, struct reason *why)
{
    struct server *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return -ENOMEM;
    s->role = &radio_role;
    s->options = *options;
    s->hooks = *hooks;
    feed_init(&s->feed, hooks->lines, options->max_views);
    s->feed.traces.references = hooks->references;
    line_reader_join(&s->reader, hooks->lines, false);
    *out = s;
    server_serve_radio(s);
    const int err = server_open(s, why);
    return err < 0 ? err : history_service_start(s, why);
}

void server_stop(struct server *s)
{
    if (s->stopping)
        return;
    s->stopping = true;
    if (s->role->stop)
        s->role->stop(s);
    listener_close(&s->listener);
    if (s->tick.data)
        uv_close((uv_handle_t *)&s->tick, NULL);
    if (s->sending.data)
        uv_close((uv_handle_t *)&s->sending, NULL);
    if (s->remaining_lines.data)
        uv_close((uv_handle_t *)&s->remaining_lines, NULL);
    if (s->context)
        lws_context_destroy(s->context); /* asynchronous: the loop completes it */
}

void server_destroy(struct server *s)
{
    if (!s)
        return;
    if (s->context)
        lws_context_destroy(s->context);
    s->role->finish(s);
    peers_finish(&s->peers);
    free(s);
}
