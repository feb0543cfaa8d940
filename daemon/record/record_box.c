/* record_box.c - checks samples before a cut, and packs them after it. */
#include "daemon/record/record_box.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct record_box {
    struct stream stream;
    struct record_band band;
    struct ddc_plan plan;
    struct ddc *ddc;
    const struct ddc_reader *reader; /* of the pull that is going on */
    int16_t *packed;                 /* [2 * DDC_BLOCK], of cs16 */
};

int record_box_create(struct record_box **out, const struct stream *s,
                      const struct record_band *band, unsigned workers)
{
    const double width_hz = band->high_hz - band->low_hz;
    *out = NULL;
    if (!(width_hz > 0) || width_hz > s->tuning.rate_hz)
        return -EINVAL;
    struct record_box *b = calloc(1, sizeof *b);
    if (!b)
        return -ENOMEM;
    b->stream = *s;
    b->band = *band;
    ddc_plan_band(&b->plan, s->tuning.rate_hz, width_hz);
    b->packed = calloc((size_t)2 * DDC_BLOCK, sizeof *b->packed);
    if (!b->packed || ddc_create(&b->ddc, &b->plan, s->format, workers, DDC_BLOCK) < 0) {
        record_box_destroy(b);
        return -ENOMEM;
    }
    *out = b;
    return 0;
}

void record_box_destroy(struct record_box *b)
{
    if (!b)
        return;
    ddc_destroy(b->ddc);
    free(b->packed);
    free(b);
}

const struct ddc_plan *record_box_plan(const struct record_box *b)
{
    return &b->plan;
}

static double known(double center_hz)
{
    return isfinite(center_hz) ? center_hz : 0;
}

bool record_band_is_set(const struct record_band *band)
{
    return fabs(band->low_hz) > 0 || fabs(band->high_hz) > 0;
}

bool record_band_lies_within(const struct record_band *band, double center_hz, double rate_hz)
{
    const double half_hz = rate_hz / 2 * (1 + 1e-9);
    return band->low_hz >= known(center_hz) - half_hz &&
           band->high_hz <= known(center_hz) + half_hz;
}

double record_band_center(const struct record_band *band)
{
    return (band->low_hz + band->high_hz) / 2;
}

void record_box_begin(struct record_box *b, uint64_t number, uint64_t first, double center_hz)
{
    const double shift_hz = record_band_center(&b->band) - known(center_hz);
    ddc_begin(b->ddc, number, first, shift_hz, 1 / b->stream.full_scale);
}

static int16_t pack(float value)
{
    const float scaled = value * 32768.0F;
    return (int16_t)lrintf(fminf(fmaxf(scaled, -32768.0F), 32767.0F));
}

/* In the band's format. */
static const void *pack_all(struct record_box *b, const struct fft_iq *result, size_t count)
{
    if (b->band.format != FFT_IQ_CS16)
        return result;
    for (size_t i = 0; i < count; i++) {
        b->packed[2 * i] = pack(result[i].re);
        b->packed[2 * i + 1] = pack(result[i].im);
    }
    return b->packed;
}

static void check(const struct record_box *b, void *raw, size_t count)
{
    if (b->stream.format == FFT_IQ_CF32)
        fft_iq_check(b->stream.format, b->stream.full_scale, raw, count);
}

size_t record_box_push(struct record_box *b, void *raw, size_t count, const void **out)
{
    const struct fft_iq *result;
    if (raw)
        check(b, raw, count);
    const size_t got = ddc_push(b->ddc, raw, count, &result);
    *out = pack_all(b, result, got);
    return got;
}

static size_t read_checked(void *arg, size_t at, size_t count, void *into)
{
    const struct record_box *b = arg;
    const size_t got = b->reader->read(b->reader->arg, at, count, into);
    check(b, into, got);
    return got;
}

size_t record_box_pull(struct record_box *b, const struct ddc_reader *reader, size_t count,
                       size_t *taken, const void **out)
{
    const struct fft_iq *result;
    b->reader = reader;
    const size_t got =
        ddc_pull(b->ddc, &(struct ddc_reader){read_checked, b}, count, taken, &result);
    *out = pack_all(b, result, got);
    return got;
}
