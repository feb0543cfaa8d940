/* audio_receiver.c - what becomes of the blocks of a channel: audio, or silence. */
#include "daemon/audio/audio_receiver.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"

#define LEVEL_S 0.1

int audio_receiver_create(struct audio_receiver **out, const struct audio_request *q,
                          struct channels *channels, struct reason *why)
{
    struct channel_request channel;
    struct audio_receiver *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return reason_set(why, -ENOMEM, "audio: no memory");
    r->request = *q;
    int err = audio_request_plan(&r->request, &r->plan, &channel, why);
    r->audio_most = err == 0 ? demod_audio_max(&r->plan, AUDIO_PIECE) : 0;
    r->audio = err == 0 ? calloc(r->audio_most, sizeof *r->audio) : NULL;
    if (err == 0 && !r->audio)
        err = reason_set(why, -ENOMEM, "audio: no memory");
    if (err == 0)
        err = q->demod.ops->create(&r->demod, &q->demod, why);
    if (err == 0)
        err = channel_open(channels, &channel, &r->channel, why);
    if (err < 0) {
        audio_receiver_destroy(r);
        return err;
    }
    demod_report_init(&r->figures.report);
    r->figures.level_dbfs = -INFINITY;
    *out = r;
    return 0;
}

void audio_receiver_destroy(struct audio_receiver *r)
{
    if (!r)
        return;
    channel_close(r->channel);
    if (r->demod)
        r->request.demod.ops->destroy(r->demod);
    free(r->audio);
    free(r);
}

size_t audio_receiver_most(const struct audio_receiver *r)
{
    return r->audio_most / r->plan.audio_channels;
}

/* ---- audio ---------------------------------------------------------------------------------- */

static void measure_level(struct audio_receiver *r, size_t frames)
{
    const size_t count = frames * r->plan.audio_channels;
    const double share = 1 - exp(-(double)frames / r->plan.audio_rate_hz / LEVEL_S);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)r->audio[i] * r->audio[i];
    if (count > 0)
        r->power += share * (sum / (double)count - r->power);
}

static void emit(struct audio_receiver *r, size_t frames, const struct audio_stamp *stamp,
                 const atomic_bool *stop)
{
    if (frames == 0)
        return;
    measure_level(r, frames);
    r->frames += frames;
    for (struct audio_encoding *e = r->active_encodings; e; e = e->active)
        audio_encoding_run(e, r->audio, frames, stamp, stop);
}

/* Silence in place of so many samples. */
static void hush(struct audio_receiver *r, uint64_t samples, const struct audio_stamp *stamp,
                 const atomic_bool *stop)
{
    const size_t most = audio_receiver_most(r);
    r->samples += samples;
    const double due = floor((double)r->samples * r->plan.audio_rate_hz / r->plan.rate_hz);
    memset(r->audio, 0, r->audio_most * sizeof *r->audio);
    while ((double)r->frames < due) {
        const double rest = due - (double)r->frames;
        emit(r, rest < (double)most ? (size_t)rest : most, stamp, stop);
    }
}

/* Down to nothing, so that the end of a transmission does not click. */
static void fade_out(struct audio_receiver *r, size_t frames)
{
    const unsigned channels = r->plan.audio_channels;
    for (size_t i = 0; i < frames * channels; i++)
        r->audio[i] *= 1 - (float)(i / channels + 1) / (float)frames;
}

static void play(struct audio_receiver *r, const struct fft_iq *samples, size_t count, bool ends,
                 const struct audio_stamp *stamp, const atomic_bool *stop)
{
    const size_t frames = r->request.demod.ops->run(r->demod, samples, count, r->audio);
    r->samples += count;
    if (ends)
        fade_out(r, frames);
    emit(r, frames, stamp, stop);
}

/* ---- blocks --------------------------------------------------------------------------------- */

static struct audio_stamp stamp_of(const struct audio_receiver *r, const struct channel_block *b)
{
    const bool known = !b->silent && isfinite(b->noise_dbfs);
    return (struct audio_stamp){.number = b->number,
                                .time_ns = unix_time_after(b->time_ns, -r->plan.delay_s),
                                .open = b->open && !b->silent,
                                .level_dbfs = b->level_dbfs,
                                .snr_db = known ? b->level_dbfs - b->noise_dbfs : NAN};
}

/* Silence for what is missing before the block. Returns how many of its samples have come. */
static size_t join_block(struct audio_receiver *r, const struct channel_block *b,
                         const struct audio_stamp *stamp, const atomic_bool *stop)
{
    const uint64_t second = (uint64_t)r->plan.rate_hz, from = r->index;
    const bool begun = r->begun;
    r->begun = true;
    r->index = b->index + b->count;
    if (!begun || b->index == from)
        return 0;
    const size_t again = channel_block_again(b, from);
    if (again > 0)
        return again;
    r->heard = false; /* it begins anew */
    if (b->index > from) {
        struct audio_stamp gap = *stamp;
        const uint64_t missing = b->index - from, frames = r->frames;
        gap.gap = true;
        gap.open = false;
        hush(r, missing < second ? missing : second, &gap, stop);
        r->missing += r->frames - frames;
    }
    return 0;
}

void audio_receiver_run(struct audio_receiver *r, const struct channel_block *b,
                        const atomic_bool *stop)
{
    struct audio_stamp stamp = stamp_of(r, b);
    const size_t again = join_block(r, b, &stamp, stop);
    const bool ends = r->heard && !stamp.open;
    if (stamp.open && !r->heard)
        r->request.demod.ops->reset(r->demod);
    for (size_t at = again; at < b->count;) {
        const size_t rest = b->count - at, count = rest < AUDIO_PIECE ? rest : AUDIO_PIECE;
        const bool last = ends && count == rest;
        if (stamp.open || (ends && !b->silent))
            play(r, b->sample + at, count, last, &stamp, stop);
        else
            hush(r, count, &stamp, stop);
        stamp.time_ns = unix_time_after(stamp.time_ns, (double)count / r->plan.rate_hz);
        at += count;
    }
    r->heard = stamp.open;
}

void audio_receiver_figures(const struct audio_receiver *r, struct audio_figures *out)
{
    demod_report_init(&out->report);
    r->request.demod.ops->report(r->demod, &out->report);
    out->level_dbfs = 10 * log10(2 * r->power);
    out->frames = r->frames;
    out->missing = r->missing;
}
