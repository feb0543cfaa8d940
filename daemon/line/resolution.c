/* resolution.c - computes RBW, spectra per second and POI time. */
#include "daemon/line/resolution.h"

double resolution_rbw_hz(uint32_t n, double bandwidth_bins, double rate_hz)
{
    return bandwidth_bins * rate_hz / n;
}

double resolution_vbw_hz(double frames, uint32_t hop, double rate_hz)
{
    return rate_hz / (2 * frames * hop);
}

double resolution_spectra_per_second(uint32_t hop, double rate_hz)
{
    return rate_hz / hop;
}

double resolution_poi_seconds(uint32_t n, uint32_t hop, double rate_hz)
{
    return ((double)n + hop - 1) / rate_hz;
}

double resolution_sweep_poi_seconds(uint32_t n, uint32_t hop, uint64_t frames, uint64_t period,
                                    double rate_hz)
{
    const double dwell = (double)(frames - 1) * hop;
    return ((double)period - dwell + n - 1) / rate_hz;
}
