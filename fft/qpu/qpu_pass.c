/*
 * qpu_pass.c - transforms the rows of an array: the ARM gathers them, the QPUs transform a launch
 * of them, and the ARM scatters the results.
 *
 * Where the output has adjacent rows (rotate-on-store, fft/engine.h), the QPUs store columns. The
 * ARM then writes blocks of as many elements as a launch has rows, instead of single elements.
 */
#include "fft/qpu/qpu_pass.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "fft/qpu/qpu_launcher.h"
#include "fft/qpu/qpu_state.h"

enum { BLOCK = 256, LOOPS = 3 };

/* The loop that provides a launch's rows: the one whose outputs are adjacent, if there is one. */
static int inner_loop(const struct engine_pass *p)
{
    for (int r = 0; p->to != 1 && r < LOOPS; r++)
        if (p->rows[r].to == 1 && p->rows[r].count > 1)
            return r;
    return 0;
}

/* A loop that is too short does not fill a launch; its rows are stored one by one. */
static bool has_columns(const struct engine_pass *p)
{
    const struct engine_rows *rows = &p->rows[inner_loop(p)];
    return p->to != 1 && rows->to == 1 && rows->count >= QPU_PLAN_ROWS;
}

/* The offsets of row i in the input and in the output; the inner loop varies fastest. */
static void row_at(const struct engine_pass *p, uint64_t i, size_t *from, size_t *to)
{
    const int inner = inner_loop(p);
    *from = *to = 0;
    for (int step = 0; step < LOOPS; step++) {
        const struct engine_rows *rows = &p->rows[(inner + step) % LOOPS];
        const uint64_t index = i % rows->count;
        i /= rows->count;
        *from += (size_t)index * rows->from;
        *to += (size_t)index * rows->to;
    }
}

/* The transform is linear, so the ARM scales the points that it copies anyway. */
static void gather(const struct engine_pass *p, const struct fft_iq *from, uint32_t row)
{
    const float scale = fft_pass_scale(p);
    struct fft_iq block[BLOCK];
    for (uint32_t at = 0; at < p->n; at += BLOCK) {
        for (uint32_t j = 0; j < BLOCK; j++)
            block[j] = (struct fft_iq){from[(at + j) * p->from].re * scale,
                                       from[(at + j) * p->from].im * scale};
        qpu_launcher_put(p->priv, row, at, block, BLOCK);
    }
}

static void scatter(const struct engine_pass *p, uint32_t row, struct fft_iq *to)
{
    struct fft_iq block[BLOCK];
    for (uint32_t at = 0; at < p->n; at += BLOCK) {
        qpu_launcher_get(p->priv, row, at, block, BLOCK);
        for (uint32_t j = 0; j < BLOCK; j++)
            to[(at + j) * p->to] = block[j];
    }
}

/* Scatters the first `count` rows of a launch. */
static void scatter_columns(const struct engine_pass *p, uint32_t count, struct fft_iq *to)
{
    const struct qpu_launcher *l = p->priv;
    struct fft_iq block[BLOCK];
    for (uint32_t k = 0; k < p->n; k++) {
        qpu_launcher_get(l, 0, k * l->max_frames, block, count);
        memcpy(to + k * p->to, block, count * sizeof *block);
    }
}

static void scatter_rows(const struct engine_pass *p, uint64_t first, uint32_t count,
                         struct fft_iq *to)
{
    size_t at_from, at_to;
    for (uint32_t i = 0; i < count; i++) {
        row_at(p, first + i, &at_from, &at_to);
        scatter(p, i, to + at_to);
    }
}

/* A launch of columns is always full: the results of rows that were not gathered are ignored. */
static int run_rows(const struct engine_pass *p, uint64_t first, uint32_t count,
                    const struct fft_iq *from, struct fft_iq *to)
{
    const struct qpu_launcher *l = p->priv;
    const bool columns = l->task.output == QPU_COLUMNS;
    size_t at_from, at_to;
    for (uint32_t i = 0; i < count; i++) {
        row_at(p, first + i, &at_from, &at_to);
        gather(p, from + at_from, i);
    }
    int err = qpu_launcher_run(p->priv, columns ? l->max_frames : count);
    if (err)
        return err;
    row_at(p, first, &at_from, &at_to);
    if (columns)
        scatter_columns(p, count, to + at_to);
    else
        scatter_rows(p, first, count, to);
    return 0;
}

static uint64_t row_count(const struct engine_pass *p)
{
    return (uint64_t)p->rows[0].count * p->rows[1].count * p->rows[2].count;
}

int qpu_pass_init(struct engine_pass *p, struct fft_reason why)
{
    struct qpu_engine *e = p->engine->priv;
    if (p->kind != PASS_COMPLEX || !qpu_engine_supports_length(p->n)) {
        fft_reason_set(why, "the QPUs transform complex rows, powers of two from %d to %d",
                       QPU_MIN_N, QPU_MAX_N);
        return -ENOTSUP;
    }
    const bool columns = has_columns(p);
    const uint64_t rows = columns ? p->rows[inner_loop(p)].count : row_count(p);
    const struct qpu_task task = {.log2_n = qpu_plan_log2(p->n),
                                  .frames = rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX,
                                  .inverse = p->inverse,
                                  .output = columns ? QPU_COLUMNS : QPU_BINS};
    return qpu_launcher_init(p->priv, &e->device, e->code.bus, &task);
}

void qpu_pass_finish(struct engine_pass *p)
{
    qpu_launcher_finish(p->priv);
}

/* The rows of the launch that starts at row i. Those of a launch of columns belong to one round of
 * the inner loop. */
static uint32_t rows_of_launch(const struct engine_pass *p, uint64_t i)
{
    const struct qpu_launcher *l = p->priv;
    const uint32_t round = p->rows[inner_loop(p)].count;
    assert(round > 0);
    const uint64_t left = l->task.output == QPU_COLUMNS ? round - i % round : row_count(p) - i;
    return left < l->max_frames ? (uint32_t)left : l->max_frames;
}

int qpu_pass_run(const struct engine_pass *p, struct fft_buffer *from, struct fft_buffer *to)
{
    const uint64_t rows = row_count(p);
    int err = 0;
    for (uint64_t i = 0; !err && i < rows;) {
        const uint32_t count = rows_of_launch(p, i);
        err = run_rows(p, i, count, from->memory, to->memory);
        i += count;
    }
    if (err)
        fft_reason_set(fft_engine_reason(p->engine), "%s", qpu_engine_error_text(err));
    return err;
}
