/* channel_meter.c - powers of bins in zones, their means, and quantiles of these. */
#include "daemon/channel/channel_meter.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/channel/channel_loops.h"
#include "daemon/system/memory_block.h"

enum {
    ZONE = 128,        /* bins */
    AROUND = 4,        /* times the band */
    AROUND_MIN = 512,  /* bins */
    EDGE = 64,         /* bins at each end of the stream, where its slope is */
    EARLY = 4,         /* blocks of the first means of a zone; then 4 times as many, and so on */
    SELECTED_MAX = 256 /* bins whose quantile is taken: of more, each second one, and so on */
};
#define QUANTILE        0.2
#define QUANTILE_NORMAL (-0.8416212335729143) /* of the normal distribution */
#define HANN_POWER      1.5

struct zone {
    uint32_t users;
    uint32_t blocks; /* in `sum` */
    uint32_t mean;   /* blocks in `mean`; 0: not known */
};

struct channel_meter {
    const struct channel_loops *loops;
    uint32_t n, mean_blocks, zones;
    struct zone *zone;         /* [zones] */
    float *power, *sum, *mean; /* [n] bin 0 first; one block */
    float selected[SELECTED_MAX];
};

/* ---- life --------------------------------------------------------------------------------- */

int channel_meter_create(struct channel_meter **out, uint32_t n, uint32_t mean_blocks)
{
    struct channel_meter *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return -ENOMEM;
    p->loops = channel_loops_at(0);
    p->n = n;
    p->mean_blocks = mean_blocks > 0 ? mean_blocks : 1;
    p->zones = (n + ZONE - 1) / ZONE;
    p->zone = calloc(p->zones, sizeof *p->zone);
    const size_t bytes = (size_t)n * 3 * sizeof(float);
    p->power = block_take(bytes, bytes);
    if (!p->zone || !p->power) {
        channel_meter_destroy(p);
        return -ENOMEM;
    }
    memset(p->power, 0, bytes);
    p->sum = p->power + n;
    p->mean = p->sum + n;
    *out = p;
    return 0;
}

void channel_meter_destroy(struct channel_meter *p)
{
    if (!p)
        return;
    free(p->zone);
    free(p->power);
    free(p);
}

/* ---- zones -------------------------------------------------------------------------------- */

/* What of the bins lies in the stream. */
static struct channel_bins clip(const struct channel_meter *p, struct channel_bins bins)
{
    const int64_t half = p->n / 2, end = bins.first + bins.count;
    const int64_t from = bins.first < -half ? -half : bins.first, to = end > half ? half : end;
    return (struct channel_bins){from, to > from ? (uint32_t)(to - from) : 0};
}

static size_t place_of(const struct channel_meter *p, int64_t bin)
{
    return (size_t)(bin < 0 ? bin + p->n : bin);
}

static void add_users(struct channel_meter *p, struct channel_bins bins, int more)
{
    const struct channel_bins b = clip(p, bins);
    for (int64_t bin = b.first, end = b.first + b.count; bin < end;) {
        const size_t place = place_of(p, bin), zone = place / ZONE;
        const size_t end_of_zone = (zone + 1) * ZONE;
        const size_t next = end_of_zone < p->n ? end_of_zone : p->n;
        struct zone *z = &p->zone[zone];
        z->users += (uint32_t)more;
        if (z->users == 0)
            z->blocks = z->mean = 0;
        bin += (int64_t)(next - place);
    }
}

void channel_meter_watch(struct channel_meter *p, struct channel_bins bins)
{
    add_users(p, bins, 1);
}

void channel_meter_leave(struct channel_meter *p, struct channel_bins bins)
{
    add_users(p, bins, -1);
}

void channel_meter_forget(struct channel_meter *p)
{
    for (uint32_t i = 0; i < p->zones; i++)
        p->zone[i].blocks = p->zone[i].mean = 0;
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* The zone's ends at the ends of the array have their neighbours at its other end. */
static void compute(struct channel_meter *p, const struct fft_iq *spectrum, size_t from,
                    size_t count)
{
    struct fft_iq edge[ZONE + 2];
    if (from > 0 && from + count < p->n) {
        p->loops->powers(spectrum + from, p->power + from, count);
        return;
    }
    edge[0] = spectrum[from > 0 ? from - 1 : p->n - 1];
    memcpy(edge + 1, spectrum + from, count * sizeof *edge);
    edge[count + 1] = spectrum[from + count < p->n ? from + count : 0];
    p->loops->powers(edge + 1, p->power + from, count);
}

static void publish(struct channel_meter *p, struct zone *z, size_t from, size_t count)
{
    const float scale = 1 / (float)z->blocks;
    for (size_t i = from; i < from + count; i++)
        p->mean[i] = p->sum[i] * scale;
    z->mean = z->blocks;
}

/* The first means come early, from few blocks. */
static bool is_due(const struct channel_meter *p, const struct zone *z)
{
    const bool early = z->blocks == EARLY || z->blocks == 4 * EARLY || z->blocks == 16 * EARLY;
    return z->blocks >= p->mean_blocks || (early && z->mean < z->blocks);
}

static void add_mean(struct channel_meter *p, struct zone *z, size_t from, size_t count)
{
    if (z->blocks == 0)
        memset(p->sum + from, 0, count * sizeof *p->sum);
    p->loops->add(p->power + from, p->sum + from, count);
    z->blocks++;
    if (is_due(p, z))
        publish(p, z, from, count);
    if (z->blocks >= p->mean_blocks)
        z->blocks = 0;
}

void channel_meter_add(struct channel_meter *p, const struct fft_iq *spectrum, bool means)
{
    for (uint32_t i = 0; i < p->zones; i++) {
        const size_t from = (size_t)i * ZONE, count = p->n - from < ZONE ? p->n - from : ZONE;
        if (p->zone[i].users == 0)
            continue;
        compute(p, spectrum, from, count);
        if (means)
            add_mean(p, &p->zone[i], from, count);
    }
}

/* ---- sums and noise ------------------------------------------------------------------------ */

double channel_meter_sum(const struct channel_meter *p, struct channel_bins bins,
                         const float *response)
{
    const struct channel_bins b = clip(p, bins);
    const float *r = response + (b.first - bins.first);
    const int64_t end = b.first + b.count;
    double all = 0;
    if (b.first < 0) {
        const size_t count = (size_t)((end < 0 ? end : 0) - b.first);
        all += p->loops->sum(p->power + place_of(p, b.first), r, count);
        r += count;
    }
    if (end > 0) {
        const int64_t from = b.first > 0 ? b.first : 0;
        all += p->loops->sum(p->power + from, r, (size_t)(end - from));
    }
    return all / HANN_POWER;
}

struct channel_bins channel_meter_around(const struct channel_meter *p, struct channel_bins band)
{
    const int64_t most = p->n > 4 * EDGE ? p->n - 2 * EDGE : p->n, half = most / 2;
    const int64_t wanted = AROUND * (int64_t)band.count;
    int64_t count = wanted < AROUND_MIN ? AROUND_MIN : wanted;
    count = count < most ? count : most;
    int64_t first = band.first + band.count / 2 - count / 2;
    first = first < -half ? -half : first;
    first = first > half - count ? half - count : first;
    return (struct channel_bins){first, (uint32_t)count};
}

/* The value of this rank, from 0 on, among `count`; reorders them (C. A. R. Hoare, "Find", 1961).
 */
static float select_rank(float *x, size_t count, size_t rank)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        const float pivot = x[rank];
        size_t i = low, j = high;
        do {
            while (x[i] < pivot)
                i++;
            while (pivot < x[j])
                j--;
            if (i <= j) {
                const float swapped = x[i];
                x[i++] = x[j];
                x[j] = swapped;
                j -= j > 0;
            }
        } while (i <= j && i <= high);
        if (j < rank)
            low = i;
        if (rank < i)
            high = j;
    }
    return x[rank];
}

/* Of a gamma distribution with this shape and a mean of 1. */
static double gamma_quantile(double shape)
{
    const double v = 1 / (9 * shape);
    return pow(1 - v + QUANTILE_NORMAL * sqrt(v), 3);
}

double channel_meter_noise(struct channel_meter *p, struct channel_bins bins, uint32_t *blocks)
{
    const struct channel_bins b = clip(p, bins);
    const uint32_t step = b.count / SELECTED_MAX + 1;
    size_t count = 0;
    *blocks = UINT32_MAX;
    for (uint32_t i = 0; i < b.count; i += step) {
        const size_t place = place_of(p, b.first + i);
        const struct zone *z = &p->zone[place / ZONE];
        assert(z->users > 0);
        *blocks = z->mean < *blocks ? z->mean : *blocks;
        p->selected[count++] = p->mean[place];
    }
    if (count == 0 || *blocks == 0)
        return NAN;
    const float value = select_rank(p->selected, count, (size_t)(QUANTILE * (double)count));
    return (double)value / gamma_quantile(*blocks) / HANN_POWER;
}
