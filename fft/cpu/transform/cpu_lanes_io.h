/*
 * cpu_lanes_io.h - points in memory to and from vectors, and the entry of cpu_lanes.c.
 *
 * Included by files that are compiled for each instruction set.
 */
#ifndef FFTD_FFT_CPU_TRANSFORM_CPU_LANES_IO_H
#define FFTD_FFT_CPU_TRANSFORM_CPU_LANES_IO_H

#include "fft/cpu/base/cpu_vec.h"
#include "fft/cpu/transform/cpu_lanes.h"

INLINE size_t lane_of(size_t point)
{
    return cpu_lane_of_point(point, LANES);
}

/*
 * inverse(x) is forward(x) with re and im exchanged on the layout in and out: so nothing else has
 * to the direction.
 */
INLINE struct cvec exchanged(struct cvec v, bool yes)
{
    return yes ? (struct cvec){v.im, v.re} : v;
}

/* LANES adjacent points, point i in lane_of(i). */
INLINE struct cvec load_points(const struct fft_iq *from, bool exchange)
{
    return exchanged(vec_load_points(from), exchange);
}

INLINE void store_points(struct fft_iq *to, struct cvec v, bool exchange)
{
    vec_store_points(to, exchanged(v, exchange));
}

/* Brings points of all lanes near: those that are loaded later, and the place of those that are
 * stored soon. */
INLINE void prefetch_points(const struct fft_iq *at)
{
    __builtin_prefetch(at, 0, 2);
    if (LANES > 8) /* two lines */
        __builtin_prefetch(at + 8, 0, 2);
}

INLINE void prefetch_results(const void *at)
{
    __builtin_prefetch(at, 1);
    if (LANES > 8)
        __builtin_prefetch((const char *)at + 64, 1);
}

/* How the first pass reads its points and the last one writes them. */
enum lane_layout { VECTORS, POINTS, POINTS_EXCHANGED, LANE_LAYOUTS };

INLINE enum lane_layout points_layout(bool inverse)
{
    return inverse ? POINTS_EXCHANGED : POINTS;
}

struct lanes_io {
    enum lane_layout in, out;
    bool far; /* points in memory are beyond L2: lanes_run prefetches those of the next columns, and
                 the places of results */
    const struct fft_iq *from; /* point j of all lanes: LANES points at from + j * from_stride */
    size_t from_stride;
    struct fft_iq *to; /* likewise, the output */
    size_t to_stride;
    struct cvec *x;      /* [n]: the input if `in` is VECTORS; always overwritten */
    struct cvec *result; /* [n]: the result, in natural order, if `out` is VECTORS */
};

/* Multiplies n vectors by a factor: an extra step, which an unscaled transform does not pay for. */
INLINE void scale_vectors(struct cvec *x, size_t n, float factor)
{
    for (size_t i = 0; factor != 1 && i < n; i++)
        x[i] = (struct cvec){x[i].re * factor, x[i].im * factor};
}

void CPU_SYMBOL(lanes_run)(const struct lanes_plan *p, const struct lanes_io *io);

void CPU_SYMBOL(lanes_rows)(const struct lanes_plan *p, const struct row_set *set);

/* Up to LANES rows of n points into x, row i in lane_of(i), lanes without a row 0; and back. */
void CPU_SYMBOL(lanes_gather)(const struct row_set *set, uint32_t n, struct cvec *x);
void CPU_SYMBOL(lanes_scatter)(const struct row_set *set, uint32_t n, const struct cvec *x);

/* cpu_squares.c: all columns of a split of LANES rows with `squares`, into `middle`. */
void CPU_SYMBOL(square_columns)(const struct split_plan *s, const struct split_scratch *t,
                                const struct fft_iq *from, bool inverse);
/* Short lengths: all of the set's rows. false: the length has no code of its own. */
bool CPU_SYMBOL(square_whole)(const struct split_plan *s, const struct split_scratch *t,
                              const struct row_set *set);

/* cpu_halves.c: see struct lanes_ops. */
void CPU_SYMBOL(halves_separate)(const struct halves *h, const struct fft_iq *z, struct fft_iq *x,
                                 size_t first, size_t end);
void CPU_SYMBOL(halves_join)(const struct halves *h, const struct fft_iq *x, struct fft_iq *z,
                             size_t first, size_t end);

#endif
