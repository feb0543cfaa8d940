/* other_library.c - see other_library.h: the contestant, whichever library it is. */
#include "bench/libs/other_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/libs/other_library_internal.h"
#include "bench/libs/pipeline.h"

/* ---- the library ------------------------------------------------------------------------- */

bool rival_find(const struct rival *r, const char *name, void *to)
{
    void *symbol = dlsym(r->handle, name);
    memcpy(to, &symbol, sizeof symbol);
    return symbol;
}

static int load(struct rival *r, char *why, size_t size)
{
    const char *other = getenv(r->library->variable);
    r->handle = dlopen(other && *other ? other : r->library->file, RTLD_NOW | RTLD_LOCAL);
    if (r->handle && r->library->open(r))
        return 0;
    const char *reason = dlerror();
    snprintf(why, size, "%s", reason ? reason : "a function is missing, or it does not start");
    return -ENODEV;
}

int rival_open(struct rival **out, enum versus which, const char *engine, const char *options,
               char *why, size_t size)
{
    struct rival *r = *out = calloc(1, sizeof *r);
    if (!r)
        return -ENOMEM;
    r->library = which == VERSUS_CLFFT ? &rival_clfft : &rival_vkfft;
    int err = ocl_open(&r->ocl, engine, options, why, size);
    if (err == 0)
        err = load(r, why, size);
    if (err < 0) {
        rival_close(r);
        *out = NULL;
    }
    return err;
}

void rival_close(struct rival *r)
{
    if (!r)
        return;
    if (r->name[0] && r->library->close)
        r->library->close();
    ocl_close(r->ocl);
    free(r);
}

const char *rival_name(const struct rival *r)
{
    return r->name;
}

/* ---- spectra ----------------------------------------------------------------------------- */

static size_t bytes_of(const struct fft_spectrum_plan *p)
{
    return (size_t)p->max_frames * p->n * sizeof(struct fft_iq);
}

/* All frames, unpacked and windowed. */
static int fill(struct rival_spectrum *s)
{
    const struct fft_spectrum_plan *p = &s->job->plan;
    const double scale = 1.0 / fft_iq_full_scale(p->format);
    struct fft_iq *points = aligned_alloc(64, bytes_of(p));
    float *window = malloc(2 * p->n * sizeof *window);
    int err = points && window ? 0 : -ENOMEM;
    for (size_t i = 0; err == 0 && i < p->n; i++)
        window[2 * i] = window[2 * i + 1] = (float)((double)p->window[i] * scale);
    for (size_t i = 0; err == 0 && i < p->max_frames; i++)
        pipeline_load(p->format, (const char *)s->job->raw + i * p->hop * fft_iq_bytes(p->format),
                      window, points + i * p->n, p->n);
    if (err == 0)
        err = ocl_write(s->rival->ocl, s->points, points, bytes_of(p));
    free(window);
    free(points);
    return err;
}

int rival_spectrum_init(struct rival_spectrum *s, struct rival *r, const struct spectrum_job *job)
{
    const struct fft_spectrum_plan *p = &job->plan;
    *s = (struct rival_spectrum){.rival = r, .job = job};
    int err = ocl_take(r->ocl, &s->points, bytes_of(p));
    if (err == 0)
        s->plan = r->library->plan(r, s->points, p->n, p->max_frames);
    return err == 0 && !s->plan ? -ENOTSUP : err;
}

void rival_spectrum_finish(struct rival_spectrum *s)
{
    if (!s->rival)
        return;
    if (s->plan)
        s->rival->library->drop(s->rival, s->plan);
    ocl_free(s->rival->ocl, s->points);
    *s = (struct rival_spectrum){0};
}

/* Again and again in place: points grow by sqrt(n) a run, for which a contest is short enough. */
static int run(void *user)
{
    const struct rival_spectrum *s = user;
    if (!s->rival->library->run(s->rival, s->plan, s->points))
        return -EIO;
    return ocl_finish(s->rival->ocl);
}

/* The powers of the first frame's bins, centred as ours are. */
static int check(void *user, double *error)
{
    struct rival_spectrum *s = user;
    const uint32_t n = s->job->plan.n;
    struct fft_iq *points = malloc(n * sizeof *points);
    float *bins = malloc(n * sizeof *bins);
    int err = points && bins ? fill(s) : -ENOMEM;
    if (err == 0)
        err = run(s);
    if (err == 0)
        err = ocl_read(s->rival->ocl, points, s->points, n * sizeof *points);
    for (uint32_t k = 0; err == 0 && k < n; k++) {
        const struct fft_iq *x = &points[(k + n / 2) % n];
        bins[k] = x->re * x->re + x->im * x->im;
    }
    if (err == 0)
        *error = spectrum_job_error(s->job, bins);
    free(bins);
    free(points);
    return err;
}

struct contestant rival_spectrum_contestant(struct rival_spectrum *s)
{
    return (struct contestant){.name = s->rival->name, .user = s, .run = run, .check = check};
}
