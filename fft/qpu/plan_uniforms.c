/* plan_uniforms.c - the uniforms of kernels/qpu/fft.qasm, in the order in which it reads them. */
#include <string.h>

#include "fft/qpu/isa.h"
#include "fft/qpu/plan_parts.h"

/* What there is a pass of, in the order of the program's table of entries. */
enum kind { FIRST, WINDOWED, BETWEEN, COLUMNS, LAST, POWER, KINDS };

/* Byte offsets in the program: its table of entries, and its store routines. */
enum {
    ENTRY_FINISH = 32,
    ENTRY_PASSES = 64, /* [KINDS][3]: 16, 32, 64 points */
    ENTRY_BYTES = 32,
    STORE_BLOCK = ENTRY_PASSES + KINDS * 3 * ENTRY_BYTES,
    STORE_ROWS_64 = STORE_BLOCK + 32,
    STORE_ROWS_32 = STORE_ROWS_64 + 512,
    STORE_ROWS_16 = STORE_ROWS_32 + 256,
};

enum { ROW_BYTES = 64, VECTOR_BYTES = 128, MAX_GAP = 65535, MASTER = 0 };

/* Where words go; at NULL: they are only counted. */
struct stream {
    uint32_t *at;
    uint32_t count;
};

static void put(struct stream *s, uint32_t word)
{
    if (s->at)
        s->at[s->count] = word;
    s->count++;
}

static void put_float(struct stream *s, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    put(s, word);
}

static enum kind kind_of(const struct qpu_plan *plan, uint32_t p)
{
    if (p == 0)
        return plan->windowed ? WINDOWED : FIRST;
    if (p + 1 < plan->passes)
        return BETWEEN;
    return plan->output == QPU_BINS ? LAST : plan->output == QPU_COLUMNS ? COLUMNS : POWER;
}

static uint32_t entry(const struct qpu_plan *plan, uint32_t p)
{
    return ENTRY_PASSES + (kind_of(plan, p) * 3 + plan->pass[p].bits - 4) * ENTRY_BYTES;
}

/* Frames that a pass takes at once. */
static uint32_t frames_of(const struct qpu_plan *plan, uint32_t p)
{
    const bool all = plan->output == QPU_SUM || plan->output == QPU_COLUMNS;
    return p + 1 == plan->passes && all ? plan->frames : 1;
}

static uint32_t reverse_3(uint32_t q)
{
    return (q & 1) << 2 | (q & 2) | q >> 2;
}

/* Reversed, QPU q's blocks are the q-th eighth: in points from the start. */
static uint32_t first_point(const struct qpu_plan *plan, uint32_t q)
{
    return reverse_3(q) << (plan->log2_n - plan->pass[0].bits - 3);
}

/* What go_on takes. */
static void put_reads(struct stream *s, const struct qpu_plan *plan, uint32_t p, uint32_t from,
                      uint32_t q)
{
    const struct qpu_pass *pass = &plan->pass[p];
    const bool exchanged = plan->inverse && p == 0;
    if (p == 0)
        from += 8 * first_point(plan, q);
    else if (kind_of(plan, p) == COLUMNS)
        from += q * plan->frame_bytes;
    else
        from += 8 * (q << pass->bits);
    put(s, from + (exchanged ? 4 : 0));
    put(s, exchanged ? (uint32_t)-4 : 4);
    if (kind_of(plan, p) == COLUMNS)
        put(s, plan->frames / QPU_PLAN_QPUS / 2);
    else if (p == 0 || pass->left == 0)
        put(s, pass->steps / 2);
    else
        put(s, (1u << pass->left) / QPU_PLAN_QPUS / 2);
}

/* What the table of entries takes: where this QPU's two columns are. */
static void put_vpm(struct stream *s, const struct qpu_plan *plan, uint32_t p, uint32_t q)
{
    const uint32_t vectors = pass_vectors(&plan->pass[p]);
    const bool exchanged = plan->inverse && p + 1 == plan->passes;
    const uint32_t column = 2 * q + (exchanged ? 1 : 0), step = vectors == 1 ? 1 : 16;
    const uint32_t odd_row = vectors == 4 ? 0 : 16 * vectors;
    put(s, qpu_vpm_setup(1, step, qpu_vpm_vertical(0, column)));
    put(s, qpu_vpm_setup(1, step, qpu_vpm_vertical(odd_row, column)));
    put(s, exchanged ? (uint32_t)-1 : 1);
}

/* The same for powers: its column in even and in odd steps, and how the next pair's rows differ. */
static void put_power_vpm(struct stream *s, const struct qpu_pass *pass, uint32_t q)
{
    const uint32_t vectors = pass_vectors(pass), step = vectors == 1 ? 1 : 16;
    const uint32_t other_row = vectors == 4 ? 0 : 16 * vectors;
    put(s, qpu_vpm_setup(1, step, qpu_vpm_vertical(0, q)));
    put(s, qpu_vpm_setup(1, step, qpu_vpm_vertical(0, QPU_PLAN_QPUS + q)));
    put(s, qpu_vpm_vertical(0, 0) ^ qpu_vpm_vertical(other_row, 0));
}

/* From a block, whose last vector was asked for, to the next frame's; from behind the last frame to
 * the next block; how many frames. */
static void put_frames(struct stream *s, const struct qpu_plan *plan, uint32_t p)
{
    const uint32_t vectors = pass_vectors(&plan->pass[p]), frames = frames_of(plan, p);
    put(s, plan->frame_bytes - (vectors - 1) * VECTOR_BYTES);
    put(s, QPU_PLAN_QPUS * vectors * VECTOR_BYTES - frames * plan->frame_bytes);
    put(s, frames);
}

static void put_first(struct stream *s, const struct qpu_plan *plan, uint32_t table,
                      uint32_t window)
{
    const uint32_t vectors = pass_vectors(&plan->pass[0]), n_bits = plan->log2_n;
    const uint32_t v1 = 8u << (n_bits - 5), v2 = 8u << (n_bits - 6);
    put(s, n_bits - 4 + 3); /* from reversed lanes to bytes */
    if (plan->windowed)
        put(s, window);
    put(s, 29 - (n_bits - plan->pass[0].bits - 3));
    if (vectors > 1)
        put(s, v1);
    if (vectors > 2) {
        put(s, v2);
        put(s, v1 + v2);
    }
    if (vectors > 1)
        put(s, table);
}

/* The same for columns: from row to row, and back to the first one's next block. */
static void put_rows(struct stream *s, const struct qpu_plan *plan, uint32_t p)
{
    const uint32_t vectors = pass_vectors(&plan->pass[p]);
    put(s, QPU_PLAN_QPUS * plan->frame_bytes - (vectors - 1) * VECTOR_BYTES);
    put(s, vectors * VECTOR_BYTES - plan->frames * plan->frame_bytes);
    put(s, plan->frames / QPU_PLAN_QPUS);
}

static void put_twiddles(struct stream *s, const struct qpu_plan *plan, uint32_t p, uint32_t table)
{
    const struct qpu_pass *pass = &plan->pass[p];
    if (pass->left || kind_of(plan, p) == COLUMNS)
        put(s, 1u << pass->done);
    put(s, table);
    for (uint32_t stage = 4; stage < pass->bits; stage++) {
        const struct plan_step step = plan_step(plan, p, stage - 4);
        put_float(s, step.sine);
        put_float(s, step.versine);
    }
}

/* What the master takes: where rows go, at once or one by one. The second DMA setup is that of odd
 * steps; for powers, how the next pair's differs. */
static void put_stores(struct stream *s, const struct qpu_plan *plan, uint32_t p, uint32_t code,
                       uint32_t to)
{
    static const uint32_t by_rows[] = {STORE_ROWS_16, STORE_ROWS_32, STORE_ROWS_64};
    const struct qpu_pass *pass = &plan->pass[p];
    const bool power = kind_of(plan, p) == POWER;
    const uint32_t rows = 1u << pass->bits, other_row = rows == 64 ? 0 : rows;
    const uint32_t across = kind_of(plan, p) == COLUMNS ? plan->frames : 1;
    const uint32_t stride = across * (power ? 4u : 8u) << (plan->log2_n - pass->bits);
    const bool at_once = stride - ROW_BYTES <= MAX_GAP;
    const uint32_t setup = qpu_vdw_setup(at_once ? rows : 1, 16, 0, 0);
    const uint32_t other = qpu_vdw_setup(at_once ? rows : 1, 16, other_row, 0);
    put(s, to);
    put(s, setup);
    put(s, power ? setup ^ other : other);
    put(s, qpu_vdw_stride(at_once ? stride - ROW_BYTES : 0));
    put(s, stride);
    put(s, code + (at_once ? STORE_BLOCK : by_rows[pass->bits - 4]));
}

static void put_finish(struct stream *s, uint32_t code, bool interrupts)
{
    put(s, code + ENTRY_FINISH);
    put(s, interrupts);
    for (int i = 0; i < 5; i++)
        put(s, 0);
}

static void put_pass(struct stream *s, const struct qpu_plan *plan, const struct qpu_layout *layout,
                     uint32_t frame, uint32_t p, uint32_t q)
{
    const uint32_t at = frame * plan->frame_bytes;
    const uint32_t from = (p % 2 ? layout->to : layout->from) + at;
    const uint32_t to = (p % 2 ? layout->from : layout->to) + at;
    const uint32_t table = layout->tables + plan_table_at(plan, p, q);
    const enum kind kind = kind_of(plan, p);
    put(s, layout->code + entry(plan, p));
    put_reads(s, plan, p, from, q);
    if (kind == POWER) {
        put_power_vpm(s, &plan->pass[p], q);
        put_frames(s, plan, p);
    } else {
        put_vpm(s, plan, p, q);
    }
    if (kind == COLUMNS)
        put_rows(s, plan, p);
    if (p == 0)
        put_first(s, plan, table, layout->window + 4 * first_point(plan, q));
    else
        put_twiddles(s, plan, p, table);
    if (q == MASTER)
        put_stores(s, plan, p, layout->code, to);
}

static uint32_t write_uniforms(const struct qpu_plan *plan, const struct qpu_layout *layout,
                               uint32_t q, uint32_t *words)
{
    struct stream s = {words, 0};
    put(&s, q);
    put(&s, layout->tables);
    for (uint32_t frame = 0; frame < plan->frames; frame++)
        for (uint32_t p = 0; p < plan->passes; p++)
            if (frames_of(plan, p) == 1)
                put_pass(&s, plan, layout, frame, p, q);
    if (frames_of(plan, plan->passes - 1) > 1)
        put_pass(&s, plan, layout, 0, plan->passes - 1, q);
    put_finish(&s, layout->code, q == MASTER);
    return s.count;
}

void plan_count_uniforms(struct qpu_plan *plan)
{
    static const struct qpu_layout nowhere;
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++)
        plan->uniform_words[q] = write_uniforms(plan, &nowhere, q, NULL);
}

void qpu_plan_uniforms(const struct qpu_plan *plan, const struct qpu_layout *layout, uint32_t q,
                       uint32_t *words)
{
    write_uniforms(plan, layout, q, words);
}
