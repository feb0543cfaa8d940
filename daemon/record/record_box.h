/*
 * record_box.h - converts raw samples of a stream into samples of a band, in the format of a
 * recording. One thread, with workers of its own.
 */
#ifndef FFTD_DAEMON_RECORD_RECORD_BOX_H
#define FFTD_DAEMON_RECORD_RECORD_BOX_H

#include <stdbool.h>

#include "daemon/ddc/ddc.h"
#include "daemon/stream/tuning.h"

struct record_band {
    double low_hz, high_hz;    /* both 0: no band */
    enum fft_iq_format format; /* of the result: FFT_IQ_CF32 or FFT_IQ_CS16 */
};

struct record_box;

/* workers: as in ddc.h. -EINVAL: the band is empty or wider than the rate. -ENOMEM. */
int record_box_create(struct record_box **out, const struct stream *s,
                      const struct record_band *band, unsigned workers);
void record_box_destroy(struct record_box *b); /* NULL is fine */
const struct ddc_plan *record_box_plan(const struct record_box *b);

bool record_band_is_set(const struct record_band *band);
/* Whether a stream with this centre (NAN counts as 0) has the whole band. */
bool record_band_lies_within(const struct record_band *band, double center_hz, double rate_hz);
double record_band_center(const struct record_band *band);

/* As ddc_begin. */
void record_box_begin(struct record_box *b, uint64_t number, uint64_t first, double center_hz);
/*
 * As ddc_push, with at most DDC_BLOCK raw samples. cf32: changes invalid ones to 0. *out: results
 * in the band's format, valid until the next call. In cs16, what exceeds full scale is limited.
 */
size_t record_box_push(struct record_box *b, void *raw, size_t count, const void **out);
/* The same, as ddc_pull. */
size_t record_box_pull(struct record_box *b, const struct ddc_reader *reader, size_t count,
                       size_t *taken, const void **out);

#endif
