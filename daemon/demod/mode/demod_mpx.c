/* demod_mpx.c - the stereo multiplex of an FM station, for decoders of RDS. */
#include <errno.h>
#include <stdlib.h>

#include "daemon/base/reason.h"
#include "daemon/demod/demod_fade.h"
#include "daemon/demod/mode/demod_multiplex.h"

struct demod {
    struct demod_multiplex multiplex;
    struct demod_fade fade;
};

static void mpx_reset(struct demod *d)
{
    demod_multiplex_reset(&d->multiplex);
    demod_fade_reset(&d->fade);
}

static void mpx_destroy(struct demod *d)
{
    if (!d)
        return;
    demod_multiplex_finish(&d->multiplex);
    free(d);
}

static int mpx_create(struct demod **out, const struct demod_config *c, struct reason *why)
{
    struct demod_plan p;
    *out = NULL;
    const int err = demod_multiplex_plan(c, &p, why);
    if (err < 0)
        return err;
    struct demod *d = calloc(1, sizeof *d);
    if (!d || demod_multiplex_init(&d->multiplex, c) < 0) {
        mpx_destroy(d);
        return reason_set(why, -ENOMEM, "no memory for a demodulator");
    }
    demod_fade_init(&d->fade, p.audio_rate_hz, 2 * p.delay_s);
    *out = d;
    return 0;
}

static size_t mpx_run(struct demod *d, const struct fft_iq *in, size_t count, float *audio)
{
    size_t frames = 0;
    for (size_t some; frames < count; frames += some) {
        some = count - frames < DEMOD_MULTIPLEX_CHUNK ? count - frames : DEMOD_MULTIPLEX_CHUNK;
        demod_multiplex_run(&d->multiplex, in + frames, some, audio + frames);
        demod_fade_run(&d->fade, audio + frames, some, 1);
    }
    return frames;
}

static void mpx_report(const struct demod *d, struct demod_report *r)
{
    demod_report_init(r);
    demod_multiplex_report(&d->multiplex, r);
}

const struct demod_ops demod_mpx = {
    .name = "mpx",
    .about = "stereo multiplex of FM stations",
    .plan = demod_multiplex_plan,
    .create = mpx_create,
    .run = mpx_run,
    .reset = mpx_reset,
    .report = mpx_report,
    .destroy = mpx_destroy,
};
