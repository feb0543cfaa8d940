/* channel_check.c - checks of requests for channels, and refusals. */
#include "daemon/http/channel/channel_check.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/base/reason.h"
#include "daemon/base/text.h"
#include "daemon/channel/channel_plan.h"
#include "daemon/channel/channels.h"
#include "daemon/channel/named/channel_set.h"
#include "daemon/control/radio_control.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/channel/channel_stream.h"
#include "daemon/http/http_server.h"

int channel_check_keys(const struct request *r, const char *known, const char *what,
                       struct reason *why)
{
    const char *key = query_find_unknown(&r->query, known);
    return key ? reason_key(why, -EINVAL, key, "%s: %s", key, what) : 0;
}

int channel_check_switch(const struct request *r, const char *key, bool *out, struct reason *why)
{
    const char *text = query_value(&r->query, key);
    *out = false;
    return !text || flag_parse(text, out) == 0
               ? 0
               : reason_key(why, -EINVAL, key, "%s: \"%s\" is neither true nor false", key, text);
}

int channel_check_number(const struct request *r, const char *key, enum si_unit unit, bool needed,
                         double *out, struct reason *why)
{
    const char *text = query_value(&r->query, key);
    if (!text && needed)
        return reason_key(why, -EINVAL, key, "%s: is missing (example: %s=%s)", key, key,
                          unit == SI_HZ ? "433.92M" : "250k");
    if (text && si_parse_unit(text, unit, out) < 0)
        return reason_key(why, -EINVAL, key, "%s: \"%s\" is not a number such as %s", key, text,
                          unit == SI_DB   ? "20"
                          : unit == SI_HZ ? "433.92M"
                                          : "250k");
    return 0;
}

/* Beyond it no radio goes, and phases are not exact. */
int channel_check_center(const struct request *r, double *center_hz, struct reason *why)
{
    const int err = channel_check_number(r, "center_hz", SI_HZ, true, center_hz, why);
    if (err == 0 && !(fabs(*center_hz) <= TUNING_CENTER_MAX_HZ))
        return reason_key(why, -EINVAL, "center_hz", "center_hz: is beyond %g Hz",
                          TUNING_CENTER_MAX_HZ);
    return err;
}

int channel_check_named(const struct channel_streams *s, const struct request *r, size_t *place,
                        struct reason *why)
{
    const char *name = query_value(&r->query, "id");
    const struct channel_set *set = s->channel_set ? *s->channel_set : NULL;
    *place = channel_set_find(set, name);
    return *place < channel_set_count(set)
               ? 0
               : reason_key(why, -ENOENT, "id", "id: there is no channel with the name %s", name);
}

int channel_check_stream(const struct channel_streams *s, const struct channel_request *q,
                         double center_hz, struct reason *why)
{
    struct status now;
    struct channel_grid grid;
    struct channel_shape shape;
    radio_control_status(s->control, &now);
    const struct tuning *t = &now.stream.tuning;
    const double radio_hz = isfinite(t->center_hz) ? t->center_hz : 0;
    if (settings_sweeps(&now.settings))
        return reason_set(why, -EBUSY,
                          "a sweep has no channels: the radio is never long at one "
                          "frequency");
    if (!(t->rate_hz > 0))
        return 0;
    channel_grid_init(&grid, t->rate_hz);
    const int err = channel_shape_plan(&shape, &grid, q->rate_hz, q->width_hz, why);
    if (err == 0 && fabs(q->center_hz - radio_hz) >= t->rate_hz / 2)
        return reason_key(why, -ERANGE, "center_hz",
                          "center_hz: %.10g Hz is not within %.0f Hz to %.0f Hz, which the radio "
                          "receives now%s",
                          center_hz, radio_hz - t->rate_hz / 2, radio_hz + t->rate_hz / 2,
                          fabs(center_hz * 1e6 - radio_hz) < t->rate_hz / 2
                              ? ": a number in MHz needs an M"
                              : "");
    return err;
}

static unsigned status_of(int err)
{
    return err == -EINVAL   ? 400
           : err == -EPERM  ? 404
           : err == -ENOENT ? 404
           : err == -EBUSY  ? 409
           : err == -ERANGE ? 416
                            : 503;
}

void channel_check_refuse(struct answer *a, int err, const struct reason *why)
{
    answer_reason(a, status_of(err), why);
}

int channel_check_share(const struct channel_streams *s, const struct request *r,
                        struct reason *why)
{
    struct channels_state state;
    channels_state(s->channels, &state);
    const uint32_t most = (uint32_t)state.most, own = r->own->downloads;
    const bool allowed =
        most == 0 || share_allows_visitor(most, (uint32_t)state.open, own, r->visitor != r->own,
                                          r->visitor->downloads);
    return allowed
               ? 0
               : reason_set(why, -EMFILE,
                            "channels open from this address: %u; the rest of max-channels (%u) "
                            "is reserved for other addresses",
                            own, most);
}
