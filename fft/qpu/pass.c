/* pass.c - rows of an array through a launch: gathered, transformed, scattered. */
#include "fft/qpu/pass.h"

#include <errno.h>

#include "fft/qpu/engine_parts.h"
#include "fft/qpu/work.h"

enum { BLOCK = 256 };

/* Where row number i begins on either side. */
static void row_at(const struct engine_pass *p, uint64_t i, size_t *from, size_t *to)
{
    *from = *to = 0;
    for (int r = 0; r < 3; r++) {
        const uint64_t index = i % p->rows[r].count;
        i /= p->rows[r].count;
        *from += index * p->rows[r].from;
        *to += index * p->rows[r].to;
    }
}

static void gather(const struct engine_pass *p, const struct iq *from, uint32_t row)
{
    struct iq block[BLOCK];
    for (uint32_t at = 0; at < p->n; at += BLOCK) {
        for (uint32_t j = 0; j < BLOCK; j++)
            block[j] = from[(at + j) * p->from];
        qpu_work_put(p->priv, row, at, block, BLOCK);
    }
}

static void scatter(const struct engine_pass *p, uint32_t row, struct iq *to)
{
    struct iq block[BLOCK];
    for (uint32_t at = 0; at < p->n; at += BLOCK) {
        qpu_work_get(p->priv, row, at, block, BLOCK);
        for (uint32_t j = 0; j < BLOCK; j++)
            to[(at + j) * p->to] = block[j];
    }
}

static int run_rows(const struct engine_pass *p, uint64_t first, uint32_t count,
                    const struct iq *from, struct iq *to)
{
    size_t at_from, at_to;
    for (uint32_t i = 0; i < count; i++) {
        row_at(p, first + i, &at_from, &at_to);
        gather(p, from + at_from, i);
    }
    int err = qpu_work_run(p->priv, count);
    for (uint32_t i = 0; !err && i < count; i++) {
        row_at(p, first + i, &at_from, &at_to);
        scatter(p, i, to + at_to);
    }
    return err;
}

static uint64_t row_count(const struct engine_pass *p)
{
    return (uint64_t)p->rows[0].count * p->rows[1].count * p->rows[2].count;
}

int qpu_pass_init(struct engine_pass *p, struct reason why)
{
    struct qpu_engine *e = p->engine->priv;
    if (p->kind != PASS_COMPLEX || !qpu_engine_transforms(p->n)) {
        reason_set(why, "the QPUs transform complex rows, powers of two from %d to %d", QPU_MIN_N,
                   QPU_MAX_N);
        return -ENOTSUP;
    }
    const uint64_t rows = row_count(p);
    const struct qpu_task task = {.log2_n = qpu_plan_log2(p->n),
                                  .frames = rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX,
                                  .inverse = p->inverse};
    return qpu_work_init(p->priv, &e->device, e->code.bus, &task);
}

void qpu_pass_finish(struct engine_pass *p)
{
    qpu_work_finish(p->priv);
}

int qpu_pass_run(const struct engine_pass *p, struct fft_buffer *from, struct fft_buffer *to)
{
    const struct qpu_work *w = p->priv;
    const uint64_t rows = row_count(p);
    int err = 0;
    for (uint64_t i = 0; !err && i < rows; i += w->most_frames) {
        const uint64_t left = rows - i;
        err = run_rows(p, i, left < w->most_frames ? (uint32_t)left : w->most_frames, from->memory,
                       to->memory);
    }
    if (err)
        qpu_engine_tell(p->engine, err);
    return err;
}
