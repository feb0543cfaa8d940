/* verify_check.c - makes tones in every sample format, and folds the spectra of samples. */
#include <math.h>

#include "daemon/verify/verify.h"

/* Rounds to the nearest code; `middle` is the code of zero. */
static int code_of(double value, double scale, double middle)
{
    return (int)lrint(value * scale + middle);
}

static void store(enum fft_iq_format format, void *raw, size_t at, double value)
{
    switch (format) {
    case FFT_IQ_CU8:
        ((uint8_t *)raw)[at] = (uint8_t)code_of(value, 127.5, 127.5);
        break;
    case FFT_IQ_CS8:
        ((int8_t *)raw)[at] = (int8_t)code_of(value, 128, 0);
        break;
    case FFT_IQ_CS16:
        ((int16_t *)raw)[at] = (int16_t)code_of(value, 32768, 0);
        break;
    default:
        ((float *)raw)[at] = (float)value;
    }
}

void verify_put(enum fft_iq_format format, void *raw, size_t at, double re, double im)
{
    store(format, raw, 2 * at, re);
    store(format, raw, 2 * at + 1, im);
}

void verify_tone(enum fft_iq_format format, double amplitude, double cycles_per_sample, void *raw,
                 size_t samples)
{
    for (size_t i = 0; i < samples; i++) {
        const double turns = cycles_per_sample * (double)i;
        const double angle = 2 * M_PI * (turns - floor(turns));
        verify_put(format, raw, i, amplitude * cos(angle), amplitude * sin(angle));
    }
}

static int fold_span(struct fft_spectrum *s, struct fft_fold *fold, const void *raw,
                     uint32_t frames)
{
    struct fft_partial partial;
    int err = fft_spectrum_submit(s, raw, 0, frames, 0);
    if (err < 0)
        return err;
    err = fft_spectrum_poll(s, &partial, -1);
    if (err < 0)
        return err;
    fft_fold_add(fold, &partial);
    fft_spectrum_release(s);
    return 0;
}

int verify_fold(struct fft_engine *e, const struct fft_spectrum_config *plan, const void *raw,
                uint32_t frames, struct fft_fold **out)
{
    return verify_fold_corrected(e, plan, NULL, raw, frames, out);
}

int verify_fold_corrected(struct fft_engine *e, const struct fft_spectrum_config *plan,
                          const struct fft_correction *correction, const void *raw, uint32_t frames,
                          struct fft_fold **out)
{
    struct fft_spectrum *s = NULL;
    struct fft_spectrum_config whole = *plan;
    char why[256];
    whole.depth = 1;
    whole.max_frames = frames;
    *out = NULL;
    int err = fft_spectrum_create(&s, e, &whole, why, sizeof why);
    if (err == 0)
        err = fft_fold_create(out, &whole);
    if (err == 0 && correction)
        err = fft_spectrum_correct(s, correction);
    if (err == 0)
        err = fold_span(s, *out, raw, frames);
    fft_spectrum_destroy(s);
    if (err < 0) {
        fft_fold_destroy(*out);
        *out = NULL;
    }
    return err;
}
