/*
 * lanes_io.h - points in memory to and from vectors, and the entry of lanes.c.
 *
 * Included by files that are compiled for each instruction set.
 */
#ifndef FFTD_FFT_CPU_LANES_IO_H
#define FFTD_FFT_CPU_LANES_IO_H

#include "fft/cpu/lanes.h"
#include "fft/cpu/vec.h"

/* re0 im0 re1 im1 ...: the first and the second LANES floats of a vector of points. */
#if CPU_LANES == 4
#define POINTS_LOW(re, im)  SHUFFLE(re, im, 0, 4, 1, 5)
#define POINTS_HIGH(re, im) SHUFFLE(re, im, 2, 6, 3, 7)
#elif CPU_LANES == 8
#define POINTS_LOW(re, im)  SHUFFLE(re, im, 0, 8, 1, 9, 2, 10, 3, 11)
#define POINTS_HIGH(re, im) SHUFFLE(re, im, 4, 12, 5, 13, 6, 14, 7, 15)
#elif CPU_LANES == 16
#define POINTS_LOW(re, im) SHUFFLE(re, im, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define POINTS_HIGH(re, im)                                                                        \
    SHUFFLE(re, im, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#endif

/*
 * inverse(x) is forward(x) with re and im exchanged on the way in and out: so nothing else has to
 * know the direction.
 */
INLINE struct cvec exchanged(struct cvec v, bool yes)
{
    return yes ? (struct cvec){v.im, v.re} : v;
}

/* LANES points that lie beside one another. */
INLINE struct cvec load_points(const struct iq *from, bool exchange)
{
    return exchanged(vec_unpack(IQ_CF32, from, 0), exchange);
}

INLINE void store_points(struct iq *to, struct cvec v, bool exchange)
{
    const struct cvec out = exchanged(v, exchange);
    ((raw_floats *)to)[0] = POINTS_LOW(out.re, out.im);
    ((raw_floats *)to)[1] = POINTS_HIGH(out.re, out.im);
}

/* Ways into the first pass and out of the last one. */
enum way { VECTORS, POINTS, POINTS_EXCHANGED, WAYS };

INLINE enum way points_way(bool inverse)
{
    return inverse ? POINTS_EXCHANGED : POINTS;
}

struct lanes_io {
    enum way in, out;
    const struct iq *from; /* point j of all lanes: LANES points at from + j * from_stride */
    size_t from_stride;
    struct iq *to; /* and where they go */
    size_t to_stride;
    struct cvec *x;      /* [n]: the points if `in` is VECTORS; worked on in any case */
    struct cvec *result; /* [n]: the result, in natural order, if `out` is VECTORS */
};

void CPU_SYMBOL(lanes_run)(const struct lanes_plan *p, const struct lanes_io *io);

void CPU_SYMBOL(lanes_rows)(const struct lanes_plan *p, const struct rows_job *job);

/* Up to LANES rows of n points into x, one in each lane, the lanes beyond `count` 0; and back. */
void CPU_SYMBOL(lanes_gather)(const struct rows_job *job, uint32_t n, struct cvec *x);
void CPU_SYMBOL(lanes_scatter)(const struct rows_job *job, uint32_t n, const struct cvec *x);

/* halves.c: see struct lanes_ops. */
void CPU_SYMBOL(halves_part)(const struct halves *h, const struct iq *z, struct iq *x, size_t first,
                             size_t end);
void CPU_SYMBOL(halves_join)(const struct halves *h, const struct iq *x, struct iq *z, size_t first,
                             size_t end);

#endif
