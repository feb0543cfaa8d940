/*
 * shape.h - distribution of one transform of N points over threads: up to four Stockham passes of
 * radix R0 .. R3, E points in the registers of each of N / E threads, and an exchange through
 * shared memory between passes.
 *
 * Pass p joins sub-transforms of `joined(p)` points, R(p) at a time. Butterfly j = 0 .. N/R - 1
 * takes points j + r * N/R, r = 0 .. R-1, and produces points (j / joined) * joined * R + j %
 * joined + r * joined. Thread t computes butterflies t, t + T, t + 2 T ...; butterfly number i of a
 * thread is v[i * R ...].
 *
 * In shared memory, `gap` points are skipped after every R0 points, so that neither the stores nor
 * the loads of a warp conflict in a bank. A gap of two keeps pairs of points aligned, which are
 * stored as one word. Where several rows share half a warp, or where memory is tight (R0 = 64), the
 * gap is one.
 */
#ifndef FFTD_KERNELS_CUDA_SHAPE_H
#define FFTD_KERNELS_CUDA_SHAPE_H

#include "kernels/cuda/butterfly.h"

template <int N_, int E_, int R0, int R1, int R2 = 1, int R3 = 1> struct shape {
    static constexpr int N = N_, E = E_, T = N_ / E_;
    static constexpr int passes = R3 > 1 ? 4 : R2 > 1 ? 3 : 2;
    static constexpr int gap = T >= 16 && R0 <= 32 ? 2 : 1;
    static constexpr int spaced = N + N / R0 * gap; /* points of the exchange buffer */
    /* The same with gaps of one point, for exchanges with another layout. */
    static constexpr int pad = R0, padded = N + N / R0;
    static_assert(R0 * R1 * R2 * R3 == N, "the radices make the length");

    CONSTANT int radix(int pass)
    {
        return pass == 0 ? R0 : pass == 1 ? R1 : pass == 2 ? R2 : R3;
    }
    CONSTANT int joined(int pass)
    {
        int joined = 1;
        for (int p = 0; p < pass; p++)
            joined *= radix(p);
        return joined;
    }
    /* Offset of the twiddles of a pass in the table: [radix / 2] per butterfly. */
    CONSTANT int twiddles_at(int pass)
    {
        int at = 0;
        for (int p = 1; p < pass; p++)
            at += joined(p) * radix(p) / 2;
        return at;
    }
    static constexpr int last = passes - 1, last_radix = radix(last), last_joined = joined(last);
    /*
     * The tables of passes 1 .. 2 fit into shared memory; that of a third pass stays in global
     * memory.
     */
    static constexpr int near_passes = passes > 2 ? last : passes;
    static constexpr int near_twiddles = twiddles_at(near_passes);

    /* Point of element e of thread t before the first pass; its bin after the last. */
    CONSTANT int point_of(int e, int t)
    {
        return t + e / R0 * T + e % R0 * (N / R0);
    }
    CONSTANT int bin_of(int e, int t)
    {
        return t + e / last_radix * T + e % last_radix * last_joined;
    }
    /* The same bin, centred: zero frequency is N/2. */
    CONSTANT int centred_bin_of(int e, int t)
    {
        return t + e / last_radix * T + (e % last_radix ^ last_radix / 2) * last_joined;
    }
};

/*
 * Butterfly number i of thread t is j = t + i T. All are powers of two, so quotient and remainder
 * of j are those of t or constants. They are written out because the compiler cannot derive this.
 */
template <class Shape, int divisor> DEVICE int quotient(int t, int i)
{
    constexpr int T = Shape::T;
    return divisor >= T ? i * T / divisor : (int)((unsigned)t / divisor) + i * (T / divisor);
}
template <class Shape, int divisor> DEVICE int remainder(int t, int i)
{
    constexpr int T = Shape::T;
    return divisor >= T ? t + i * T % divisor : (int)((unsigned)t % divisor);
}

struct alignas(16) two_points {
    point a, b;
};

/* Stores the results of a pass in the exchange buffer. */
template <class Shape, int pass> DEVICE void store_exchange(const point *v, point *buffer, int t)
{
    constexpr int R = Shape::radix(pass), joined = Shape::joined(pass);
    constexpr int R0 = Shape::radix(0), gap = Shape::gap;
    unroll<0, Shape::E / R>([&](auto i) {
        if constexpr (joined == 1 && gap == 2) {
            point *at = buffer + (t + i * Shape::T) * (R + gap);
            unroll<0, R / 2>([&](auto r) {
                *(two_points *)(at + 2 * r) = {v[i * R + 2 * r], v[i * R + 2 * r + 1]};
            });
        } else if constexpr (joined == 1) {
            point *at = buffer + (t + i * Shape::T) * (R + gap);
            unroll<0, R>([&](auto r) { at[r] = v[i * R + r]; });
        } else {
            static_assert(joined % R0 == 0, "a butterfly's points are whole gaps apart");
            constexpr int apart = joined + joined / R0 * gap;
            const int within = remainder<Shape, joined>(t, i);
            point *at = buffer + quotient<Shape, joined>(t, i) * (apart * R) + within +
                        (int)((unsigned)within / R0) * gap;
            unroll<0, R>([&](auto r) { at[r * apart] = v[i * R + r]; });
        }
    });
}

/* Loads the points of a pass from the exchange buffer. */
template <class Shape, int pass> DEVICE void load_exchange(point *v, const point *buffer, int t)
{
    constexpr int R = Shape::radix(pass), R0 = Shape::radix(0);
    constexpr int whole = Shape::N / R, apart = whole + whole / R0 * Shape::gap;
    static_assert(whole % R0 == 0, "a butterfly's points are whole gaps apart");
    unroll<0, Shape::E / R>([&](auto i) {
        const point *at = buffer + t + i * Shape::T + quotient<Shape, R0>(t, i) * Shape::gap;
        unroll<0, R>([&](auto r) { v[i * R + r] = at[r * apart]; });
    });
}

/*
 * A table has the roots of a pass in pairs: numbers 2q and 2q + 1 of each k < joined are adjacent,
 * at [q][k]. Radix 2 has a single root.
 */
template <class Shape, int pass, int number> DEVICE point root_of(const point *table, int k)
{
    constexpr int joined = Shape::joined(pass);
    if constexpr (Shape::radix(pass) == 2)
        return table[k];
    const two_points pair = ((const two_points *)table)[number / 2 * joined + k];
    return number % 2 ? pair.b : pair.a;
}

/* The butterflies of a later pass, with roots from its table. */
template <class Shape, int pass> DEVICE void join_pass(point *v, const point *table, int t)
{
    constexpr int R = Shape::radix(pass);
    unroll<0, Shape::E / R>([&](auto i) {
        const int k = remainder<Shape, Shape::joined(pass)>(t, i);
        transform<R>(v + i * R,
                     [&](auto number) { return root_of<Shape, pass, number>(table, k); });
    });
}

/* The same roots, kept in registers from frame to frame: [E/2]. */
template <class Shape, int pass> DEVICE void keep_roots(point *roots, const point *table, int t)
{
    constexpr int half = Shape::radix(pass) / 2;
    unroll<0, Shape::E / 2>([&](auto e) {
        const int k = remainder<Shape, Shape::joined(pass)>(t, e / half);
        roots[e] = root_of<Shape, pass, e % half>(table, k);
    });
}
template <class Shape, int pass> DEVICE void join_kept(point *v, const point *roots)
{
    constexpr int R = Shape::radix(pass);
    unroll<0, Shape::E / R>([&](auto i) {
        transform<R>(v + i * R, [&](auto number) { return roots[i * (R / 2) + number]; });
    });
}

#endif
