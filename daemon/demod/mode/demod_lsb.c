/* demod_lsb.c - lower sideband. */
#include "daemon/demod/mode/demod_side.h"

static const struct demod_side band = {
    .width_hz = 2400, .least_hz = 500, .most_hz = 5400, .low_hz = 300, .side = -1, .slope_hz = 200};

static int lsb_plan(const struct demod_config *c, struct demod_plan *p, struct reason *why)
{
    return demod_side_plan(&band, c, p, why);
}

static int lsb_create(struct demod **out, const struct demod_config *c, struct reason *why)
{
    return demod_side_create(&band, out, c, why);
}

const struct demod_ops demod_lsb = {
    .name = "lsb",
    .about = "lower sideband",
    .plan = lsb_plan,
    .create = lsb_create,
    .run = demod_side_run,
    .reset = demod_side_reset,
    .report = demod_side_report,
    .destroy = demod_side_destroy,
};
