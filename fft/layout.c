/* layout.c - strides: completes packed layouts and refuses invalid ones. */
#include "fft/layout.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

/* So that no sum of offsets overflows: with 2^27 points and 2^32 transforms still below 2^63. */
static const size_t largest_stride = (size_t)1 << 30;

static bool is_packed(const struct fft_transform_layout *l)
{
    static const struct fft_transform_layout none;
    return memcmp(l, &none, sizeof none) == 0;
}

/* `row`: elements of one row along the last axis, with its padding. */
static void pack(struct side *s, size_t row)
{
    const uint32_t last = s->rank - 1;
    size_t stride = 1;
    for (uint32_t axis = s->rank; axis-- > 0;) {
        s->layout.stride[axis] = stride;
        stride *= axis == last ? row : s->n[axis];
    }
    s->layout.batch = stride;
}

static void make_side(struct side *s, const struct fft_transform_config *config, bool output)
{
    const uint32_t last = config->rank - 1, n = config->n[last];
    const bool half = config->type == FFT_TRANSFORM_R2C || config->type == FFT_TRANSFORM_C2R;
    const bool real = config->type == (output ? FFT_TRANSFORM_C2R : FFT_TRANSFORM_R2C);

    *s = (struct side){.real = real, .rank = config->rank, .batch = config->batch};
    memcpy(s->n, config->n, sizeof s->n);
    if (half && !real)
        s->n[last] = n / 2 + 1;
    s->layout = output ? config->out : config->in;
    if (is_packed(&s->layout))
        pack(s, real && config->in_place ? 2 * (n / 2 + (size_t)1) : s->n[last]);
}

static int refuse(struct fft_reason why, const char *what, bool output)
{
    fft_reason_set(why, "the %s's %s", output ? "output" : "input", what);
    return -EINVAL;
}

/* The loops over a side's elements, the batch last, without those of one iteration. */
struct loop {
    size_t count, stride;
};

static uint32_t loops_of(const struct side *s, struct loop loops[FFT_TRANSFORM_MAX_RANK + 1])
{
    uint32_t count = 0;
    for (uint32_t axis = 0; axis < s->rank; axis++)
        if (s->n[axis] > 1)
            loops[count++] = (struct loop){s->n[axis], s->layout.stride[axis]};
    if (s->batch > 1)
        loops[count++] = (struct loop){s->batch, s->layout.batch};
    return count;
}

/* Elements do not overlap if each stride, in rising order, exceeds the reach of the smaller ones.
 */
static bool lies_apart(const struct side *s)
{
    struct loop loops[FFT_TRANSFORM_MAX_RANK + 1];
    const uint32_t count = loops_of(s, loops);
    size_t reach = 1;
    for (uint32_t done = 0; done < count; done++) {
        struct loop *next = &loops[done];
        for (uint32_t i = done + 1; i < count; i++)
            if (loops[i].stride < next->stride)
                next = &loops[i];
        if (next->stride < reach)
            return false;
        reach += (next->count - 1) * next->stride;
        *next = loops[done];
    }
    return true;
}

static int check_side(struct side *s, bool output, bool written, struct fft_reason why)
{
    struct loop loops[FFT_TRANSFORM_MAX_RANK + 1];
    const uint32_t count = loops_of(s, loops);
    const uint64_t width = s->real ? sizeof(float) : sizeof(struct fft_iq);
    uint64_t reach = 1;

    for (uint32_t i = 0; i < count; i++) {
        if (loops[i].stride > largest_stride)
            return refuse(why, "strides are above 2^30", output);
        reach += (loops[i].count - 1) * (uint64_t)loops[i].stride;
    }
    if (reach > PTRDIFF_MAX / width)
        return refuse(why, "elements do not fit into the address space", output);
    if (written && !lies_apart(s))
        return refuse(why, "elements overlap one another", output);
    s->bytes = (size_t)(reach * width);
    return 0;
}

static bool agrees(const struct side *real, const struct side *complex)
{
    const uint32_t last = real->rank - 1;
    const struct fft_transform_layout *r = &real->layout, *c = &complex->layout;

    for (uint32_t axis = 0; axis < last; axis++)
        if (real->n[axis] > 1 && r->stride[axis] != 2 * c->stride[axis])
            return false;
    if (real->batch > 1 && r->batch != 2 * c->batch)
        return false;
    return r->stride[last] == 1 && c->stride[last] == 1;
}

int fft_layout_sides(const struct fft_transform_config *config, struct side *in, struct side *out,
                     struct fft_reason why)
{
    make_side(in, config, false);
    make_side(out, config, true);
    int err = check_side(in, false, config->in_place, why);
    if (err == 0)
        err = check_side(out, true, true, why);
    if (err < 0 || !config->in_place)
        return err;

    const bool fits = in->real    ? agrees(in, out)
                      : out->real ? agrees(out, in)
                                  : memcmp(&in->layout, &out->layout, sizeof in->layout) == 0;
    if (!fits) {
        fft_reason_set(why, "in place, the layouts of input and output must agree");
        return -EINVAL;
    }
    return 0;
}

struct side fft_layout_between(const struct side *shape, uint32_t done, uint32_t next)
{
    struct side s = *shape;
    size_t stride = 1;

    s.layout.stride[next] = stride;
    stride *= s.n[next];
    for (uint32_t axis = s.rank; axis-- > 0;)
        if (axis != next && axis != done) {
            s.layout.stride[axis] = stride;
            stride *= s.n[axis];
        }
    if (done != next) {
        s.layout.stride[done] = stride;
        stride *= s.n[done];
    }
    s.layout.batch = stride;
    s.bytes = stride * s.batch * sizeof(struct fft_iq);
    return s;
}

/* Copies `count` elements of `width` bytes, in one memcpy if they are adjacent. */
static void copy_row(char *to, const char *from, struct loop loop, size_t width)
{
    if (loop.stride == 1) {
        memcpy(to, from, loop.count * width);
        return;
    }
    for (size_t i = 0; i < loop.count; i++)
        memcpy(to + i * loop.stride * width, from + i * loop.stride * width, width);
}

void fft_layout_copy(const struct side *s, void *to, const void *from)
{
    const size_t width = s->real ? sizeof(float) : sizeof(struct fft_iq);
    struct loop loops[FFT_TRANSFORM_MAX_RANK + 1] = {{1, 1}, {1, 0}, {1, 0}, {1, 0}};
    const uint32_t count = loops_of(s, loops);

    /* The shortest step innermost, so that a packed row is one memcpy. */
    for (uint32_t i = 1; i < count; i++)
        if (loops[i].stride < loops[0].stride) {
            const struct loop shorter = loops[i];
            loops[i] = loops[0];
            loops[0] = shorter;
        }
    for (size_t a = 0; a < loops[1].count; a++)
        for (size_t b = 0; b < loops[2].count; b++)
            for (size_t c = 0; c < loops[3].count; c++) {
                const size_t at =
                    (a * loops[1].stride + b * loops[2].stride + c * loops[3].stride) * width;
                copy_row((char *)to + at, (const char *)from + at, loops[0], width);
            }
}
