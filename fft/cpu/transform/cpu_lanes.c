/*
 * cpu_lanes.c - LANES transforms at once, decimation in frequency, compiled for each instruction
 * set.
 *
 * A pass of radix r over a block of m = r * apart vectors, for q = 0 .. apart-1:
 *
 *     y_k[q] = w_m^(q k) * sum over j of x[j apart + q] w_r^(j k)      to x[k apart + q]
 *
 * leaves r blocks of `apart` vectors, each a transform of its own: output i of block k is output
 * k + r i of the whole. The recursion is depth first, so small blocks are finished while they are
 * in L1. The last pass stores each output at its final index: there is no separate reordering.
 */
#include <assert.h>

#define BUTTERFLY_SUB vec_sub_fused
#include "fft/cpu/base/cpu_butterfly.h"
#include "fft/cpu/transform/cpu_lanes_io.h"

/* cos and sin of 2 pi j / radix, for the odd radices. */
static const float cosine[8][7] = {
    [3] = {1.0F, -0.5F, -0.5F},
    [5] = {1.0F, 0.309016994374947424F, -0.809016994374947424F, -0.809016994374947424F,
           0.309016994374947424F},
    [7] = {1.0F, 0.623489801858733531F, -0.222520933956314404F, -0.900968867902419126F,
           -0.900968867902419126F, -0.222520933956314404F, 0.623489801858733531F},
};
static const float sine[8][7] = {
    [3] = {0.0F, 0.866025403784438647F, -0.866025403784438647F},
    [5] = {0.0F, 0.951056516295153572F, 0.587785252292473129F, -0.587785252292473129F,
           -0.951056516295153572F},
    [7] = {0.0F, 0.781831482468029809F, 0.974927912181823607F, 0.433883739117558120F,
           -0.433883739117558120F, -0.974927912181823607F, -0.781831482468029809F},
};

/* x_j and x_(p-j) come in pairs: their sum goes with the cosines, their difference with the sines.
 */
INLINE void odd_butterfly(unsigned p, struct cvec *x)
{
    struct cvec sum[4], difference[4];
    const struct cvec first = x[0];
    UNROLL
    for (unsigned j = 1; j <= p / 2; j++) {
        sum[j] = vec_add(x[j], x[p - j]);
        difference[j] = vec_sub(x[j], x[p - j]);
        x[0] = vec_add(x[0], sum[j]);
    }
    UNROLL
    for (unsigned k = 1; k <= p / 2; k++) {
        struct cvec even = first, odd = {{0}, {0}};
        UNROLL
        for (unsigned j = 1; j <= p / 2; j++) {
            const float c = cosine[p][j * k % p], s = sine[p][j * k % p];
            even = (struct cvec){even.re + sum[j].re * c, even.im + sum[j].im * c};
            odd = (struct cvec){odd.re + difference[j].re * s, odd.im + difference[j].im * s};
        }
        x[k] = (struct cvec){even.re + odd.im, even.im - odd.re};
        x[p - k] = (struct cvec){even.re - odd.im, even.im + odd.re};
    }
}

/* ---- a pass with twiddles --------------------------------------------------------------- */

INLINE struct cvec fetch_point(enum lane_layout in, const struct lanes_io *io, const struct cvec *x,
                               size_t j)
{
    return in == VECTORS ? x[j]
                         : load_points(io->from + j * io->from_stride, in == POINTS_EXCHANGED);
}

/* A block of radix * apart vectors, and its twiddles. */
struct block {
    struct cvec *x;
    size_t apart;
    const float *w;
};

/* The even radices in groups (see cpu_butterfly.h): the odd ones are one group. */
INLINE size_t groups_in(unsigned radix)
{
    return radix % 2 ? 1 : first_groups(radix);
}

INLINE size_t groups_out(unsigned radix)
{
    return radix % 2 ? 1 : last_groups(radix);
}

INLINE void dft_first(unsigned radix, struct cvec *x, size_t g)
{
    if (radix % 2)
        odd_butterfly(radix, x);
    else
        butterfly_first(radix, x, g);
}

INLINE void dft_last(unsigned radix, struct cvec *x, size_t g)
{
    if (radix % 2 == 0)
        butterfly_last(radix, x, g);
}

/* usual_apart: b.apart as a constant, which makes addresses cheaper; 0: any. */
INLINE void twiddle_pass(unsigned radix, size_t usual_apart, enum lane_layout in,
                         const struct lanes_io *io, struct block b)
{
    const size_t apart = usual_apart ? usual_apart : b.apart;
    struct cvec *x = b.x;
    const float *w = b.w;
    for (size_t q = 0; q < apart; q++, x++, w += (size_t)2 * (radix - 1)) {
        struct cvec v[16];
        UNROLL
        for (size_t g = 0; g < groups_in(radix); g++) {
            UNROLL
            for (size_t j = g; j < radix; j += groups_in(radix)) {
                if (in != VECTORS && io->far)
                    prefetch_points(io->from + (j * apart + q) * io->from_stride + LANES);
                v[j] = in == VECTORS ? x[j * apart] : fetch_point(in, io, NULL, j * apart + q);
            }
            dft_first(radix, v, g);
        }
        UNROLL
        for (size_t g = 0; g < groups_out(radix); g++) {
            dft_last(radix, v, g);
            UNROLL
            for (size_t k = g; k < radix; k += groups_out(radix)) {
                const struct cvec y = v[butterfly_index(radix, k)];
                x[k * apart] = k == 0 ? y : vec_scale(y, w[2 * k - 2], w[2 * k - 1]);
            }
        }
    }
}

/* ---- the last pass ---------------------------------------------------------------------- */

/* Blocks side by side; output k of block b is output at + stride * (b + blocks * k). */
struct blocks {
    struct cvec *x;
    size_t count, at, stride;
};

enum { AHEAD = 2 }; /* blocks, whose results are on their way to L1 */

/* in: VECTORS, or that of io if there was no pass before. */
INLINE void last_pass(unsigned radix, enum lane_layout in, enum lane_layout out,
                      const struct lanes_io *io, struct blocks b)
{
    const size_t leg = b.stride * b.count;
    for (size_t i = 0; i < b.count; i++, b.x += radix, b.at += b.stride) {
        struct cvec v[16];
        UNROLL
        for (size_t g = 0; g < groups_in(radix); g++) {
            UNROLL
            for (size_t j = g; j < radix; j += groups_in(radix))
                v[j] = fetch_point(in, io, b.x, j);
            dft_first(radix, v, g);
        }
        UNROLL
        for (size_t g = 0; g < groups_out(radix); g++) {
            dft_last(radix, v, g);
            UNROLL
            for (size_t k = g; k < radix; k += groups_out(radix)) {
                const struct cvec y = v[butterfly_index(radix, k)];
                const size_t at = b.at + k * leg;
                if (out == VECTORS)
                    io->result[at] = y;
                else
                    store_points(io->to + at * io->to_stride, y, out == POINTS_EXCHANGED);
                if (out != VECTORS && io->far)
                    prefetch_results(io->to + (at + AHEAD * b.stride) * io->to_stride);
            }
        }
    }
}

/* ---- one function for each radix and layout: the constants decide what stays in registers -----
 */

typedef void run_twiddle_pass(const struct lanes_io *io, struct block b);
typedef void run_last_pass(const struct lanes_io *io, struct blocks b);

#define DEFINE_PASSES(radix, layout)                                                               \
    static void twiddle_##radix##_##layout(const struct lanes_io *io, struct block b)              \
    {                                                                                              \
        twiddle_pass(radix, 0, layout, io, b);                                                     \
    }                                                                                              \
    static void last_##radix##_##layout(const struct lanes_io *io, struct blocks b)                \
    {                                                                                              \
        last_pass(radix, VECTORS, layout, io, b);                                                  \
    }                                                                                              \
    static void only_##radix##_##layout(const struct lanes_io *io, struct blocks b)                \
    {                                                                                              \
        last_pass(radix, io->in, layout, io, b);                                                   \
    }
#define FOR_RADICES(x, layout)                                                                     \
    x(2, layout) x(3, layout) x(4, layout) x(5, layout) x(7, layout) x(8, layout) x(16, layout)
#define TWIDDLE_PASS(radix, layout) [radix] = twiddle_##radix##_##layout,
#define LAST_PASS(radix, layout)    [radix] = last_##radix##_##layout,
#define ONLY_PASS(radix, layout)    [radix] = only_##radix##_##layout,

FOR_RADICES(DEFINE_PASSES, VECTORS)
FOR_RADICES(DEFINE_PASSES, POINTS)
FOR_RADICES(DEFINE_PASSES, POINTS_EXCHANGED)

static run_twiddle_pass *const twiddle_passes[LANE_LAYOUTS][17] = {
    [VECTORS] = {FOR_RADICES(TWIDDLE_PASS, VECTORS)},
    [POINTS] = {FOR_RADICES(TWIDDLE_PASS, POINTS)},
    [POINTS_EXCHANGED] = {FOR_RADICES(TWIDDLE_PASS, POINTS_EXCHANGED)},
};
static run_last_pass *const last_passes[LANE_LAYOUTS][17] = {
    [VECTORS] = {FOR_RADICES(LAST_PASS, VECTORS)},
    [POINTS] = {FOR_RADICES(LAST_PASS, POINTS)},
    [POINTS_EXCHANGED] = {FOR_RADICES(LAST_PASS, POINTS_EXCHANGED)},
};
static run_last_pass *const only_passes[LANE_LAYOUTS][17] = {
    [VECTORS] = {FOR_RADICES(ONLY_PASS, VECTORS)},
    [POINTS] = {FOR_RADICES(ONLY_PASS, POINTS)},
    [POINTS_EXCHANGED] = {FOR_RADICES(ONLY_PASS, POINTS_EXCHANGED)},
};

/* Blocks of 64, 128 and 256 vectors, which long transforms end in. */
#define DEFINE_USUAL(radix, apart)                                                                 \
    static void twiddle_usual_##radix##_##apart(const struct lanes_io *io, struct block b)         \
    {                                                                                              \
        twiddle_pass(radix, apart, VECTORS, io, b);                                                \
    }
DEFINE_USUAL(8, 8)
DEFINE_USUAL(8, 16)
DEFINE_USUAL(16, 16)

static run_twiddle_pass *find_twiddle_pass(enum lane_layout in, uint32_t radix, uint32_t apart)
{
    if (in == VECTORS && radix == 8 && apart == 8)
        return twiddle_usual_8_8;
    if (in == VECTORS && radix == 8 && apart == 16)
        return twiddle_usual_8_16;
    if (in == VECTORS && radix == 16 && apart == 16)
        return twiddle_usual_16_16;
    return twiddle_passes[in][radix];
}

/* A block of m points after `pass` passes: its own pass, then the blocks that this leaves. */
static void run_block(const struct lanes_plan *p, const struct lanes_io *io, uint32_t pass,
                      uint32_t m, struct blocks b)
{
    const uint32_t radix = p->radices.at[pass], apart = m / radix;
    const struct block own = {b.x, apart, p->twiddles[pass]};
    run_twiddle_pass *const run = find_twiddle_pass(pass == 0 ? io->in : VECTORS, radix, apart);

    assert(run);
    run(io, own);
    if (pass + 2 == p->radices.count) {
        b.count = radix;
        last_passes[io->out][p->radices.at[pass + 1]](io, b);
        return;
    }
    for (uint32_t k = 0; k < radix; k++) {
        const struct blocks inner = {b.x + (size_t)k * apart, 1, b.at + k * b.stride,
                                     b.stride * radix};
        run_block(p, io, pass + 1, apart, inner);
    }
}

void CPU_SYMBOL(lanes_run)(const struct lanes_plan *p, const struct lanes_io *io)
{
    const struct blocks all = {io->x, 1, 0, 1};
    if (p->radices.count == 1)
        only_passes[io->out][p->n](io, all);
    else
        run_block(p, io, 0, p->n, all);
}
