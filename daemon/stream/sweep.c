/* sweep.c - plans the dwells of a sweep. */
#include "daemon/stream/sweep.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"

/*
 * The hole has room for the main lobe of a window around DC, which is 8 bins at most, and for the
 * noise beside it, which grows with the rate.
 */
enum { LOBE_BINS = 8, NOISE_PART = 64 };
static const double most_bins = 0x1p28, highest_hz = 1e12;

static uint32_t pair_bins(const struct sweep_plan *p)
{
    return 3 * p->half + 2 * p->hole;
}

/* ---- planning --------------------------------------------------------------------------- */

static void plan_frames(struct sweep_plan *p, const struct settings *w, double rate_hz)
{
    const double fit = (w->sweep.dwell_s * rate_hz - p->n) / p->hop;
    p->frames = w->average ? w->average : fit > 0 ? (uint64_t)(fit + 1e-6) + 1 : 1;
    p->dwell_samples = (p->frames - 1) * p->hop + p->n;
}

static void plan_dwells(struct sweep_plan *p, double usable)
{
    const uint32_t reach = (uint32_t)(p->n * usable / 2);
    p->hole = LOBE_BINS + p->n / NOISE_PART;
    if (p->hole > reach / 3) /* the even dwell fills the hole of the odd one, outside its own */
        p->hole = reach / 3;
    p->half = reach - p->hole;
    const uint32_t rest = p->bins % pair_bins(p);
    p->dwells = 2 * (p->bins / pair_bins(p)) + (rest > 0) + (rest > p->half);
}

static int refuse_narrow(const struct span *span, double rate_hz, struct reason *why)
{
    char width[32], center[32], rate[32];
    return reason_key(why, -EINVAL, "span",
                      "span: %s fits into one tuning at %s samples/s: give center=%s instead",
                      si_format(span->high_hz - span->low_hz, 10, width, sizeof width),
                      si_format(rate_hz, 10, rate, sizeof rate),
                      si_format((span->low_hz + span->high_hz) / 2, 12, center, sizeof center));
}

int sweep_plan_init(struct sweep_plan *p, const struct settings *w, const struct sweep_radio *radio,
                    struct reason *why)
{
    const double rate_hz = radio->rate_hz;
    const struct span *span = &w->sweep.span;
    const double width_hz = span->high_hz - span->low_hz;
    *p = (struct sweep_plan){0};
    if (!(span->high_hz > 0))
        return 0;
    if (width_hz <= radio->usable * rate_hz)
        return refuse_narrow(span, rate_hz, why);
    const double bins = 2 * ceil(width_hz / rate_hz * radio->n / 2 - 1e-6);
    if (bins > most_bins)
        return reason_key(why, -EINVAL, "span",
                          "span: %.0f bins, at most %.0f: give a smaller fft-size, or a larger rbw",
                          bins, most_bins);
    p->low_hz = span->low_hz;
    p->bin_hz = rate_hz / radio->n;
    p->bins = (uint32_t)bins;
    p->n = radio->n;
    p->hop = settings_hop(p->n, w->overlap);
    plan_frames(p, w, rate_hz);
    plan_dwells(p, radio->usable);
    return 0;
}

bool sweep_plan_equal(const struct sweep_plan *a, const struct sweep_plan *b)
{
    return a->low_hz - b->low_hz == 0 && a->bin_hz - b->bin_hz == 0 && a->bins == b->bins &&
           a->n == b->n && a->hop == b->hop && a->frames == b->frames && a->half == b->half &&
           a->hole == b->hole;
}

/* ---- dwells ----------------------------------------------------------------------------- */

/* The bin of a dwell's centre. It may be above the span. */
static uint64_t center_bin(const struct sweep_plan *p, uint32_t dwell)
{
    return (uint64_t)(dwell / 2) * pair_bins(p) + (dwell % 2 ? 2 : 1) * (uint64_t)p->half + p->hole;
}

double sweep_center_hz(const struct sweep_plan *p, uint32_t dwell)
{
    return p->low_hz + (double)center_bin(p, dwell) * p->bin_hz;
}

double sweep_span_center_hz(const struct sweep_plan *p)
{
    return p->low_hz + sweep_span_hz(p) / 2;
}

double sweep_span_hz(const struct sweep_plan *p)
{
    return p->bins * p->bin_hz;
}

/* A radio may miss a centre by a part of the hole, which still hides its DC. */
static bool is_meant(const struct sweep_plan *p, uint32_t dwell, double center_hz)
{
    return fabs(center_hz - sweep_center_hz(p, dwell)) < p->hole * p->bin_hz / 2;
}

uint32_t sweep_find_dwell(const struct sweep_plan *p, double center_hz)
{
    const double pairs = floor((center_hz - p->low_hz) / p->bin_hz / pair_bins(p));
    if (!(pairs >= 0 && pairs <= p->dwells))
        return p->dwells;
    const uint32_t first = 2 * (uint32_t)pairs;
    for (uint32_t dwell = first; dwell < first + 2 && dwell < p->dwells; dwell++) {
        if (is_meant(p, dwell, center_hz))
            return dwell;
    }
    return p->dwells;
}

static unsigned add_piece(const struct sweep_plan *p, struct sweep_piece piece, unsigned count,
                          struct sweep_piece *out)
{
    if (piece.first >= p->bins)
        return count;
    if (piece.bins > p->bins - piece.first)
        piece.bins = p->bins - piece.first;
    out[count] = piece;
    return count + 1;
}

unsigned sweep_pieces(const struct sweep_plan *p, uint32_t dwell, struct sweep_piece out[2])
{
    const uint32_t first = dwell / 2 * pair_bins(p);
    const uint32_t top = first + 2 * p->half, width = dwell % 2 ? p->half : 2 * p->hole;
    const uint32_t low = dwell % 2 ? first + p->half : first,
                   high = dwell % 2 ? top + 2 * p->hole : top;
    const unsigned count = add_piece(p, (struct sweep_piece){low, p->half}, 0, out);
    return add_piece(p, (struct sweep_piece){high, width}, count, out);
}

/* ---- the option ------------------------------------------------------------------------- */

int sweep_span_parse(const char *text, struct span *out)
{
    char low[64];
    const size_t length = strcspn(text, ":");
    *out = (struct span){0};
    if (!*text)
        return 0;
    if (text[length] != ':' || length >= sizeof low)
        return -EINVAL;
    snprintf(low, sizeof low, "%.*s", (int)length, text);
    struct span span;
    if (si_parse_unit(low, SI_HZ, &span.low_hz) < 0 ||
        si_parse_unit(text + length + 1, SI_HZ, &span.high_hz) < 0)
        return -EINVAL;
    if (!(span.low_hz >= 0 && span.low_hz < span.high_hz && span.high_hz <= highest_hz))
        return -EINVAL;
    *out = span;
    return 0;
}

double sweep_usable_share(const struct settings *w)
{
    return w->usable_percent > 0 && w->usable_percent < 100 ? w->usable_percent / 100
                                                            : SWEEP_USABLE;
}
