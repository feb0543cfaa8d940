/* demod_cw.c - telegraphy, a carrier as a tone. */
#include "daemon/demod/mode/demod_side.h"

static const struct demod_side band = {
    .width_hz = 400, .least_hz = 100, .most_hz = 2000, .side = 0, .slope_hz = 100};

static int cw_plan(const struct demod_config *c, struct demod_plan *p, struct reason *why)
{
    return demod_side_plan(&band, c, p, why);
}

static int cw_create(struct demod **out, const struct demod_config *c, struct reason *why)
{
    return demod_side_create(&band, out, c, why);
}

const struct demod_ops demod_cw = {
    .name = "cw",
    .about = "telegraphy, a carrier as a tone",
    .plan = cw_plan,
    .create = cw_create,
    .run = demod_side_run,
    .reset = demod_side_reset,
    .report = demod_side_report,
    .destroy = demod_side_destroy,
};
