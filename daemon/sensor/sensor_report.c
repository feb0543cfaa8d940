/* sensor_report.c - writes the JSON messages of a sensor. */
#include "daemon/sensor/sensor_report.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/status/status_json.h"
#include "daemon/stream/source_state.h"

enum { PROTOCOL = 1 };

/* Every message says when it was made, and by which run. Takes over the object. */
static void push(struct outbox *o, enum outbox_kind kind, const struct sensor_report *r,
                 json_t *object)
{
    char *text = NULL;
    if (object && json_object_set_new(object, "run", json_integer(r->run)) == 0 &&
        json_object_set_new(object, "sent_ns", json_integer(clock_unix_ns())) == 0)
        text = json_text(object, JSON_COMPACT);
    if (text)
        outbox_push(o, kind, text, strlen(text));
    free(text);
    json_decref(object);
}

static json_t *add_geolocation(json_t *announce, const struct geolocation *g)
{
    if (g->known) {
        json_object_set_new(announce, "latitude", json_real(g->latitude));
        json_object_set_new(announce, "longitude", json_real(g->longitude));
    }
    if (g->known && !isnan(g->altitude_m))
        json_object_set_new(announce, "altitude_m", json_real(g->altitude_m));
    return announce;
}

void sensor_report_announce(struct outbox *o, const struct sensor_report *r,
                            const struct status *status, const struct nats_state *state,
                            const struct sensor_writer *writer, bool gone)
{
    const struct tuning *tuning = &status->stream.tuning;
    json_t *announce =
        json_pack("{si ss ss ss ss si ss so so si ss so so so so so sb}", "protocol", PROTOCOL,
                  "version", FFTD_VERSION, "site", r->site, "radio", r->options->radio, "state",
                  gone ? "gone" : source_state_name(status->state), "interval_s", SENSOR_ANNOUNCE_S,
                  "source", status->source, "center_hz", number_to_json(tuning->center_hz),
                  "rate_hz", number_to_json(tuning->rate_hz), "columns", (int)r->options->columns,
                  "detector", r->detector, "line_rate", number_to_json(r->options->rate_hz),
                  "lines", count_to_json(state->lines), "missed", count_to_json(state->missed),
                  "dropped_lines", count_to_json(state->dropped_lines), "dropped_events",
                  count_to_json(state->outbox.dropped_events), "controllable", r->controllable);
    if (writer->time_ns > 0)
        json_object_set_new(
            announce, "control",
            json_pack("{ss sI}", "name", writer->name, "time_ns", (json_int_t)writer->time_ns));
    if (r->offer.count > 0)
        json_object_set_new(announce, "archive", archive_offer_to_json(&r->offer));
    push(o, OUTBOX_ANNOUNCE, r, add_geolocation(announce, &status->stream.geolocation));
}

void sensor_report_status(struct outbox *o, const struct sensor_report *r,
                          const struct status *status)
{
    push(o, OUTBOX_STATUS, r, status_to_json(status));
}

void sensor_report_ledger(struct outbox *o, const struct sensor_report *r,
                          const struct ledger *ledger)
{
    push(o, OUTBOX_LEDGER, r, ledger_to_json(ledger));
}

void sensor_report_event(struct outbox *o, const struct sensor_report *r, const struct event *e)
{
    push(o, OUTBOX_EVENTS, r, event_to_json(e));
}

void sensor_report_gap(struct outbox *o, const struct sensor_report *r,
                       const struct nats_state *state, const struct sensor_report_gap *gap)
{
    push(o, OUTBOX_LINK, r,
         json_pack("{sI sI so so so so so so}", "lost_ns", (json_int_t)gap->lost_ns, "back_ns",
                   (json_int_t)gap->back_ns, "links", count_to_json(state->outbox.links), "line",
                   count_to_json(gap->line), "lines", count_to_json(gap->lines), "again",
                   count_to_json(state->outbox.again), "dropped_lines",
                   count_to_json(state->dropped_lines), "dropped_events",
                   count_to_json(state->outbox.dropped_events)));
}
