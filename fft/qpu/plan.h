/*
 * plan.h - what kernels/qpu/fft.qasm is to do: passes, tables and uniforms for a length. Pure: no
 * device, any thread.
 *
 * N = 2^log2_n points in two to four passes over memory, each a transform of blocks of 16, 32 or 64
 * points (4, 5 or 6 bits of the index), the structure of A. Holme's GPU_FFT with the three passes
 * of 2^17 and 2^18 that its author proposes. With `done` bits transformed by earlier passes and
 * `left` for later ones, pass p multiplies element e of a block by exp(-2 pi i k e / 2^(done +
 * bits)), and k goes up by one every 2^left blocks.
 *
 * Data are complex floats, unscaled, natural order. The inverse is the forward transform with real
 * and imaginary parts exchanged where they are first read and last written. Of spectra the
 * first pass multiplies by a window while it reads, and the last one squares what it has in
 * registers; it may sum that over the frames, whose blocks it takes one after the other under one
 * twiddle. Of a matrix's rows the last pass takes one block of eight at a time, and stores columns.
 */
#ifndef FFTD_FFT_QPU_PLAN_H
#define FFTD_FFT_QPU_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QPU_PLAN_QPUS = 8, QPU_PLAN_PASSES = 4, QPU_PLAN_MIN_LOG2 = 8, QPU_PLAN_MAX_LOG2 = 22 };
enum { QPU_PLAN_ROWS = 16 };

/* Passes are dealt their blocks eight at a time: a step. */
struct qpu_pass {
    uint32_t bits, done, left;
    uint32_t steps;
};

enum qpu_output {
    QPU_BINS,    /* complex, [n] a frame, at the frame's place */
    QPU_COLUMNS, /* complex, [n][frames], at the first frame's: of rows, the elements side by side
                  */
    QPU_POWERS,  /* |X|^2: float, [n] a frame, at the frame's place */
    QPU_SUM, /* |X|^2, summed over the frames in order: float, [n], at the first frame's place */
};

struct qpu_task {
    uint32_t log2_n, frames; /* columns: multiples of QPU_PLAN_ROWS */
    bool inverse;            /* bins and columns only */
    bool windowed;           /* layout.window */
    enum qpu_output output;
};

struct qpu_plan {
    uint32_t log2_n, frames;
    bool inverse, windowed;
    enum qpu_output output;
    uint32_t passes;
    struct qpu_pass pass[QPU_PLAN_PASSES];
    uint32_t table_bytes; /* read-only while it runs */
    uint32_t uniform_words[QPU_PLAN_QPUS];
    uint32_t frame_bytes; /* from frame to frame in both buffers: the points, and a gap, since reads
                             run ahead of what is needed */
};

/* Bus addresses, multiples of 4096, and of the frames' two buffers: frames * frame_bytes each. */
struct qpu_layout {
    uint32_t code, tables;
    uint32_t from, to; /* input; the other one */
    uint32_t window;   /* float, [n], if there is one */
};

/* Of a power of two. */
uint32_t qpu_plan_log2(uint32_t n);

/* -EINVAL: no such length, no such number of frames, or an inverse that is to have a window or
 * powers. */
int qpu_plan_init(struct qpu_plan *plan, const struct qpu_task *task);

/* The same with a structure of the caller's: bits of each pass, 0 last. -EINVAL: not of this
 * length. */
int qpu_plan_init_passes(struct qpu_plan *plan, const struct qpu_task *task, const uint8_t *bits);

/* An even number of passes leaves the result where the input was, an odd one in `to`. */
bool qpu_plan_in_place(const struct qpu_plan *plan);

/*
 * QPUs round toward zero, and what comes out of a window and a transform is too small: noise by
 * this factor, tones by less, an impulse hardly. It belongs into the window: powers of noise are
 * then off by 0.2 to 0.4 ppm instead of 1.2 to 3, rms.
 */
double qpu_plan_gain(const struct qpu_plan *plan);

/* [table_bytes] */
void qpu_plan_tables(const struct qpu_plan *plan, float *tables);

/* QPU q's: [uniform_words[q]]. All QPUs start at layout->code. */
void qpu_plan_uniforms(const struct qpu_plan *plan, const struct qpu_layout *layout, uint32_t q,
                       uint32_t *words);

#endif
