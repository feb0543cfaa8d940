/* ours.c - one batch of an engine is one run. */
#include "bench/ours.h"

#include <errno.h>
#include <string.h>

int ours_init(struct ours *o, struct fft_engine *engine, const struct job *job, char *why,
              size_t size)
{
    o->engine = engine;
    return spectrum_create(&o->spectrum, engine, &job->plan, why, size);
}

void ours_finish(struct ours *o)
{
    spectrum_destroy(o->spectrum);
    o->spectrum = NULL;
}

static int batch(struct ours *o, const struct job *job, uint32_t frames, struct partial *out)
{
    int err = spectrum_submit(o->spectrum, job->raw, 0, frames);
    if (err == 0)
        err = spectrum_poll(o->spectrum, out, -1);
    return err == 1 ? 0 : err ? err : -EIO;
}

static int ours_run(void *user, const struct job *job)
{
    struct ours *o = user;
    struct partial p;
    const int err = batch(o, job, job->plan.max_frames, &p);
    spectrum_release(o->spectrum);
    return err;
}

static int ours_first(void *user, const struct job *job, float *bins)
{
    struct ours *o = user;
    struct partial p = {0};
    const int err = batch(o, job, 1, &p);
    if (err == 0 && p.sum)
        memcpy(bins, p.sum, job->plan.n * sizeof *bins);
    spectrum_release(o->spectrum);
    return err;
}

struct contestant ours_contestant(struct ours *o)
{
    return (struct contestant){
        .name = fft_engine_name(o->engine), .user = o, .run = ours_run, .first = ours_first};
}
