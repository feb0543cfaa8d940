/* engine_spectrum.c - runs an engine's spectra: one run is one batch. */
#include "bench/engine_spectrum.h"

#include <errno.h>

int engine_spectrum_init(struct engine_spectrum *o, struct fft_engine *engine,
                         const struct spectrum_case *test_case, char *why, size_t size)
{
    *o = (struct engine_spectrum){.engine = engine, .test_case = test_case};
    return fft_spectrum_create(&o->spectrum, engine, &test_case->plan, why, size);
}

void engine_spectrum_finish(struct engine_spectrum *o)
{
    fft_spectrum_destroy(o->spectrum);
    o->spectrum = NULL;
}

static int batch(struct engine_spectrum *o, uint32_t frames, struct fft_partial *out)
{
    int err = fft_spectrum_submit(o->spectrum, o->test_case->raw, 0, frames, 0);
    if (err == 0)
        err = fft_spectrum_poll(o->spectrum, out, -1);
    return err == 1 ? 0 : err ? err : -EIO;
}

static int run(void *user)
{
    struct engine_spectrum *o = user;
    struct fft_partial p;
    const int err = batch(o, o->test_case->plan.max_frames, &p);
    fft_spectrum_release(o->spectrum);
    return err;
}

/* The partial of one frame has the same values in every detector. */
static const float *any_detector(const struct fft_partial *p)
{
    return p->sum ? p->sum : p->max ? p->max : p->min ? p->min : p->last;
}

/* One frame has one hit in each column. */
static uint64_t count_hits(const struct spectrum_case *test_case, const struct fft_partial *p)
{
    const size_t cells = (size_t)test_case->plan.density.columns * test_case->plan.density.levels;
    uint64_t hits = 0;
    for (size_t i = 0; p->hits && i < cells; i++)
        hits += p->hits[i];
    return hits;
}

static int check(void *user, double *error)
{
    struct engine_spectrum *o = user;
    struct fft_partial p = {0};
    int err = batch(o, 1, &p);
    if (err == 0)
        *error = spectrum_case_error(o->test_case, any_detector(&p));
    if (err == 0 && count_hits(o->test_case, &p) != o->test_case->plan.density.columns)
        err = -EIO;
    fft_spectrum_release(o->spectrum);
    return err;
}

struct contestant engine_spectrum_contestant(struct engine_spectrum *o)
{
    return (struct contestant){
        .name = fft_engine_name(o->engine), .user = o, .run = run, .check = check};
}
