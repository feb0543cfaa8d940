/*
 * shape.h - how one transform of N points is spread over threads: up to four Stockham passes of radix
 * R0 .. R3, E points in the registers of each of N / E threads, and an exchange through shared memory
 * between two passes.
 *
 * Pass p joins sub-transforms of `joined(p)` points, R(p) at a time. Butterfly j = 0 .. N/R - 1 takes
 * points j + r * N/R, r = 0 .. R-1, and gives points (j / joined) * joined * R + j % joined + r * joined.
 * Thread t has butterflies t, t + T, t + 2 T ...; butterfly number i of a thread is v[i * R ...].
 *
 * In shared memory one point is left out behind every R0 of them: then neither the stores nor the
 * loads of a warp meet in a bank.
 */
#ifndef FFTD_KERNELS_CUDA_SHAPE_H
#define FFTD_KERNELS_CUDA_SHAPE_H

#include "kernels/cuda/butterfly.h"

template <int N_, int E_, int R0, int R1, int R2 = 1, int R3 = 1> struct shape {
    static constexpr int N = N_, E = E_, T = N_ / E_;
    static constexpr int passes = R3 > 1 ? 4 : R2 > 1 ? 3 : 2;
    static constexpr int pad = R0;
    static constexpr int padded = N + N / pad; /* points of the exchange buffer */
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
    /* Where the twiddles of a pass begin in the table: [radix / 2][joined] points a pass. */
    CONSTANT int twiddles_at(int pass)
    {
        int at = 0;
        for (int p = 1; p < pass; p++)
            at += joined(p) * radix(p) / 2;
        return at;
    }
    static constexpr int last = passes - 1, last_radix = radix(last), last_joined = joined(last);
    /* The tables of passes 1 .. 2 are small enough for shared memory; a third one's stays outside. */
    static constexpr int near_passes = passes > 2 ? last : passes;
    static constexpr int near_twiddles = twiddles_at(near_passes);

    /* The point that element e of thread t is before the first pass, and the bin after the last. */
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

/* What pass p gives goes into the exchange buffer ... */
template <class Shape, int pass> DEVICE void put(const point *v, point *buffer, int t)
{
    constexpr int R = Shape::radix(pass), joined = Shape::joined(pass), pad = Shape::pad;
    unroll<0, Shape::E / R>([&](auto i) {
        const int j = t + i * Shape::T;
        if constexpr (joined == 1) {
            point *at = buffer + j * (R + R / pad);
            unroll<0, R>([&](auto r) { at[r] = v[i * R + r]; });
        } else {
            static_assert(joined % pad == 0, "a butterfly's points are whole pads apart");
            const int first = j / joined * (joined * R) + j % joined;
            point *at = buffer + first + first / pad;
            unroll<0, R>([&](auto r) { at[r * (joined + joined / pad)] = v[i * R + r]; });
        }
    });
}

/* ... and comes out of it for pass p. */
template <class Shape, int pass> DEVICE void take(point *v, const point *buffer, int t)
{
    constexpr int R = Shape::radix(pass), apart = Shape::N / R, pad = Shape::pad;
    static_assert(apart % pad == 0, "a butterfly's points are whole pads apart");
    unroll<0, Shape::E / R>([&](auto i) {
        const int j = t + i * Shape::T;
        const point *at = buffer + j + j / pad;
        unroll<0, R>([&](auto r) { v[i * R + r] = at[r * (apart + apart / pad)]; });
    });
}

/* The butterflies of a later pass; twiddles: the pass's [radix / 2][joined]. */
template <class Shape, int pass> DEVICE void join_pass(point *v, const point *twiddles, int t)
{
    constexpr int R = Shape::radix(pass), joined = Shape::joined(pass);
    unroll<0, Shape::E / R>([&](auto i) {
        const point *column = twiddles + (t + i * Shape::T) % joined;
        transform<R>(v + i * R, [&](auto number) { return column[number * joined]; });
    });
}

#endif
