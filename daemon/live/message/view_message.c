/* view_message.c - the message "view": what the server makes of a view, or why it shows nothing. */
#include "daemon/live/message/view_message.h"

#include <math.h>

#include "daemon/base/json.h"
#include "daemon/line/line.h"
#include "daemon/line/reference/reference.h"
#include "daemon/line/trace.h"
#include "daemon/live/live.h"
#include "daemon/wire/ws_message.h"

/* The first slot with a message for the client; -1: none. */
static int pending_slot(const struct subscriber *u)
{
    for (int slot = 0; slot < FEED_SLOTS; slot++) {
        const struct view_trace *t = u->feed.slot[slot].trace;
        if (u->views[slot].reports && t &&
            (t->id != u->views[slot].trace || t->changes != u->views[slot].changes))
            return slot;
    }
    return -1;
}

bool view_message_is_pending(const struct subscriber *u)
{
    return pending_slot(u) >= 0;
}

void view_message_expect(struct subscriber *u, unsigned slot, const struct view *view)
{
    u->views[slot].reports = view && (slot > 0 || view->percent > 0 || view->math != MATH_NONE ||
                                      view->trace.vbw_hz > 0);
    u->views[slot].trace = 0;
    u->topic[LIVE_VIEWS].on = false;
    for (unsigned i = 0; i < FEED_SLOTS; i++)
        u->topic[LIVE_VIEWS].on = u->topic[LIVE_VIEWS].on || u->views[i].reports;
}

struct ws_message *view_message_next(struct subscriber *u)
{
    const int slot = pending_slot(u);
    const struct view_trace *t = u->feed.slot[slot].trace;
    char detector[DETECTOR_TEXT];
    u->views[slot].trace = t->id;
    u->views[slot].changes = t->changes;
    json_t *message =
        json_pack("{ss so ss ss so ss so ss so}", "type", "view", "id",
                  count_to_json(u->feed.slot[slot].view_id), "detector",
                  detector_text(t->detector, t->percent, detector), "trace",
                  trace_function_name(t->trace.function), "vbw_hz", number_to_json(t->vbw_hz),
                  "math", reference_math_name(t->math), "reference",
                  t->reference[0] ? json_string(t->reference) : json_null(), "unit",
                  t->math == MATH_RELATIVE ? "dB" : "dBFS", "reason",
                  t->reason[0] ? text_to_json(t->reason) : json_null());
    if (message && slot > 0)
        json_object_update_new(
            message, json_pack("{si so}", "slot", slot, "first_line",
                               t->trace.lines > 0 ? count_to_json(t->first_line) : json_null()));
    return ws_message_from_json(message);
}
