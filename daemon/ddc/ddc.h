/*
 * ddc.h - the digital down-converter: shifts a band of a stream to zero and decimates it.
 *
 * Samples have numbers. Sample n is multiplied by exp(-2 pi i n step), where step is shift / rate
 * in whole parts of 2^-64 turns, rounded to the nearest: the phase does not drift, does not depend
 * on where a segment begins, and is at most n 2^-65 turns off (1.7e-7 rad after 1e12 samples). The
 * filters have no delay: output i of a segment has the number `first` + i * factor, and is the
 * mean, weighted by the filter, of the samples up to `reach` before and after that one. Samples
 * that the segment does not have count as 0. The same samples give the same output in blocks of any
 * size, with any number of workers.
 *
 * One thread, which shares large blocks with workers of its own. Memory is bounded by the filters
 * and a block.
 *
 * Samples are pushed from memory, or pulled: then each worker reads its own part, in blocks that
 * stay in the nearest caches, so that one reads while another computes.
 */
#ifndef FFTD_DAEMON_DDC_DDC_H
#define FFTD_DAEMON_DDC_DDC_H

#include <stddef.h>

#include "daemon/ddc/ddc_plan.h"
#include "daemon/ddc/ddc_reader.h"
#include "fft/iq.h"

enum { DDC_BLOCK = 1 << 20 }; /* samples in one push, at most */

struct ddc;

/*
 * plan: copied. format: of the samples. workers: threads, this one included; 0 counts as 1. block:
 * samples in one push, 1 .. DDC_BLOCK; the buffers have room for that many. -ENOMEM.
 */
int ddc_create(struct ddc **out, const struct ddc_plan *plan, enum fft_iq_format format,
               unsigned workers, size_t block);
void ddc_destroy(struct ddc *c); /* NULL is fine */
/*
 * Starts a segment: the next sample pushed has the number `number`, and the first output has
 * `first`, at most `reach` later.
 * shift_hz: the centre of the band, as a frequency in the stream. scale: every sample, in the
 * units of its format, is multiplied by it.
 */
void ddc_begin(struct ddc *c, uint64_t number, uint64_t first, double shift_hz, double scale);
/*
 * raw NULL: zeros; `reach` of them after the last sample of a segment complete its outputs.
 * Returns the number of outputs, at most `count`; they are valid until the next call.
 */
size_t ddc_push(struct ddc *c, const void *raw, size_t count, const struct fft_iq **out);
/*
 * The same with samples that the reader has. *taken: how many there were; the next sample is the
 * one after them. Fewer than `count`: the reader returned fewer.
 */
size_t ddc_pull(struct ddc *c, const struct ddc_reader *reader, size_t count, size_t *taken,
                const struct fft_iq **out);

#endif
