/*
 * spectrum_cluster_form.h - sizes and shared memory of the kernels in spectrum_cluster.h.
 */
#ifndef FFTD_KERNELS_CUDA_SPECTRUM_CLUSTER_FORM_H
#define FFTD_KERNELS_CUDA_SPECTRUM_CLUSTER_FORM_H

#include "kernels/cuda/spectrum_parts.h"

template <int parts_, int blocks_, class Part_, class Format_> struct cluster_frame_form {
    typedef Part_ Part;
    typedef Format_ Format;
    typedef typename Format::raw raw;
    static constexpr int parts = parts_, blocks = blocks_, own = parts / blocks;
    static constexpr int N = parts * Part::N, E = Part::E, T = own * Part::T;
    static constexpr int width = Part::N / blocks;            /* columns of a block */
    static constexpr int sharing = parts > E ? parts / E : 1; /* threads of a column */
    static constexpr int columns = E > parts ? E / parts : 1; /* of a thread: adjacent ones */
    static constexpr int points = E / columns;                /* of a thread, in each */
    /* Few threads: two sets of exchange buffers, the roots of pass 1 in registers. */
    static constexpr bool double_buffered = T <= 256;
    static constexpr bool window_near = double_buffered && sizeof(raw) <= 4;
    static constexpr int roots = E / 2 + Part::N / 2; /* of a part: both passes */
    static_assert(Part::T == 32 && E == Part::radix(0), "a part is a warp's");
    static_assert(sharing <= 2 && T * columns == width * sharing, "whole columns, or half of one");

    /*
     * Threads that share a column are half a warp apart. The samples of the second are half the
     * banks further on.
     */
    static constexpr int apart = 32 / sharing, shift = sharing > 1 ? 16 : 0;
    static constexpr int pitch = sharing * (width + shift); /* from point to point of a thread */

    static constexpr int set = own * Part::spaced; /* points of a set of exchange buffers */
    static constexpr int raw_at = (double_buffered ? 2 : 1) * set * (int)sizeof(point);
    static constexpr int roots_at = raw_at + points * pitch * (int)sizeof(raw);
    static constexpr int window_at = roots_at + own * (E / 2) * (int)sizeof(point);
    static constexpr int barriers_at =
        window_at + (window_near ? N / blocks * (int)sizeof(float) : 0);
};

#endif
