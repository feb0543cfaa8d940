/* advice.c - advice on samples that are invalid, beyond full scale or clipped. */
#include "daemon/status/advice.h"

const char *advice_text(const struct status *s)
{
    const struct ledger *l = &s->dsp.ledger;
    if (l->invalid > l->produced / 20 && !s->radio)
        return "many samples are no numbers, and read as 0: is --format right?";
    if (l->invalid)
        return "samples are invalid (NaN, infinite or beyond +300 dBFS) and read as 0";
    if (l->beyond)
        return s->radio ? "the stream is not normalised: levels are relative"
                        : "the recording is not normalised: levels are relative";
    return l->clipped && s->radio ? "samples are clipped: turn the gain down" : "";
}
