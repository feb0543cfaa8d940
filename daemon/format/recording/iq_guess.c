/* iq_guess.c - weighs byte statistics for and against each sample format. */
#include "daemon/format/recording/iq_guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CODES = 256, ZERO = 128 }; /* index of the component 0 in a distribution */

/* The shares of the 256 codes of one component, in the order of their values: -128 .. 127. */
struct distribution {
    double share[CODES];
    double count;
};

/* ---- distributions ---------------------------------------------------------------------- */

/* Of the bytes at the positions p with p % step == first. flip: 0x80 for cu8, 0 for signed bytes.
 */
static void distribute(const struct iq_guess_counts *c, unsigned first, unsigned step,
                       unsigned flip, struct distribution *out)
{
    *out = (struct distribution){.count = (double)c->bytes / step};
    for (unsigned position = first; position < 8; position += step) {
        for (unsigned code = 0; code < CODES; code++)
            out->share[(code ^ flip ^ 0x80) & 0xff] += c->byte[position][code] / out->count;
    }
}

static double share_of(const struct distribution *d, int from, int to) /* components, to included */
{
    double sum = 0;
    for (int v = from; v <= to; v++)
        sum += d->share[v + ZERO];
    return sum;
}

static double deviation(const struct distribution *d)
{
    double mean = 0, square = 0;
    for (int i = 0; i < CODES; i++) {
        mean += (i - ZERO) * d->share[i];
        square += (double)(i - ZERO) * (i - ZERO) * d->share[i];
    }
    return sqrt(fmax(0, square - mean * mean));
}

static int median(const struct distribution *d)
{
    double sum = 0;
    int i = 0;
    while (i < CODES - 1 && (sum += d->share[i]) < 0.5)
        i++;
    return i - ZERO;
}

/* 0: the same shares, 2: no code in common. */
static double distance(const struct distribution *a, const struct distribution *b)
{
    double sum = 0;
    for (int i = 0; i < CODES; i++)
        sum += fabs(a->share[i] - b->share[i]);
    return sum;
}

/* How far the shares are from uniform: the rms of their relative deviations, without chance. */
static double unevenness(const struct distribution *d)
{
    double square = 0;
    for (int i = 0; i < CODES; i++)
        square += (d->share[i] * CODES - 1) * (d->share[i] * CODES - 1);
    return sqrt(fmax(0, square / CODES - (CODES - 1) / d->count));
}

/* Positive components are as frequent as negative ones, in steps of 16. */
static bool is_symmetric(const struct distribution *d)
{
    double sum = 0;
    for (int v = 0; v < 128; v += 16)
        sum += fabs(share_of(d, v, v + 15) - share_of(d, -v - 16, -v - 1));
    return sum <= 0.3;
}

static int most_frequent(const struct distribution *d)
{
    int top = 0;
    for (int i = 1; i < CODES; i++)
        top = d->share[i] > d->share[top] ? i : top;
    return top - ZERO;
}

/*
 * Rises to its peaks and falls again, apart from one code. Machine code and text do not. A tone of
 * an eighth of the rate has five peaks.
 */
static bool is_smooth(const struct distribution *d)
{
    const int top = most_frequent(d) + ZERO;
    double before = 0, peak = 0, climbs = 0, noise = 0;
    for (int i = 0; i < CODES; i++) {
        if (i == top)
            continue;
        climbs += fabs(d->share[i] - before);
        noise += sqrt(d->share[i] / d->count);
        peak = fmax(peak, d->share[i]);
        before = d->share[i];
    }
    return climbs <= (is_symmetric(d) ? 9 : 5) * peak + 1.6 * noise;
}

/* A spike at both extreme codes of the other 8-bit format: more than their neighbours predict. */
static bool is_clipped_elsewhere(const struct distribution *d)
{
    const double rails = fmin(d->share[ZERO - 1], d->share[ZERO]);
    const double beside = (d->share[ZERO - 2] + d->share[ZERO + 1]) / 2;
    const double next = (d->share[ZERO - 3] + d->share[ZERO + 2]) / 2;
    return share_of(d, -1, 0) > 0.94 || rails * next > 1.5 * beside * beside;
}

static bool is_balanced_around(const struct distribution *d, int middle)
{
    const double below = share_of(d, -128, middle - 1), above = share_of(d, middle + 1, 127);
    return fmin(below, above) >= 0.4 * fmax(below, above);
}

/*
 * As much above the median as below, around a frequent code too, and no code that fills a wide
 * distribution: programs, debug information and images are mostly zeros, and have more small
 * positive numbers than negative ones.
 */
static bool is_balanced(const struct distribution *d)
{
    const int middle = median(d), top = most_frequent(d);
    const double wide = deviation(d);
    if (wide < 3)
        return true;
    return is_balanced_around(d, middle) &&
           (d->share[top + ZERO] <= 0.25 || is_balanced_around(d, top)) &&
           (wide < 4 || d->share[middle + ZERO] < 0.4);
}

/* Components near zero, without zero itself, and components near the rails. */
static double share_near(const struct distribution *d)
{
    return share_of(d, -16, -2) + share_of(d, 1, 16);
}

static double share_far(const struct distribution *d)
{
    return share_of(d, -128, -113) + share_of(d, 112, 127);
}

/* The components lie around zero, as those of a signal with room to the rails. */
static bool is_centred(const struct distribution *d)
{
    const double far = share_far(d) - d->share[0] - d->share[CODES - 1];
    return abs(median(d)) <= 12 && share_of(d, -64, 63) >= 0.8 && share_near(d) >= 3 * far &&
           is_balanced(d) && is_smooth(d) && !is_clipped_elsewhere(d);
}

/* The components avoid zero and are near the rails: no signal does that. */
static bool is_off_centre(const struct distribution *d)
{
    return share_of(d, -64, 63) <= 0.2 && share_of(d, -16, 15) < share_far(d);
}

static bool varies(const struct distribution *d)
{
    return deviation(d) > 0.2;
}

/* ---- 8 bits ----------------------------------------------------------------------------- */

static bool has_both_signs(const struct distribution *d)
{
    const double negative = share_of(d, -128, -1);
    return negative > 0.1 && negative < 0.9;
}

/*
 * All positions of I are alike, and all of Q. Not more: a tone of an eighth of the rate takes other
 * values in even samples than in odd ones.
 */
static bool is_bytewise(const struct iq_guess_counts *c)
{
    for (unsigned first = 0; first < 2; first++) {
        struct distribution even, odd;
        distribute(c, first, 4, 0, &even);
        distribute(c, first + 2, 4, 0, &odd);
        const double a = unevenness(&even), b = unevenness(&odd);
        const double ratio = (deviation(&even) + 0.5) / (deviation(&odd) + 0.5);
        if (ratio < 0.5 || ratio > 2 || a > 3 * b + 0.3 || b > 3 * a + 0.3)
            return false;
    }
    return true;
}

/*
 * The second byte of the pairs repeats the sign of the first, for both signs: small 16-bit
 * components. first: 0, or 1 for big-endian ones.
 */
static bool is_sign_extended(const struct iq_guess_counts *c, unsigned first, double part)
{
    struct distribution low, high;
    distribute(c, first, 2, 0, &low);
    distribute(c, 1 - first, 2, 0, &high);
    return c->extended[first] > part * c->nonzero && deviation(&low) > 1.2 * deviation(&high) &&
           deviation(&high) < 3 && is_smooth(&low) && share_near(&low) >= share_far(&low) &&
           has_both_signs(&high);
}

static enum iq_likelihood rate_bytes(const struct iq_guess_counts *c, unsigned flip)
{
    struct distribution i, q;
    distribute(c, 0, 2, flip, &i);
    distribute(c, 1, 2, flip, &q);
    if (!is_bytewise(c) || is_sign_extended(c, 0, 0.9) || is_sign_extended(c, 1, 0.9) ||
        (is_off_centre(&i) && is_off_centre(&q)))
        return IQ_EXCLUDED;
    const double ratio = deviation(&i) / deviation(&q);
    const bool alike = ratio > 0.25 && ratio < 4; /* false for NaN */
    const bool alive = varies(&i) && varies(&q);
    return alike && alive && is_centred(&i) && is_centred(&q) ? IQ_LIKELY : IQ_POSSIBLE;
}

/* ---- 16 bits ---------------------------------------------------------------------------- */

/* The first value from k on that occurs, in the order of the signed values; 65536: none. */
static unsigned next_value(const struct iq_guess_counts *c, unsigned k)
{
    while (k < 65536 && !(c->seen[(k ^ 0x8000) / 8] >> k % 8 & 1))
        k += c->seen[(k ^ 0x8000) / 8] ? 1 : 8 - k % 8;
    return k;
}

/* The values are multiples of a step: those of a converter with fewer bits, scaled. */
static bool is_on_grid(const struct iq_guess_counts *c)
{
    unsigned step = 65536, gaps = 0;
    const unsigned first = next_value(c, 0);
    for (unsigned k = first, next; (next = next_value(c, k + 1)) < 65536; k = next, gaps++)
        step = next - k < step ? next - k : step;
    if (gaps < 3 || step < 8 || c->extended[1] >= 0.9 * c->nonzero)
        return false;
    for (unsigned k = first, next; (next = next_value(c, k + 1)) < 65536; k = next) {
        const unsigned rest = (next - k) % step, slack = step < 64 ? 0 : (next - k) / step;
        if (rest > slack && step - rest > slack)
            return false;
    }
    return true;
}

/* Of the low bytes that occur if the lowest bits are always 0, for up to 8 values of these bits. */
static double unevenness_of_low(const struct iq_guess_counts *c)
{
    struct distribution d = {.count = fmax(1, (double)c->pairs - c->rails)};
    unsigned bits = 0, step = 1;
    for (unsigned i = 0; i < CODES; i++)
        bits |= c->low[i] ? i : 0;
    while (step < 8 && !(bits & step))
        step *= 2;
    for (unsigned i = 0; i < CODES; i++)
        d.share[i] = (double)c->low[i - i % step] / d.count / step;
    return unevenness(&d);
}

/*
 * High bytes around zero, and low bytes that are uniform, follow the sign, or keep to a grid.
 * bytes_likely: the data have all marks of an 8-bit format.
 */
static enum iq_likelihood rate_pairs(const struct iq_guess_counts *c, bool bytes_likely)
{
    struct distribution high_i, high_q;
    distribute(c, 1, 4, 0, &high_i);
    distribute(c, 3, 4, 0, &high_q);
    const double low = unevenness_of_low(c);
    const double high = fmin(unevenness(&high_i), unevenness(&high_q));
    const bool uniform = low < 0.25 && high > fmax(0.2, 4 * low);
    const bool small = is_sign_extended(c, 0, 0.7);
    const bool grid = is_on_grid(c) && high > 0.2;
    if (is_off_centre(&high_i) || is_off_centre(&high_q) ||
        (low > 0.5 && bytes_likely && !small && !grid))
        return IQ_EXCLUDED;
    const bool centred = small || (is_centred(&high_i) && is_centred(&high_q));
    return has_both_signs(&high_i) && has_both_signs(&high_q) && centred &&
                   (uniform || small || grid)
               ? IQ_LIKELY
               : IQ_POSSIBLE;
}

/* ---- floats ----------------------------------------------------------------------------- */

/* The exponents below the largest 0.1 % that hold the next 98 %, in octaves. */
static int octaves(const struct iq_guess_counts *c, double count)
{
    double sum = 0;
    int top = 255, bottom;
    while (top > 0 && (sum += c->exponent[top]) < 0.001 * count)
        top--;
    for (bottom = top; bottom > 0 && sum < 0.98 * count;)
        sum += c->exponent[--bottom];
    return top - bottom;
}

static enum iq_likelihood rate_floats(const struct iq_guess_counts *c)
{
    const double used = (double)c->floats - c->zeros;
    struct distribution mantissa, middle, top;
    if (c->bad_floats > 0.01 * c->floats)
        return IQ_EXCLUDED;
    bool likely = used > 0.05 * c->floats && octaves(c, used) <= 24 &&
                  c->negative_floats > 0.2 * used && c->negative_floats < 0.8 * used;
    distribute(c, 2, 4, 0, &mantissa);
    likely = likely && unevenness(&mantissa) > 0.06; /* 32-bit integers: uniform */
    for (unsigned component = 0; component < 8; component += 4) {
        distribute(c, component + 1, 8, 0, &middle);
        distribute(c, component + 3, 8, 0, &top);
        likely = likely && distance(&middle, &top) > 0.5; /* 8-bit data: the same */
    }
    return likely ? IQ_LIKELY : IQ_POSSIBLE;
}

/* ---- the verdict ------------------------------------------------------------------------ */

/* Clipped samples contradict their own format, so only a format that has all marks excludes
 * another.
 */
static void allow_integers(struct iq_guess *g)
{
    for (int format = FFT_IQ_CU8; format <= FFT_IQ_CS16; format++)
        if (g->likelihood[format] == IQ_EXCLUDED)
            g->likelihood[format] = IQ_POSSIBLE;
}

/* Returns the number of formats that are left. */
static unsigned exclude_by_length(struct iq_guess *g, uint64_t length)
{
    unsigned left = 0;
    for (int format = 0; format < FFT_IQ_FORMATS; format++) {
        if (length % fft_iq_bytes((enum fft_iq_format)format) != 0)
            g->likelihood[format] = IQ_EXCLUDED;
        left += g->likelihood[format] != IQ_EXCLUDED;
    }
    return left;
}

struct iq_guess iq_guess_result(const struct iq_guess_counts *c, uint64_t length)
{
    const enum iq_likelihood cu8 = rate_bytes(c, 0x80), cs8 = rate_bytes(c, 0);
    struct iq_guess g = {
        .format = FFT_IQ_FORMATS,
        .likelihood = {[FFT_IQ_CU8] = cu8,
                       [FFT_IQ_CS8] = cs8,
                       [FFT_IQ_CS16] = rate_pairs(c, cu8 == IQ_LIKELY || cs8 == IQ_LIKELY),
                       [FFT_IQ_CF32] = rate_floats(c)},
    };
    unsigned likely = 0, left = exclude_by_length(&g, length);
    for (int format = 0; format < FFT_IQ_FORMATS; format++) {
        if (g.likelihood[format] != IQ_LIKELY)
            continue;
        likely++;
        g.format = (enum fft_iq_format)format;
    }
    if (likely != 1 || c->bytes < IQ_GUESS_MIN) {
        g.format = FFT_IQ_FORMATS;
        allow_integers(&g);
        left = exclude_by_length(&g, length);
    }
    g.sure = g.format != FFT_IQ_FORMATS && left == 1;
    return g;
}
