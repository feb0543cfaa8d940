/* condition.c - finds conditions by name, and the bins of a band for them. */
#include "daemon/trigger/condition/condition.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/reason.h"

const struct condition_ops *condition_find(const char *name)
{
    for (size_t i = 0; i < condition_count; i++)
        if (strcmp(condition_list[i]->name, name) == 0)
            return condition_list[i];
    return NULL;
}

bool condition_is_command(const struct condition_ops *ops)
{
    return !ops->meets && !ops->decide && !ops->judge;
}

int condition_parse_band(const char *text, double *low_hz, double *high_hz)
{
    char low[64];
    const size_t length = strcspn(text, ":");
    if (text[length] != ':' || length >= sizeof low)
        return -EINVAL;
    memcpy(low, text, length);
    low[length] = '\0';
    if (si_parse_unit(low, SI_HZ, low_hz) < 0 ||
        si_parse_unit(text + length + 1, SI_HZ, high_hz) < 0)
        return -EINVAL;
    return *low_hz < *high_hz && fabs(*low_hz) <= 1e12 && fabs(*high_hz) <= 1e12 ? 0 : -EINVAL;
}

static bool is_same(const struct condition_band *b, const struct line *line)
{
    return b->n == line->n && b->bin_hz - line_bin_hz(line) == 0 &&
           b->low_hz - line_low_hz(line) == 0;
}

int condition_band_update(struct condition_band *b, const struct line *line, double low_hz,
                          double high_hz, struct reason *why)
{
    const struct line_bins usable = line_usable_bins(line);
    const double bin_hz = line_bin_hz(line), zero_hz = line_low_hz(line);
    if (b->n > 0 && is_same(b, line))
        return 0;
    struct condition_band now = {line->n, usable.first, usable.last, bin_hz, zero_hz};
    if (low_hz < high_hz) {
        if (!line_clip_band(line, &low_hz, &high_hz))
            return reason_set(why, -ERANGE, "%.0f to %.0f Hz is not within the span", low_hz,
                              high_hz);
        const double first = ceil((low_hz - zero_hz) / bin_hz - 1e-6);
        const double last = floor((high_hz - zero_hz) / bin_hz + 1e-6);
        if (last < first)
            return reason_set(why, -ERANGE,
                              "no bin is within %.0f to %.0f Hz: bins are %.4g Hz apart", low_hz,
                              high_hz, bin_hz);
        now.first = (uint32_t)first;
        now.last = (uint32_t)last;
    }
    *b = now;
    return 1;
}

bool condition_is_beyond_scale(double level_dbfs, struct reason *why)
{
    const double most_dbfs = 6;
    if (level_dbfs < most_dbfs)
        return false;
    reason_set(why, -ERANGE, "%g dBFS is above full scale, which only floats exceed", level_dbfs);
    return true;
}

int condition_check_band(const char *text)
{
    double low_hz, high_hz;
    return *text ? condition_parse_band(text, &low_hz, &high_hz) : 0;
}

int condition_band_find(struct condition_band *b, const struct line *line, const char *text,
                        struct reason *why)
{
    double low_hz = 0, high_hz = 0;
    if (*text)
        condition_parse_band(text, &low_hz, &high_hz);
    return condition_band_update(b, line, low_hz, high_hz, why);
}
