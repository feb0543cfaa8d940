/* chain.c - measures a long transform of a kernel: the best work-group, its time and error. */
#include "studies/bainville/bainville.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static double error_of(const struct bainville_study *s, const void *got, bool is_double)
{
    const struct root *wide = got;
    const struct fft_iq *narrow = got;
    double off = 0, all = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct complex64 w = s->want[i];
        const double re = (is_double ? wide[i].re : (double)narrow[i].re) - w.re;
        const double im = (is_double ? wide[i].im : (double)narrow[i].im) - w.im;
        off += re * re + im * im;
        all += w.re * w.re + w.im * w.im;
    }
    return sqrt(off / all);
}

static int read_error(struct bainville_study *s, const struct bainville_chain *c, double *error)
{
    const bool is_double = c->b->switches.is_double;
    const size_t bytes = s->n * (is_double ? sizeof(struct root) : sizeof(struct fft_iq));
    void *got = malloc(bytes);
    const int err = got ? ocl_read(s->ocl, got, bainville_chain_result(c), bytes) : -ENOMEM;
    if (err == 0)
        *error = error_of(s, got, is_double);
    free(got);
    return err;
}

/* The first call with a work-group size may build the kernel for it, so the faster of the next two
 * counts. */
static int time_once(struct bainville_study *s, struct bainville_chain *c, double *seconds)
{
    struct ocl_work work = {.enqueue = bainville_chain_enqueue, .user = c, .seconds = NAN};
    int err = 0;
    *seconds = INFINITY;
    for (int i = 0; err == 0 && i < 3; i++) {
        err = ocl_seconds(s->ocl, &work, 1, true);
        if (i > 0)
            *seconds = fmin(*seconds, work.seconds);
    }
    return err;
}

/* Tries the work-groups that the device allows and leaves the chain with the best one. */
static int sweep(struct bainville_study *s, struct bainville_chain *c, double *seconds)
{
    const size_t usual = c->group;
    size_t most, best = usual;
    double least = INFINITY;
    int err = bainville_chain_most(c, &most);
    for (size_t i = 0; i < SWEEPS; i++) {
        seconds[i] = NAN;
        c->group = (size_t)SWEEP_LEAST << i;
        if (err < 0 || c->group > most || (s->study->options.quick && c->group != usual))
            continue;
        err = time_once(s, c, &seconds[i]);
        if (seconds[i] < least) {
            least = seconds[i];
            best = c->group;
        }
    }
    c->group = best;
    return err;
}

static uint64_t private_bytes(const struct bainville_chain *c)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint64_t bytes = c->b->kernels[c->passes[i].kernel].private_bytes;
        most = bytes > most ? bytes : most;
    }
    return most;
}

int study_bainville_measure(struct bainville_study *s, const struct bainville_switches *switches,
                            enum bainville_kernel kernel, struct _cl_mem *from,
                            struct bainville_result *out)
{
    static const uint32_t poison = 0x7fc00001; /* a NaN */
    struct bainville b = {s->ocl, *switches, {{0}}};
    struct bainville_chain c;
    const size_t bytes = s->n * (switches->is_double ? sizeof(struct root) : sizeof(struct fft_iq));
    *out =
        (struct bainville_result){.seconds = NAN, .error = NAN, .profiled_s = NAN, .first_s = NAN};
    int err = bainville_chain_init(&c, &b, kernel, s->n, from, s->roots);
    for (int i = 0; err == 0 && i < 2; i++)
        err = ocl_fill(s->ocl, c.buffers[i], bytes, &poison, sizeof poison);
    if (err == 0)
        err = sweep(s, &c, out->sweep);
    struct ocl_work work = {.enqueue = bainville_chain_enqueue, .user = &c, .seconds = NAN};
    if (err == 0)
        err = ocl_seconds(s->ocl, &work, 1, s->study->options.quick);
    if (err == 0)
        err = ocl_profiled_seconds(s->ocl, &work, s->study->options.quick, &out->profiled_s);
    if (err == 0)
        err = read_error(s, &c, &out->error);
    out->seconds = work.seconds;
    out->group = c.group;
    out->private_bytes = private_bytes(&c);
    out->done = true;
    if (err == 0) {
        c.count = 1;
        err = ocl_seconds(s->ocl, &work, 1, s->study->options.quick);
        out->first_s = work.seconds;
    }
    bainville_chain_finish(&c);
    bainville_finish(&b);
    return err;
}

int study_bainville_result(struct bainville_study *s, bool relaxed, enum bainville_kernel kernel,
                           enum bainville_method method, const struct bainville_result **out)
{
    struct bainville_result *r = &s->results[relaxed][kernel][method];
    const struct bainville_switches switches = {.method = method, .relaxed = relaxed};
    *out = r;
    return r->done ? 0 : study_bainville_measure(s, &switches, kernel, s->from, r);
}
