/* progress.c - formats the progress of a replay. */
#include "daemon/status/progress.h"

#include <math.h>
#include <stdio.h>

/* Part of the replay that is done, 0 to 1; 0: not known. */
static double part_done(const struct status *s, const struct progress_limits *limits)
{
    const double samples = (double)s->dsp.ledger.produced;
    double part = s->stream.samples ? samples / (double)s->stream.samples : 0;
    if (limits->seconds > 0)
        part = fmax(part, samples / (limits->seconds * s->stream.tuning.rate_hz));
    if (limits->lines > 0)
        part = fmax(part, (double)s->dsp.ledger.lines / (double)limits->lines);
    return fmin(part, 1);
}

bool progress_is_unfinished(const struct status *s)
{
    if (!s->replay.active || s->replay.loop)
        return false;
    if (s->replay.seeks > 0)
        return !s->replay.ended;
    return s->stream.samples == 0 || s->dsp.ledger.produced < s->stream.samples;
}

static const char *format_si(double value, char into[24])
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    int i = 0;
    for (; value >= 999.5 && i < 4; i++)
        value /= 1000;
    snprintf(into, 24, "%.3g %s", value, prefixes[i]);
    return into;
}

static const char *format_time(double seconds, char into[24])
{
    const unsigned long long whole = (unsigned long long)ceil(fmin(seconds, 1e9));
    if (whole < 60)
        snprintf(into, 24, "%llu s", whole);
    else if (whole < 3600)
        snprintf(into, 24, "%llu:%02llu min", whole / 60, whole % 60);
    else
        snprintf(into, 24, "%llu:%02llu h", whole / 3600, whole % 3600 / 60);
    return into;
}

const char *progress_text(const struct status *s, const struct progress_limits *limits, char *into,
                          size_t size)
{
    char done[24], all[24], speed[24], left[24];
    const double samples = (double)s->dsp.ledger.produced, part = part_done(s, limits);
    format_si(samples, done);
    format_si(s->seconds > 0 ? samples / s->seconds : 0, speed);
    if (part > 0)
        snprintf(into, size, "%.0f %%, %sS of %sS, %sS/s, %s left", floor(100 * part), done,
                 format_si(samples / part, all), speed,
                 format_time(s->seconds * (1 - part) / part, left));
    else
        snprintf(into, size, "%sS, %sS/s", done, speed);
    return into;
}
