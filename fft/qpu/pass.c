/*
 * pass.c - rows of an array through a launch: gathered, transformed, scattered.
 *
 * Where the rows' results are to lie side by side (rotate-on-store, fft/engine.h), the QPUs store
 * them so: then the ARM writes runs of as many elements as a launch has rows, and not one here, one
 * there.
 */
#include "fft/qpu/pass.h"

#include <errno.h>
#include <string.h>

#include "fft/qpu/engine_parts.h"
#include "fft/qpu/work.h"

enum { BLOCK = 256, LOOPS = 3 };

/* The loop whose rows a launch takes one after the other: that of columns, if there is one. */
static int inner_loop(const struct engine_pass *p)
{
    for (int r = 0; p->to != 1 && r < LOOPS; r++)
        if (p->rows[r].to == 1 && p->rows[r].count > 1)
            return r;
    return 0;
}

/* A loop that is too short fills no launch; one by one its rows are as well off. */
static bool has_columns(const struct engine_pass *p)
{
    const struct engine_rows *rows = &p->rows[inner_loop(p)];
    return p->to != 1 && rows->to == 1 && rows->count >= QPU_PLAN_ROWS;
}

/* Where row number i begins on either side; the inner loop counts first. */
static void row_at(const struct engine_pass *p, uint64_t i, size_t *from, size_t *to)
{
    const int inner = inner_loop(p);
    *from = *to = 0;
    for (int step = 0; step < LOOPS; step++) {
        const struct engine_rows *rows = &p->rows[(inner + step) % LOOPS];
        const uint64_t index = i % rows->count;
        i /= rows->count;
        *from += index * rows->from;
        *to += index * rows->to;
    }
}

static void gather(const struct engine_pass *p, const struct fft_iq *from, uint32_t row)
{
    struct fft_iq block[BLOCK];
    for (uint32_t at = 0; at < p->n; at += BLOCK) {
        for (uint32_t j = 0; j < BLOCK; j++)
            block[j] = from[(at + j) * p->from];
        qpu_work_put(p->priv, row, at, block, BLOCK);
    }
}

static void scatter(const struct engine_pass *p, uint32_t row, struct fft_iq *to)
{
    struct fft_iq block[BLOCK];
    for (uint32_t at = 0; at < p->n; at += BLOCK) {
        qpu_work_get(p->priv, row, at, block, BLOCK);
        for (uint32_t j = 0; j < BLOCK; j++)
            to[(at + j) * p->to] = block[j];
    }
}

/* `count` rows of those that the launch had. */
static void scatter_columns(const struct engine_pass *p, uint32_t count, struct fft_iq *to)
{
    const struct qpu_work *w = p->priv;
    struct fft_iq block[BLOCK];
    for (uint32_t k = 0; k < p->n; k++) {
        qpu_work_get(w, 0, k * w->most_frames, block, count);
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

/* Columns: whatever the rows are that were not gathered, theirs are not fetched. */
static int run_rows(const struct engine_pass *p, uint64_t first, uint32_t count,
                    const struct fft_iq *from, struct fft_iq *to)
{
    const struct qpu_work *w = p->priv;
    const bool columns = w->task.output == QPU_COLUMNS;
    size_t at_from, at_to;
    for (uint32_t i = 0; i < count; i++) {
        row_at(p, first + i, &at_from, &at_to);
        gather(p, from + at_from, i);
    }
    int err = qpu_work_run(p->priv, columns ? w->most_frames : count);
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

int qpu_pass_init(struct engine_pass *p, struct reason why)
{
    struct qpu_engine *e = p->engine->priv;
    if (p->kind != PASS_COMPLEX || !qpu_engine_transforms(p->n)) {
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
    return qpu_work_init(p->priv, &e->device, e->code.bus, &task);
}

void qpu_pass_finish(struct engine_pass *p)
{
    qpu_work_finish(p->priv);
}

/* Rows that a launch takes from row i on: columns' are of one round of the inner loop. */
static uint32_t rows_of_launch(const struct engine_pass *p, uint64_t i)
{
    const struct qpu_work *w = p->priv;
    const uint32_t round = p->rows[inner_loop(p)].count;
    const uint64_t left = w->task.output == QPU_COLUMNS ? round - i % round : row_count(p) - i;
    return left < w->most_frames ? (uint32_t)left : w->most_frames;
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
        qpu_engine_tell(p->engine, err);
    return err;
}
