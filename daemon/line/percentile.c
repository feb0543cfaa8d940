/* percentile.c - takes percentiles from the density of lines. */
#include "daemon/line/percentile.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "daemon/stream/settings.h"

/* The fields that describe a line lie together, before those of its levels. */
static void copy_description(struct line *to, const struct line *from)
{
    const size_t from_at = offsetof(struct line, number), to_at = offsetof(struct line, detectors);
    memcpy((char *)to + from_at, (const char *)from + from_at, to_at - from_at);
}

int line_describe(struct line **at, const struct line *line, unsigned detector)
{
    const struct line_shape shape = {.n = line->n, .detectors = 1U << detector};
    if (*at && !line_has_shape(*at, &shape)) {
        line_destroy(*at);
        *at = NULL;
    }
    if (!*at && !(*at = line_create(&shape)))
        return -ENOMEM;
    copy_description(*at, line);
    return 0;
}

int percentile_update(struct percentile *p, const struct line *line, double percent)
{
    if (!line->hits)
        return -ENODATA;
    int err = density_add(&p->density, line);
    if (err == 0)
        err = line_describe(&p->line, line, PERCENTILE_DETECTOR);
    if (err == 0)
        density_percentiles(&p->density, percent, p->line->detector[PERCENTILE_DETECTOR]);
    return err;
}

size_t percentile_bytes(uint32_t n, const struct fft_density *density)
{
    const struct line_shape shape = {.n = n, .detectors = 1U << PERCENTILE_DETECTOR};
    return line_bytes(&shape) + density_cells(density) * sizeof(double);
}

void percentile_finish(struct percentile *p)
{
    line_destroy(p->line);
    density_finish(&p->density);
    *p = (struct percentile){0};
}
