/* other_library.c - runs another OpenCL library's transforms as a contestant in spectra. */
#include "bench/libs/other_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/libs/other_library_internal.h"
#include "bench/libs/pipeline.h"

/* ---- the library ------------------------------------------------------------------------- */

bool other_library_find(const struct other_library *r, const char *name, void *to)
{
    void *symbol = dlsym(r->handle, name);
    memcpy(to, &symbol, sizeof symbol);
    return symbol;
}

static int load(struct other_library *r, char *why, size_t size)
{
    const char *other = getenv(r->ops->variable);
    r->handle = dlopen(other && *other ? other : r->ops->file, RTLD_NOW | RTLD_LOCAL);
    if (r->handle && r->ops->open(r))
        return 0;
    const char *reason = dlerror();
    snprintf(why, size, "%s", reason ? reason : "a function is missing, or it does not start");
    return -ENODEV;
}

int other_library_open(struct other_library **out, enum versus which, const char *engine,
                       const char *options, char *why, size_t size)
{
    struct other_library *r = *out = calloc(1, sizeof *r);
    if (!r)
        return -ENOMEM;
    r->ops = which == VERSUS_CLFFT ? &other_library_clfft : &other_library_vkfft;
    int err = ocl_open(&r->ocl, engine, options, why, size);
    if (err == 0)
        err = load(r, why, size);
    if (err < 0) {
        other_library_close(r);
        *out = NULL;
    }
    return err;
}

void other_library_close(struct other_library *r)
{
    if (!r)
        return;
    if (r->name[0] && r->ops->close)
        r->ops->close();
    ocl_close(r->ocl);
    free(r);
}

const char *other_library_name(const struct other_library *r)
{
    return r->name;
}

/* ---- spectra ----------------------------------------------------------------------------- */

static size_t bytes_of(const struct fft_spectrum_config *p)
{
    return (size_t)p->max_frames * p->n * sizeof(struct fft_iq);
}

/* Writes all frames to the device, unpacked and windowed. */
static int fill(struct other_library_spectrum *s)
{
    const struct fft_spectrum_config *p = &s->test_case->plan;
    const double scale = 1.0 / fft_iq_full_scale(p->format);
    struct fft_iq *points = aligned_alloc(64, bytes_of(p));
    float *window = malloc((size_t)2 * p->n * sizeof *window);
    int err = points && window ? 0 : -ENOMEM;
    for (size_t i = 0; err == 0 && i < p->n; i++)
        window[2 * i] = window[2 * i + 1] = (float)((double)p->window[i] * scale);
    for (size_t i = 0; err == 0 && i < p->max_frames; i++)
        pipeline_load(p->format,
                      (const char *)s->test_case->raw + i * p->hop * fft_iq_bytes(p->format),
                      window, points + i * p->n, p->n);
    if (err == 0)
        err = ocl_write(s->other_library->ocl, s->points, points, bytes_of(p));
    free(window);
    free(points);
    return err;
}

int other_library_spectrum_init(struct other_library_spectrum *s, struct other_library *r,
                                const struct spectrum_case *test_case)
{
    const struct fft_spectrum_config *p = &test_case->plan;
    *s = (struct other_library_spectrum){.other_library = r, .test_case = test_case};
    int err = ocl_alloc(r->ocl, &s->points, bytes_of(p));
    if (err == 0)
        s->plan = r->ops->plan(r, s->points, p->n, p->max_frames);
    return err == 0 && !s->plan ? -ENOTSUP : err;
}

void other_library_spectrum_finish(struct other_library_spectrum *s)
{
    if (!s->other_library)
        return;
    if (s->plan)
        s->other_library->ops->drop(s->other_library, s->plan);
    ocl_free(s->other_library->ocl, s->points);
    *s = (struct other_library_spectrum){0};
}

/* Runs repeat in place: points grow by sqrt(n) a run, which stays finite for a contest. */
static int run(void *user)
{
    const struct other_library_spectrum *s = user;
    if (!s->other_library->ops->run(s->other_library, s->plan, s->points))
        return -EIO;
    return ocl_finish(s->other_library->ocl);
}

/* Compares the powers of the first frame's bins, centred like the engine's. */
static int check(void *user, double *error)
{
    struct other_library_spectrum *s = user;
    const uint32_t n = s->test_case->plan.n;
    struct fft_iq *points = malloc(n * sizeof *points);
    float *bins = malloc(n * sizeof *bins);
    int err = points && bins ? fill(s) : -ENOMEM;
    if (err == 0)
        err = run(s);
    if (err == 0)
        err = ocl_read(s->other_library->ocl, points, s->points, n * sizeof *points);
    for (uint32_t k = 0; err == 0 && k < n; k++) {
        const struct fft_iq *x = &points[(k + n / 2) % n];
        bins[k] = x->re * x->re + x->im * x->im;
    }
    if (err == 0)
        *error = spectrum_case_error(s->test_case, bins);
    free(bins);
    free(points);
    return err;
}

struct contestant other_library_spectrum_contestant(struct other_library_spectrum *s)
{
    return (struct contestant){
        .name = s->other_library->name, .user = s, .run = run, .check = check};
}
