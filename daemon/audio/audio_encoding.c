/* audio_encoding.c - frames to another rate, to bytes, to blocks. */
#include "daemon/audio/audio_encoding.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"

enum { BLOCKS = 256 /* that wait for a listener: some 1.5 s */, ROOM_MS = 100 };

static int make_resampler(struct audio_encoding *e)
{
    const double from_hz = e->form.from_hz, to_hz = e->form.rate_hz;
    e->resampled_most = (size_t)ceil((double)e->most * to_hz / from_hz) + 1;
    if (!(from_hz < to_hz) && !(from_hz > to_hz))
        return 0;
    e->pairs = calloc(e->most, sizeof *e->pairs);
    e->resampled = calloc(e->resampled_most, e->form.channels * sizeof *e->resampled);
    if (!e->pairs || !e->resampled)
        return -ENOMEM;
    const int err = channel_resampler_create_audio(&e->resampler, from_hz, to_hz, e->most);
    if (err == 0)
        channel_resampler_begin(e->resampler, 0);
    return err;
}

int audio_encoding_create(struct audio_encoding **out, const struct audio_encoding_ops *ops,
                          const struct audio_form *form, size_t most, bool waits,
                          void (*ready)(void *user), void *user, struct reason *why)
{
    struct audio_encoding *e = calloc(1, sizeof *e);
    *out = NULL;
    if (!e)
        return reason_set(why, -ENOMEM, "audio: no memory");
    e->ops = ops;
    e->form = *form;
    e->most = most;
    int err = channel_output_create(&e->output, BLOCKS, waits, ready, user);
    if (err == 0)
        err = make_resampler(e);
    if (err < 0)
        reason_set(why, err, "audio: no memory");
    if (err == 0 && ops->create)
        err = ops->create(&e->encoder, form->rate_hz, form->channels, why);
    if (err < 0)
        audio_encoding_destroy(e);
    else
        *out = e;
    return err;
}

void audio_encoding_destroy(struct audio_encoding *e)
{
    if (!e)
        return;
    if (e->output)
        channel_output_close(e->output);
    channel_output_unref(e->output);
    if (e->encoder)
        e->ops->destroy(e->encoder);
    channel_resampler_destroy(e->resampler);
    free(e->pairs);
    free(e->resampled);
    free(e);
}

/* ---- the steps ------------------------------------------------------------------------------ */

/* Frames at the rate of the bytes; *shift_s: the first one's time less that of audio[0]. */
static size_t resample(struct audio_encoding *e, const float *audio, size_t frames,
                       const float **out, double *shift_s)
{
    const unsigned channels = e->form.channels;
    const struct fft_iq *made;
    uint64_t first;
    for (size_t i = 0; i < frames; i++)
        e->pairs[i] = (struct fft_iq){audio[i * channels], audio[i * channels + channels - 1]};
    const size_t count = channel_resampler_push(e->resampler, e->pairs, frames, &first, &made);
    *shift_s = (double)first / e->form.rate_hz - (double)e->taken / e->form.from_hz;
    e->taken += frames;
    for (size_t i = 0; i < count; i++) {
        e->resampled[i * channels + channels - 1] = made[i].im;
        e->resampled[i * channels] = made[i].re;
    }
    *out = e->resampled;
    return count;
}

static void put(struct audio_encoding *e, struct audio_block *b, size_t frames, size_t bytes,
                const struct audio_stamp *stamp, double shift_s, const atomic_bool *stop)
{
    b->refs = 1;
    b->index = e->index;
    b->stamp = *stamp;
    b->stamp.time_ns = unix_time_after(stamp->time_ns, shift_s);
    b->frames = (uint32_t)frames;
    b->bytes = (uint32_t)bytes;
    e->index += frames;
    while (!channel_output_has_room(e->output, ROOM_MS) && e->listeners > 0 && !*stop)
        continue;
    channel_output_put(e->output, b);
}

void audio_encoding_run(struct audio_encoding *e, const float *audio, size_t frames,
                        const struct audio_stamp *stamp, const atomic_bool *stop)
{
    const unsigned channels = e->form.channels;
    double shift_s = 0;
    if (e->resampler)
        frames = resample(e, audio, frames, &audio, &shift_s);
    for (size_t at = 0; at < frames;) {
        struct audio_block *b = malloc(sizeof *b + e->ops->bytes_max(frames - at, channels));
        size_t bytes = 0, covered = 0;
        if (!b)
            return;
        const size_t used = e->ops->run(e->encoder, channels, audio + at * channels, frames - at,
                                        b->data, &bytes, &covered);
        at += used;
        /* A block that began in an earlier call ends here. */
        const double since_s = ((double)at - (double)covered) / e->form.rate_hz;
        if (bytes > 0)
            put(e, b, covered, bytes, stamp, shift_s + since_s, stop);
        else
            free(b);
    }
}
