/* transform.c - plain FFTs: checks of a config; execution on host memory and on buffers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fft/buffer.h"
#include "fft/compose.h"
#include "fft/radix.h"

struct fft_transform {
    struct fft_engine *engine;
    struct fft_transform_config config;
    struct side in, out;
    struct chain chain;
    struct fft_buffer *staged_in, *staged_out; /* the user's arrays on the device, or NULL */
};

/* ---- checks ----------------------------------------------------------------------------- */

static int check_lengths(const struct fft_transform_config *p, struct fft_reason why)
{
    const uint32_t most = p->rank == 3 ? FFT_TRANSFORM_MAX_POINTS_3D : FFT_TRANSFORM_MAX_POINTS;
    uint64_t points = 1;
    for (uint32_t axis = 0; axis < p->rank; axis++) {
        const uint32_t n = p->n[axis];
        if (!fft_radix_is_smooth(n)) {
            fft_reason_set(why, "length %u is not a product of 2, 3, 5 and 7", n);
            return -EINVAL;
        }
        points *= n;
        if (points > most || n > FFT_TRANSFORM_MAX_POINTS) {
            fft_reason_set(why, "more than %u points in one transform", most);
            return -EINVAL;
        }
    }
    return 0;
}

static int check_config(const struct fft_transform_config *p, struct fft_reason why)
{
    if ((unsigned)p->type >= FFT_TRANSFORM_TYPES) {
        fft_reason_set(why, "no such type of transform");
        return -EINVAL;
    }
    if ((unsigned)p->scale >= FFT_TRANSFORM_SCALES) {
        fft_reason_set(why, "no such scale of a transform");
        return -EINVAL;
    }
    if (p->rank < 1 || p->rank > FFT_TRANSFORM_MAX_RANK) {
        fft_reason_set(why, "rank %u is not 1 .. 3", p->rank);
        return -EINVAL;
    }
    if (p->batch < 1) {
        fft_reason_set(why, "a batch needs at least one transform");
        return -EINVAL;
    }
    return check_lengths(p, why);
}

/* ---- the user's side -------------------------------------------------------------------- */

/* An engine with memory of its own allocates buffers for the user's arrays. */
static int take_staging(struct fft_transform *t)
{
    if (!t->engine->ops->buffer_create || t->config.on_buffers)
        return 0;
    const size_t most = t->in.bytes > t->out.bytes ? t->in.bytes : t->out.bytes;
    int err = fft_buffer_create(&t->staged_in, t->engine, t->config.in_place ? most : t->in.bytes);
    if (err == 0 && !t->config.in_place)
        err = fft_buffer_create(&t->staged_out, t->engine, t->out.bytes);
    return err;
}

static int make(struct fft_transform *t, struct fft_reason why)
{
    char text[160] = "";
    t->engine->last_error[0] = '\0'; /* buffers set it */
    int err = take_staging(t);
    if (err == 0)
        err = fft_chain_init(&t->chain, t->engine, &t->config, &t->in, &t->out,
                             (struct fft_reason){text, sizeof text});
    if (err < 0)
        fft_reason_set(why, "%s: transform: %s", t->engine->ops->name,
                       *text                    ? text
                       : *t->engine->last_error ? t->engine->last_error
                                                : strerror(-err));
    return err;
}

int fft_transform_create(struct fft_transform **out, struct fft_engine *e,
                         const struct fft_transform_config *config, char *why_text, size_t why_size)
{
    const struct fft_reason why = {why_text, why_size};

    *out = NULL;
    fft_reason_set(why, "%s", "");
    int err = check_config(config, why);
    if (err < 0)
        return err;
    if (!e->ops->pass_run) {
        fft_reason_set(why, "engine %s has no transforms", e->ops->name);
        return -ENOTSUP;
    }
    struct fft_transform *t = calloc(1, sizeof *t);
    if (!t)
        return -ENOMEM;
    t->engine = e;
    t->config = *config;
    err = fft_layout_sides(config, &t->in, &t->out, why);
    if (err == 0)
        err = make(t, why);
    if (err < 0)
        fft_transform_destroy(t);
    else
        *out = t;
    return err;
}

void fft_transform_destroy(struct fft_transform *t)
{
    if (!t)
        return;
    fft_chain_finish(&t->chain);
    fft_buffer_destroy(t->staged_in);
    fft_buffer_destroy(t->staged_out);
    free(t);
}

size_t fft_transform_bytes_in(const struct fft_transform *t)
{
    return t->in.bytes;
}

size_t fft_transform_bytes_out(const struct fft_transform *t)
{
    return t->out.bytes;
}

/* ---- on host memory --------------------------------------------------------------------- */

static bool usable(const struct fft_transform *t, const void *in, const void *out)
{
    const uintptr_t from = (uintptr_t)in, to = (uintptr_t)out;
    if (!in || !out || from % sizeof(float) || to % sizeof(float) || t->config.on_buffers)
        return false;
    if (t->config.in_place)
        return in == out;
    return from + t->in.bytes <= to || to + t->out.bytes <= from;
}

/* The engine works on host memory. */
static int run_here(struct fft_transform *t, const void *in, void *out)
{
    struct fft_buffer from = fft_buffer_of_host(t->engine, in, t->in.bytes);
    struct fft_buffer to = fft_buffer_of_host(t->engine, out, t->out.bytes);
    const int err = fft_chain_run(&t->chain, t->config.in_place ? &to : &from, &to);
    const int late = fft_engine_wait(t->engine);
    return err ? err : late;
}

static int send(struct fft_buffer *b, const struct side *side, const void *from)
{
    void *at;
    const int err = fft_buffer_map(b, FFT_BUFFER_WRITE, &at);
    if (err < 0)
        return err;
    fft_layout_copy(side, at, from);
    return fft_buffer_unmap(b);
}

static int fetch(struct fft_buffer *b, const struct side *side, void *to)
{
    void *at;
    const int err = fft_buffer_map(b, FFT_BUFFER_READ, &at);
    if (err < 0)
        return err;
    fft_layout_copy(side, to, at);
    return fft_buffer_unmap(b);
}

int fft_transform_execute(struct fft_transform *t, const void *in, void *out)
{
    if (!usable(t, in, out))
        return -EINVAL;
    if (!t->staged_in)
        return run_here(t, in, out);
    struct fft_buffer *result = t->config.in_place ? t->staged_in : t->staged_out;
    int err = send(t->staged_in, &t->in, in);
    if (err == 0)
        err = fft_chain_run(&t->chain, t->staged_in, result);
    return err ? err : fetch(result, &t->out, out);
}

/* ---- on buffers ------------------------------------------------------------------------- */

int fft_transform_execute_buffers(struct fft_transform *t, struct fft_buffer *in,
                                  struct fft_buffer *out)
{
    if (!in || !out || in->engine != t->engine || out->engine != t->engine)
        return -EINVAL;
    if (in->bytes < t->in.bytes || out->bytes < t->out.bytes || (in == out) != t->config.in_place)
        return -EINVAL;
    if (in->access || out->access)
        return -EBUSY;
    return fft_chain_run(&t->chain, in, out);
}
