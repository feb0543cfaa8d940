/* dsp_status.c - figures that follow from the status of the dsp thread. */
#include "daemon/dsp/dsp_status.h"

#include <math.h>

#include "daemon/line/resolution.h"

double dsp_status_poi_seconds(const struct dsp_status *s, double rate_hz)
{
    if (s->sweep.dwells == 0)
        return resolution_poi_seconds(s->n, s->hop, rate_hz);
    if (s->sweep.samples == 0)
        return NAN;
    return resolution_sweep_poi_seconds(s->n, s->hop, (uint64_t)s->frames_per_line,
                                        s->sweep.samples, rate_hz);
}
