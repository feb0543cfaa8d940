/* view_message.c - the message "view": what the server makes of a view, or why it shows nothing. */
#include <math.h>

#include "daemon/base/json.h"
#include "daemon/http/internal.h"
#include "daemon/line/line.h"
#include "daemon/line/reference/reference.h"
#include "daemon/line/trace.h"

/* The first slot of which the client has to be told; -1: none. */
static int slot_with_news(const struct client *c)
{
    for (int slot = 0; slot < FEED_SLOTS; slot++) {
        const struct view_trace *t = c->feed.slot[slot].trace;
        if (c->told[slot].tells && t &&
            (t->id != c->told[slot].trace || t->news != c->told[slot].news))
            return slot;
    }
    return -1;
}

bool view_is_news(const struct client *c)
{
    return slot_with_news(c) >= 0;
}

void view_message_expect(struct client *c, unsigned slot, const struct view *view)
{
    c->told[slot].tells = view && (slot > 0 || view->percent > 0 || view->math != MATH_NONE ||
                                   view->trace.vbw_hz > 0);
    c->told[slot].trace = 0;
}

struct frame *view_message_next(struct client *c)
{
    const int slot = slot_with_news(c);
    const struct view_trace *t = c->feed.slot[slot].trace;
    char detector[DETECTOR_TEXT];
    c->told[slot].trace = t->id;
    c->told[slot].news = t->news;
    json_t *message =
        json_pack("{ss so ss ss so ss so ss so}", "type", "view", "id",
                  count_to_json(c->feed.slot[slot].view_id), "detector",
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
    return frame_from_json(message);
}
