/* connection_call.c - measurements, markers, history, name and stored traces of a websocket
 * (connection_call.h). */
#include "daemon/live/service/connection_call.h"

#include <errno.h>

#include "daemon/api/collect/reference_takes.h"
#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/client/feed.h"
#include "daemon/client/history_request.h"
#include "daemon/client/marker_request.h"
#include "daemon/http/stream/history_service.h"
#include "daemon/line/line.h"
#include "daemon/line/trace.h"
#include "daemon/live/live.h"
#include "daemon/live/message/history_message.h"
#include "daemon/live/message/lease_message.h"
#include "daemon/live/message/marker_message.h"
#include "daemon/live/message/own_measure.h"

_Static_assert((int)CONNECTION_VIEWS == (int)FEED_SLOTS, "a websocket has this many views");

/* Whoever has the lease has it by the new name. */
static int rename_client(void *user, const char *name, struct reason *why)
{
    struct subscriber *u = user;
    struct radio_control *radio = u->live->services->radio;
    lease_message_name(u, name);
    const struct lease_user by = lease_message_user(u);
    return lease_is_of(&radio->lease, &by, clock_now_ns())
               ? radio_control_take_lease(radio, &by, why)
               : 0;
}

static int set_measurement(void *user, const struct option_text *text, struct reason *why)
{
    return own_measure_set(user, text, why);
}

static int remove_measurement(void *user, const char *name, struct reason *why)
{
    return own_measure_remove(user, name, why);
}

static int set_markers(void *user, const json_t *values, struct reason *why)
{
    struct readout_choice choice = {0};
    const int err = values ? marker_request_read(values, &choice, why) : 0;
    return err < 0 ? err : marker_message_choose(user, values ? &choice : NULL);
}

static int ask_history(void *user, const json_t *values, struct reason *why)
{
    struct subscriber *u = user;
    struct history_request request;
    const char *refusal = history_service_refusal(u->live->history);
    if (refusal)
        return reason_set(why, -ENOENT, "%s", refusal);
    const int err = history_request_read(&request, values, why);
    if (err == 0)
        history_message_ask(u, &request);
    return err;
}

/* Stores the trace of a view as it is, before any arithmetic. */
static int store(const struct live *l, const struct feed_slot *view, const char *name,
                 struct reason *why)
{
    const struct view_trace *t = view->trace;
    const struct line *latest = l->feed->latest;
    char detector[DETECTOR_TEXT];
    const int err = reference_takes_check_name(l->services->references, name, why);
    if (err < 0)
        return err;
    if (!view->view)
        return reason_set(why, -ENOENT, "the slot has no view");
    if (!latest || (t && (t->trace.lines == 0 || t->trace.n != latest->n)))
        return reason_set(why, -ENODATA, "the view has no line yet");
    const unsigned index = t ? t->detector : feed_slot_detector(view);
    const enum trace_function function = t ? t->trace.function : TRACE_CLEAR_WRITE;
    if (!t && !(latest->detectors & 1U << index))
        return reason_set(why, -ENODATA, "the detector is not computed");
    const struct reference_source source = {.name = name,
                                            .detector =
                                                detector_text(index, t ? t->percent : 0, detector),
                                            .trace = trace_function_name(function),
                                            .lines = t ? t->trace.lines : 1,
                                            .line = latest,
                                            .power = t ? t->trace.power : latest->detector[index]};
    return reference_takes_store(l->services->references, &source, why);
}

static int store_view(void *user, unsigned slot, const char *name, struct reason *why)
{
    const struct subscriber *u = user;
    return store(u->live, &u->feed.slot[slot], name, why);
}

struct api_connection connection_call_of(struct subscriber *u)
{
    return (struct api_connection){.user = u,
                                   .rename = rename_client,
                                   .set_measurement = set_measurement,
                                   .remove_measurement = remove_measurement,
                                   .set_markers = set_markers,
                                   .ask_history = ask_history,
                                   .store_view = store_view};
}
