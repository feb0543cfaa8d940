/*
 * qpu_plan.h - plans the work of kernels/qpu/fft.qasm for a length: passes, tables and uniforms.
 * Pure: no device, any thread.
 *
 * N = 2^log2_n points take two to four passes over memory. Each pass transforms blocks of 16, 32 or
 * 64 points (4, 5 or 6 bits of the index). This is the structure of A. Holme's GPU_FFT, with the
 * three passes for 2^17 and 2^18 that its author proposes. With `done` bits transformed by earlier
 * passes and `left` bits left to later ones, pass p multiplies element e of a block by
 *
 *     exp(-2 pi i k e / 2^(done + bits)),
 *
 * where k increases by one every 2^left blocks.
 *
 * Data are complex floats, unscaled, in natural order. The inverse is the forward transform with
 * the real and imaginary parts exchanged at the first read and at the last write. For spectra, the
 * first pass multiplies by a window while it reads, and the last pass stores |X|^2. It can sum
 * |X|^2 over the frames: it takes the same block of each frame in sequence, under one twiddle. For
 * the rows of a matrix, the last pass takes the same block of eight rows at a time and stores
 * columns.
 */
#ifndef FFTD_FFT_QPU_QPU_PLAN_H
#define FFTD_FFT_QPU_QPU_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QPU_PLAN_QPUS = 8, QPU_PLAN_PASSES = 4, QPU_PLAN_MIN_LOG2 = 8, QPU_PLAN_MAX_LOG2 = 22 };
enum { QPU_PLAN_ROWS = 16 }; /* columns: the number of rows is a multiple of this */

/* A pass over memory. */
struct qpu_plan_pass {
    uint32_t bits, done, left; /* of the index: of this pass, of earlier ones, of later ones */
    uint32_t steps;            /* of eight blocks, one a QPU */
};

enum qpu_output {
    QPU_BINS,    /* complex, [n] for each frame, at the frame's address */
    QPU_COLUMNS, /* complex, [n][frames], at the first frame's address */
    QPU_POWERS,  /* |X|^2: float, [n] for each frame, at the frame's address */
    QPU_SUM,     /* |X|^2 summed over frames in order: float, [n], at the first frame's address */
};

struct qpu_task {
    uint32_t log2_n, frames; /* columns: multiples of QPU_PLAN_ROWS */
    bool inverse;            /* bins and columns only */
    bool windowed;           /* multiplies by the window, see qpu_plan_window */
    enum qpu_output output;
};

struct qpu_plan {
    uint32_t log2_n, frames;
    bool inverse, windowed;
    enum qpu_output output;
    uint32_t passes;
    uint32_t first, end; /* passes first .. end-1 are in the launch; normally all of them */
    struct qpu_plan_pass pass[QPU_PLAN_PASSES];
    uint32_t table_bytes; /* the tables are read-only while the program runs */
    uint32_t uniform_words[QPU_PLAN_QPUS];
    uint32_t frame_bytes; /* from one frame to the next in both buffers: the points, and a gap
                             because requests run ahead of the data in use */
};

/* Bus addresses, multiples of 4096. The two frame buffers have frames * frame_bytes each. */
struct qpu_layout {
    uint32_t code, tables;
    uint32_t from, to; /* passes alternate between them; `from` has the input */
    uint32_t window;   /* float, [n] and QPU_PLAN_WINDOW_GAP; only if the plan is windowed */
};

/* Floats after the window, because requests run ahead of the data in use. */
enum { QPU_PLAN_WINDOW_GAP = 32 };

/* n: a power of two. */
uint32_t qpu_plan_log2(uint32_t n);

/* 0, or -EINVAL: the length or the number of frames is not supported, or an inverse plan has a
 * window or powers. */
int qpu_plan_init(struct qpu_plan *plan, const struct qpu_task *task);

/* Likewise with the caller's structure: the bits of each pass, ended by 0 unless there are
 * QPU_PLAN_PASSES. -EINVAL also if the bits do not add up to the length. */
int qpu_plan_init_passes(struct qpu_plan *plan, const struct qpu_task *task, const uint8_t *bits);

/* The launch of pass p alone. The plan's transform is the launches of its passes in order, which
 * use the same tables and buffers. */
void qpu_plan_part(const struct qpu_plan *plan, uint32_t p, struct qpu_plan *part);

/* True if the result replaces the input in `from` (even number of passes); false: it is in `to`. */
bool qpu_plan_in_place(const struct qpu_plan *plan);

/*
 * The factor that corrects the loss of amplitude by rounding: QPUs round toward zero, so the result
 * of a window and a transform is too small. Noise loses this factor, tones lose less, an impulse
 * hardly any. Multiply the window by it: powers of noise are then off by 0.2 to 0.4 ppm rms instead
 * of 1.2 to 3 ppm.
 */
double qpu_plan_gain(const struct qpu_plan *plan);

/* Fills the tables. tables: plan->table_bytes bytes. */
void qpu_plan_tables(const struct qpu_plan *plan, float *tables);

/* Writes elements at .. at+count-1 of the window in memory: the window's values in the order in
 * which the QPUs read points. window: [n]. */
void qpu_plan_window(const struct qpu_plan *plan, const float *window, uint32_t at, float *to,
                     uint32_t count);

/* Writes QPU q's uniforms. words: [plan->uniform_words[q]]. All QPUs start at layout->code. */
void qpu_plan_uniforms(const struct qpu_plan *plan, const struct qpu_layout *layout, uint32_t q,
                       uint32_t *words);

/* ---- for qpu_plan*.c ------------------------------------------------------------------------ */

/* The vectors of a block. */
static inline uint32_t qpu_pass_vectors(const struct qpu_plan_pass *pass)
{
    return 1u << (pass->bits - 4);
}

/* qpu_plan_tables.c: the size of all tables, and the offset of pass p's table for QPU q, in bytes.
 * The constants are at offset 0. */
uint32_t qpu_plan_table_bytes(const struct qpu_plan *plan);
uint32_t qpu_plan_table_offset(const struct qpu_plan *plan, uint32_t p, uint32_t q);

/*
 * The rotation of a twiddle from one k to the next, as the sine of its angle and 2 sin^2 of half
 * the angle. For the vectors of butterfly stages 4 (stage = 0) and 5 (stage = 1), where it is the
 * same in all lanes.
 */
struct qpu_twiddle_step {
    float sine, versine;
};
struct qpu_twiddle_step qpu_plan_twiddle_step(const struct qpu_plan *plan, uint32_t p,
                                              uint32_t stage);

/* qpu_plan_uniforms.c: sets plan->uniform_words. */
void qpu_plan_count_uniforms(struct qpu_plan *plan);

#endif
