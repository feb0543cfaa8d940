/* half_band.c - a half-band filter in two phases: even samples pass, odd ones are interpolated. */
#include "daemon/source/file/half_band.h"

#include <math.h>
#include <string.h>

/* Pairs before the one that a result is centred on, so many are kept from block to block. */
enum { BEFORE = HALF_BAND_TAPS, KEPT = BEFORE + HALF_BAND_AHEAD };

/* Blackman and Harris: four terms, side lobes of -92 dB. `at`: 0 in the middle, 1 at the end. */
static double window(double at)
{
    return 0.35875 + 0.48829 * cos(M_PI * at) + 0.14128 * cos(2 * M_PI * at) +
           0.01168 * cos(3 * M_PI * at);
}

/* Twice the taps at odd distances n from the middle, sin(pi n / 2) / (pi n). */
void half_band_init(struct half_band *h)
{
    *h = (struct half_band){0};
    for (int i = 0; i < HALF_BAND_TAPS; i++) {
        const double n = 2 * i + 1;
        h->taps[i] =
            (float)((i % 2 ? -2 : 2) / (M_PI * n) * window(n / (2.0 * HALF_BAND_TAPS + 1)));
    }
}

void half_band_restart(struct half_band *h)
{
    memset(h->pairs, 0, sizeof h->pairs);
    h->odd = false;
    h->primed = 0;
}

/* Turns samples by -1/4 of the rate: the even ones stay real, the odd ones become imaginary. */
static void append(struct half_band *h, const struct fft_iq *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float sign = h->odd ? -1 : 1;
        const struct fft_iq in = pairs ? pairs[i] : (struct fft_iq){0, 0};
        h->pairs[KEPT + i] = (struct fft_iq){sign * in.re, -sign * in.im};
        h->odd = !h->odd;
    }
}

static struct fft_iq result(const struct half_band *h, size_t at)
{
    const struct fft_iq *middle = &h->pairs[at];
    float sum = 0;
    for (int i = 0; i < HALF_BAND_TAPS; i++)
        sum += h->taps[i] * (middle[-1 - i].im + middle[i].im);
    return (struct fft_iq){middle->re, sum};
}

static size_t run_block(struct half_band *h, const struct fft_iq *pairs, struct fft_iq *out,
                        size_t count)
{
    size_t first = HALF_BAND_AHEAD - h->primed, done = 0;
    append(h, pairs, count);
    first = first < count ? first : count;
    h->primed += (unsigned)first;
    for (size_t i = first; i < count; i++)
        out[done++] = result(h, BEFORE + i);
    memmove(h->pairs, h->pairs + count, KEPT * sizeof *h->pairs);
    return done;
}

size_t half_band_run(struct half_band *h, const struct fft_iq *pairs, struct fft_iq *out,
                     size_t count)
{
    size_t done = 0;
    for (size_t at = 0; at < count; at += HALF_BAND_BLOCK) {
        const size_t block = count - at < HALF_BAND_BLOCK ? count - at : HALF_BAND_BLOCK;
        done += run_block(h, pairs ? pairs + at : NULL, out + done, block);
    }
    return done;
}
