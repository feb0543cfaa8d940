/* demod_check.c - one sentence for all values that are too small or too large. */
#include "daemon/demod/demod_check.h"

#include <errno.h>

int demod_check(double value, const struct demod_limit *l, const char *mode, struct reason *why)
{
    if (value == 0 || (value >= l->least && value <= l->most))
        return 0;
    return reason_key(why, -EINVAL, l->key, "%s = %g: mode %s takes %g to %g %s", l->key, value,
                      mode, l->least, l->most, l->unit);
}

int demod_check_audio(const struct demod_config *c, struct reason *why)
{
    static const struct demod_limit notch = {"notch_hz", "Hz", 50, 5000},
                                    deemphasis = {"deemphasis_us", "us", 10, 2000},
                                    gain = {"gain_db", "dB", -40, 140};
    int err = demod_check(c->notch_hz, &notch, c->ops->name, why);
    if (err == 0)
        err = demod_check(c->deemphasis_us, &deemphasis, c->ops->name, why);
    return err < 0 ? err : demod_check(c->gain_db, &gain, c->ops->name, why);
}
