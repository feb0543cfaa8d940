/* channel_text.c - reads the keys and values of a channel. */
#include "daemon/channel/channel_text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/option/option_text.h"
#include "daemon/stream/tuning.h"

static const char *const keys[] = {"center", "rate", "width", "format", "gain", "output"};

/* The first key that is none of these. NULL: all are known. */
static const char *find_unknown(const struct option_text *t)
{
    for (size_t i = 0; i < t->count; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            known = known || strcmp(keys[k], t->keys[i].key) == 0;
        if (!known)
            return t->keys[i].key;
    }
    return t->name ? "name" : NULL;
}

static int read_number(const struct option_text *t, const char *key, enum si_unit unit, bool needed,
                       double *out, struct reason *why)
{
    const char *text = option_text_value(t, key), *example = unit == SI_HZ ? "433.92M" : "250k";
    if (!*text && needed)
        return reason_key(why, -EINVAL, key, "%s: is missing (example: %s=%s)", key, key, example);
    if (*text && si_parse_unit(text, unit, out) < 0)
        return reason_key(why, -EINVAL, key, "%s: '%s' is not a number such as %s", key, text,
                          example);
    return 0;
}

/* Beyond them no radio goes, and phases are not exact. */
static int check_bounds(const struct channel_request *q, struct reason *why)
{
    if (!(fabs(q->center_hz) <= TUNING_CENTER_MAX_HZ))
        return reason_key(why, -EINVAL, "center", "center: is beyond %g Hz", TUNING_CENTER_MAX_HZ);
    if (!(q->rate_hz >= 1 && q->rate_hz <= TUNING_RATE_MAX_HZ))
        return reason_key(why, -EINVAL, "rate", "rate: is not within 1 to %g S/s",
                          TUNING_RATE_MAX_HZ);
    return 0;
}

static int read_format(const struct option_text *t, struct channel_format *f, struct reason *why)
{
    const char *format = option_text_value(t, "format");
    *f = (struct channel_format){.format = FFT_IQ_CF32};
    if (*format && fft_iq_parse(format, &f->format) < 0)
        return reason_key(why, -EINVAL, "format", "format: '%s' is not cu8, cs8, cs16 or cf32",
                          format);
    return channel_format_read_gain(f, option_text_value(t, "gain"), why);
}

static int read_output(const struct option_text *t, struct channel_text *out, struct reason *why)
{
    const char *file = option_text_value(t, "output");
    const int length = snprintf(out->output, sizeof out->output, "%s", *file ? file : "-");
    return (size_t)length < sizeof out->output
               ? 0
               : reason_key(why, -EINVAL, "output", "output: the name is too long");
}

static int read_keys(const struct option_text *t, struct channel_text *out, struct reason *why)
{
    const char *unknown = find_unknown(t);
    if (unknown)
        return reason_key(why, -EINVAL, unknown,
                          "%s: a channel has center, rate, width, format, gain and output",
                          unknown);
    int err = read_number(t, "center", SI_HZ, true, &out->request.center_hz, why);
    if (err == 0)
        err = read_number(t, "rate", SI_RATE, true, &out->request.rate_hz, why);
    if (err == 0)
        err = read_number(t, "width", SI_HZ, false, &out->request.width_hz, why);
    if (err == 0)
        err = check_bounds(&out->request, why);
    if (err == 0)
        err = read_format(t, &out->format, why);
    return err < 0 ? err : read_output(t, out, why);
}

int channel_text_parse(const char *text, struct channel_text *out, struct reason *why)
{
    struct option_text t = {0};
    *out = (struct channel_text){0};
    int err = option_text_split_keys(&t, text, why);
    if (err == 0)
        err = read_keys(&t, out, why);
    if (err < 0)
        *out = (struct channel_text){0};
    option_text_finish(&t);
    return err;
}
