/* panorama.c - copies the bins of dwells to their places in the span. */
#include "daemon/dsp/panorama.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned count_of(unsigned detectors)
{
    return (unsigned)__builtin_popcount(detectors & ((1U << FFT_DETECTORS) - 1));
}

size_t panorama_bytes(const struct sweep_plan *plan, unsigned detectors)
{
    const size_t bins = (size_t)plan->bins + plan->n;
    return plan->dwells ? sizeof(struct panorama) + plan->dwells * sizeof(uint64_t) +
                              count_of(detectors) * bins * sizeof(float)
                        : 0;
}

int panorama_create(struct panorama **out, const struct sweep_plan *plan, unsigned detectors)
{
    struct panorama *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return -ENOMEM;
    p->plan = *plan;
    p->frames = calloc(plan->dwells, sizeof *p->frames);
    bool complete = p->frames;
    for (unsigned t = 0; complete && t < FFT_DETECTORS; t++) {
        if (!(detectors & 1U << t))
            continue;
        p->fold[t] = calloc(plan->n, sizeof *p->fold[t]);
        p->power[t] = calloc(plan->bins, sizeof *p->power[t]);
        complete = p->fold[t] && p->power[t];
    }
    if (!complete) {
        panorama_destroy(p);
        return -ENOMEM;
    }
    *out = p;
    return 0;
}

void panorama_destroy(struct panorama *p)
{
    if (!p)
        return;
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        free(p->fold[t]);
        free(p->power[t]);
    }
    free(p->frames);
    free(p);
}

/* ---- one function for each detector ----------------------------------------------------- */

/* weight: of the new fold in the mean of both. */
typedef void combine_function(float *power, const float *fold, uint32_t bins, float weight);

static void combine_mean(float *power, const float *fold, uint32_t bins, float weight)
{
    for (uint32_t k = 0; k < bins; k++)
        power[k] += (fold[k] - power[k]) * weight;
}

static void combine_max(float *power, const float *fold, uint32_t bins, float weight)
{
    (void)weight;
    for (uint32_t k = 0; k < bins; k++)
        power[k] = fold[k] > power[k] ? fold[k] : power[k];
}

static void combine_min(float *power, const float *fold, uint32_t bins, float weight)
{
    (void)weight;
    for (uint32_t k = 0; k < bins; k++)
        power[k] = fold[k] < power[k] ? fold[k] : power[k];
}

static void combine_newest(float *power, const float *fold, uint32_t bins, float weight)
{
    (void)weight;
    memcpy(power, fold, bins * sizeof *power);
}

static combine_function *const combine_of[FFT_DETECTORS] = {combine_mean, combine_max, combine_min,
                                                            combine_newest};

/* ---- dwells ----------------------------------------------------------------------------- */

/* The bin of the fold that is bin 0 of the span; below 0 for all but the first dwell. */
static int64_t first_bin(const struct panorama *p, double center_hz)
{
    const int64_t center = llround((center_hz - p->plan.low_hz) / p->plan.bin_hz);
    return p->plan.n / 2 - center;
}

static bool covers(const struct panorama *p, struct sweep_piece piece, int64_t first)
{
    return piece.first + first >= 0 && piece.first + piece.bins + first <= (int64_t)p->plan.n;
}

static void add_piece(struct panorama *p, struct sweep_piece piece, int64_t first, float weight)
{
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        if (!p->power[t])
            continue;
        const float *fold = p->fold[t] + (piece.first + first);
        combine_function *combine = weight < 1 ? combine_of[t] : combine_newest;
        combine(p->power[t] + piece.first, fold, piece.bins, weight);
    }
}

uint32_t panorama_add(struct panorama *p, double center_hz, uint64_t frames)
{
    struct sweep_piece piece[2];
    const uint32_t dwell = sweep_find_dwell(&p->plan, center_hz);
    if (dwell == p->plan.dwells)
        return dwell;
    const unsigned pieces = sweep_pieces(&p->plan, dwell, piece);
    const int64_t first = first_bin(p, center_hz);
    for (unsigned i = 0; i < pieces; i++) {
        if (!covers(p, piece[i], first))
            return p->plan.dwells;
    }
    const bool is_first = p->frames[dwell] == 0;
    p->filled += is_first;
    p->frames[dwell] += frames;
    const float weight = is_first ? 1 : (float)((double)frames / (double)p->frames[dwell]);
    for (unsigned i = 0; i < pieces; i++)
        add_piece(p, piece[i], first, weight);
    return dwell;
}

bool panorama_is_complete(const struct panorama *p)
{
    return p->filled == p->plan.dwells;
}

uint64_t panorama_frames(const struct panorama *p)
{
    uint64_t fewest = p->frames[0];
    for (uint32_t i = 1; i < p->plan.dwells; i++)
        fewest = p->frames[i] < fewest ? p->frames[i] : fewest;
    return fewest;
}

void panorama_clear(struct panorama *p)
{
    memset(p->frames, 0, p->plan.dwells * sizeof *p->frames);
    p->filled = 0;
}
