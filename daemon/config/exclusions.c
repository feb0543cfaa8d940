/* exclusions.c - options that exclude each other. */
#include "daemon/config/loader.h"

#include <stddef.h>

#include "daemon/config/option_table.h"

static const struct config_exclusion exclusions[] = {
    {"average", "line-rate", "a line's length follows from one of them"},
    {"vbw", "average", "a line's length follows from one of them"},
    {"vbw", "line-rate", "a line's length follows from one of them"},
    {"rbw", "fft-size", "one follows from the other"},
    {"span", "center", "a sweep has many centres"},
    {"span", "line-rate", "the dwells set the time of a line"},
    {"dwell", "average", "the frames of a dwell follow from one of them"},
    {"span", "calibrate-level", "a calibration is at one frequency"},
    {"span", "calibrate-ppm", "a calibration is at one frequency"},
    {"span", "learn-spurs", "spurs are learnt at one frequency"},
    {"span", "channel", "a sweep has no channels"},
    {"learn-spurs", "calibrate-level", "a run does one of them"},
    {"learn-spurs", "calibrate-ppm", "a run does one of them"},
    {"verify", "learn-spurs", "a run does one of them"},
    {"verify", "calibrate-level", "a run does one of them"},
    {"verify", "calibrate-ppm", "a run does one of them"},
    {"verify", "replay", "its signals are made for it"},
    {"cut", "from", "a box has times of its own"},
    {"cut", "to", "a box has times of its own"},
    {"replay-spectra", "replay", "a run shows one of them"},
    {"replay-spectra", "device", "a run shows one of them"},
    {"replay-spectra", "span", "an archive cannot be retuned"},
    {"replay-spectra", "record", "an archive has no samples"},
    {"replay-spectra", "channel", "an archive has no samples"},
    {"replay-spectra", "rigctl", "an archive has no samples"},
    {"replay-spectra", "rtl-tcp", "an archive has no samples"},
    {"replay-spectra", "archive", "an archive is not archived again"},
    {"replay-spectra", "verify", "an archive has no samples"},
    {"replay-spectra", "calibrate-level", "an archive has no samples"},
    {"replay-spectra", "calibrate-ppm", "an archive has no samples"},
    {"replay-spectra", "learn-spurs", "an archive has no samples"},
    {"realtime", "full-speed", "they are opposites"},
    {"token", "token-file", "there is one control token"},
};

const struct config_exclusion *config_exclusion_at(size_t i)
{
    return i < sizeof exclusions / sizeof exclusions[0] ? &exclusions[i] : NULL;
}

/* Same origin: an error. Otherwise precedence decides. */
static int exclude(struct config_loader *l, const struct config_exclusion *x)
{
    char a[256], b[256];
    if (!config_given(l->c, x->a) || !config_given(l->c, x->b))
        return 0;
    const enum config_origin of_a = config_origin_of(l->c, x->a);
    const enum config_origin of_b = config_origin_of(l->c, x->b);
    if (of_a == of_b)
        return config_fail(l, "%s and %s cannot be given together: %s",
                           config_location(l->c, x->a, a, sizeof a),
                           config_location(l->c, x->b, b, sizeof b), x->why);
    return config_unset(l, option_find(NULL, of_a < of_b ? x->a : x->b));
}

int config_exclude(struct config_loader *l)
{
    int err = 0;
    const struct config_exclusion *x;
    for (size_t i = 0; err == 0 && (x = config_exclusion_at(i)); i++)
        err = exclude(l, x);
    return err;
}
