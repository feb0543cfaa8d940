/* qpu_plan_uniforms.c - writes the uniforms of kernels/qpu/fft.qasm in the order of its reads. */
#include <string.h>

#include "fft/qpu/qpu_isa.h"
#include "fft/qpu/qpu_plan.h"

/* The kinds of passes, in the order of the program's entry table; kernels/qpu/registers.qinc. */
enum pass_kind { FIRST, WINDOWED, MIDDLE, COLUMNS, LAST, POWER, KINDS };

/* Byte offsets in the program: the entry table and the store routines. */
enum {
    ENTRY_FINISH = 32,
    ENTRY_PASSES = 64, /* [KINDS][3]: 16, 32, 64 points */
    ENTRY_BYTES = 32,
    STORE_BLOCK = ENTRY_PASSES + KINDS * 3 * ENTRY_BYTES,
    STORE_ROWS_64 = STORE_BLOCK + 32,
    STORE_ROWS_32 = STORE_ROWS_64 + 512,
    STORE_ROWS_16 = STORE_ROWS_32 + 256,
};

enum { ROW_BYTES = 64, VECTOR_BYTES = 128, MAX_STRIDE_GAP = 65535, MASTER = 0 };

/* Appends words to `at`; if `at` is NULL, only counts them. */
struct uniform_writer {
    uint32_t *at;
    uint32_t count;
};

static void put(struct uniform_writer *s, uint32_t word)
{
    if (s->at)
        s->at[s->count] = word;
    s->count++;
}

static void put_float(struct uniform_writer *s, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    put(s, word);
}

static enum pass_kind kind_of_pass(const struct qpu_plan *plan, uint32_t p)
{
    if (p == 0)
        return plan->windowed ? WINDOWED : FIRST;
    if (p + 1 < plan->passes)
        return MIDDLE;
    return plan->output == QPU_BINS ? LAST : plan->output == QPU_COLUMNS ? COLUMNS : POWER;
}

static uint32_t entry_offset(const struct qpu_plan *plan, uint32_t p)
{
    return ENTRY_PASSES + (kind_of_pass(plan, p) * 3 + plan->pass[p].bits - 4) * ENTRY_BYTES;
}

/* The frames that one launch of a pass takes. */
static uint32_t frames_of(const struct qpu_plan *plan, uint32_t p)
{
    const bool all = plan->output == QPU_SUM || plan->output == QPU_COLUMNS;
    return p + 1 == plan->passes && all ? plan->frames : 1;
}

static uint32_t reverse_bits(uint32_t value, uint32_t bits)
{
    uint32_t reversed = 0;
    for (uint32_t i = 0; i < bits; i++)
        reversed |= (value >> i & 1) << (bits - 1 - i);
    return reversed;
}

/* The first pass reads in bit-reversed order: QPU q reads the eighth with its number's bits
 * reversed. In points. */
static uint32_t first_point(const struct qpu_plan *plan, uint32_t q)
{
    return reverse_bits(q, 3) << (plan->log2_n - plan->pass[0].bits - 3);
}

/* The first pass: vector v of a QPU's block in a step has these points, one every n/16. */
static uint32_t point_of_vector(const struct qpu_plan *plan, uint32_t q, uint32_t step, uint32_t v)
{
    static const uint32_t order[] = {0, 2, 1, 3}; /* vector 1 starts n/32 further, vector 2 n/64 */
    const uint32_t bits = plan->log2_n - plan->pass[0].bits - 3;
    return order[v] << (plan->log2_n - 6) | first_point(plan, q) | reverse_bits(step, bits);
}

void qpu_plan_window(const struct qpu_plan *plan, const float *window, uint32_t at, float *to,
                     uint32_t count)
{
    const uint32_t vectors = qpu_pass_vectors(&plan->pass[0]), steps = plan->pass[0].steps;
    for (uint32_t i = at; i < at + count; i++) {
        const uint32_t lane = i & 15, vector = i >> 4;
        const uint32_t step = vector / vectors % steps, q = vector / vectors / steps;
        *to++ = window[point_of_vector(plan, q, step, vector % vectors) |
                       reverse_bits(lane, 4) << (plan->log2_n - 4)];
    }
}

/* The uniforms of next_pass: the address of the real parts, the offset from there to the imaginary
 * parts, and the pairs of steps under one twiddle. */
static void put_reads(struct uniform_writer *s, const struct qpu_plan *plan, uint32_t p,
                      uint32_t from, uint32_t q)
{
    const struct qpu_plan_pass *pass = &plan->pass[p];
    const bool exchanged = plan->inverse && p == 0;
    if (p == 0)
        from += 8 * first_point(plan, q);
    else if (kind_of_pass(plan, p) == COLUMNS)
        from += q * plan->frame_bytes;
    else
        from += 8 * (q << pass->bits);
    put(s, from + (exchanged ? 4 : 0));
    put(s, exchanged ? (uint32_t)-4 : 4);
    if (kind_of_pass(plan, p) == COLUMNS)
        put(s, plan->frames / QPU_PLAN_QPUS / 2);
    else if (p == 0 || pass->left == 0)
        put(s, pass->steps / 2);
    else
        put(s, (1u << pass->left) / QPU_PLAN_QPUS / 2);
}

/* The uniforms of the entry table: the VPM setups of this QPU's two columns. */
static void put_vpm(struct uniform_writer *s, const struct qpu_plan *plan, uint32_t p, uint32_t q)
{
    const uint32_t vectors = qpu_pass_vectors(&plan->pass[p]);
    const bool exchanged = plan->inverse && p + 1 == plan->passes;
    const uint32_t column = 2 * q + (exchanged ? 1 : 0), step = vectors == 1 ? 1 : 16;
    const uint32_t odd_row = vectors == 4 ? 0 : 16 * vectors;
    put(s, qpu_vpm_setup(1, step, qpu_vpm_vertical(0, column)));
    put(s, qpu_vpm_setup(1, step, qpu_vpm_vertical(odd_row, column)));
    put(s, exchanged ? (uint32_t)-1 : 1);
}

/* Likewise for powers: the column in even and in odd steps, and the bits in which the setups of the
 * next pair of steps differ. */
static void put_power_vpm(struct uniform_writer *s, const struct qpu_plan_pass *pass, uint32_t q)
{
    const uint32_t vectors = qpu_pass_vectors(pass), step = vectors == 1 ? 1 : 16;
    const uint32_t other_row = vectors == 4 ? 0 : 16 * vectors;
    put(s, qpu_vpm_setup(1, step, qpu_vpm_vertical(0, q)));
    put(s, qpu_vpm_setup(1, step, qpu_vpm_vertical(0, QPU_PLAN_QPUS + q)));
    put(s, qpu_vpm_vertical(0, 0) ^ qpu_vpm_vertical(other_row, 0));
}

/* The uniforms of prepare_frames for powers: bytes from a block's last vector to the next frame's
 * block, bytes from there back to the next block after the last frame, and the number of frames. */
static void put_frames(struct uniform_writer *s, const struct qpu_plan *plan, uint32_t p)
{
    const uint32_t vectors = qpu_pass_vectors(&plan->pass[p]), frames = frames_of(plan, p);
    put(s, plan->frame_bytes - (vectors - 1) * VECTOR_BYTES);
    put(s, QPU_PLAN_QPUS * vectors * VECTOR_BYTES - frames * plan->frame_bytes);
    put(s, frames);
}

static void put_first(struct uniform_writer *s, const struct qpu_plan *plan, uint32_t table,
                      uint32_t window)
{
    const uint32_t vectors = qpu_pass_vectors(&plan->pass[0]), n_bits = plan->log2_n;
    const uint32_t v1 = 8u << (n_bits - 5), v2 = 8u << (n_bits - 6);
    put(s, n_bits - 4 + 3); /* shift from reversed lanes to bytes */
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

/* Likewise for columns: from row to row, and back to the first row's next block. */
static void put_rows(struct uniform_writer *s, const struct qpu_plan *plan, uint32_t p)
{
    const uint32_t vectors = qpu_pass_vectors(&plan->pass[p]);
    put(s, QPU_PLAN_QPUS * plan->frame_bytes - (vectors - 1) * VECTOR_BYTES);
    put(s, vectors * VECTOR_BYTES - plan->frames * plan->frame_bytes);
    put(s, plan->frames / QPU_PLAN_QPUS);
}

static void put_twiddles(struct uniform_writer *s, const struct qpu_plan *plan, uint32_t p,
                         uint32_t table)
{
    const struct qpu_plan_pass *pass = &plan->pass[p];
    if (pass->left || kind_of_pass(plan, p) == COLUMNS)
        put(s, 1u << pass->done);
    put(s, table);
    for (uint32_t stage = 4; stage < pass->bits; stage++) {
        const struct qpu_twiddle_step step = qpu_plan_twiddle_step(plan, p, stage - 4);
        put_float(s, step.sine);
        put_float(s, step.versine);
    }
}

/* The master's uniforms: the destination of the rows, and how to store them, in one transfer or one
 * by one. The second DMA setup is that of odd steps; for powers it has the bits in which the setup
 * of the next pair differs. */
static void put_stores(struct uniform_writer *s, const struct qpu_plan *plan, uint32_t p,
                       uint32_t code, uint32_t to)
{
    static const uint32_t by_rows[] = {STORE_ROWS_16, STORE_ROWS_32, STORE_ROWS_64};
    const struct qpu_plan_pass *pass = &plan->pass[p];
    const bool power = kind_of_pass(plan, p) == POWER;
    const uint32_t rows = 1u << pass->bits, other_row = rows == 64 ? 0 : rows;
    const uint32_t across = kind_of_pass(plan, p) == COLUMNS ? plan->frames : 1;
    const uint32_t stride = across * (power ? 4u : 8u) << (plan->log2_n - pass->bits);
    const bool at_once = stride - ROW_BYTES <= MAX_STRIDE_GAP;
    const uint32_t setup = qpu_vdw_setup(at_once ? rows : 1, 16, 0, 0);
    const uint32_t other = qpu_vdw_setup(at_once ? rows : 1, 16, other_row, 0);
    put(s, to);
    put(s, setup);
    put(s, power ? setup ^ other : other);
    put(s, qpu_vdw_stride(at_once ? stride - ROW_BYTES : 0));
    put(s, stride);
    put(s, code + (at_once ? STORE_BLOCK : by_rows[pass->bits - 4]));
}

static void put_finish(struct uniform_writer *s, uint32_t code, bool interrupts)
{
    put(s, code + ENTRY_FINISH);
    put(s, interrupts);
    for (int i = 0; i < 5; i++)
        put(s, 0);
}

static void put_pass(struct uniform_writer *s, const struct qpu_plan *plan,
                     const struct qpu_layout *layout, uint32_t frame, uint32_t p, uint32_t q)
{
    const uint32_t at = frame * plan->frame_bytes;
    const uint32_t from = (p % 2 ? layout->to : layout->from) + at;
    const uint32_t to = (p % 2 ? layout->from : layout->to) + at;
    const uint32_t table = layout->tables + qpu_plan_table_offset(plan, p, q);
    const enum pass_kind kind = kind_of_pass(plan, p);
    put(s, layout->code + entry_offset(plan, p));
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
        put_first(s, plan, table, layout->window + 4 * (q << (plan->log2_n - 3)));
    else
        put_twiddles(s, plan, p, table);
    if (q == MASTER)
        put_stores(s, plan, p, layout->code, to);
}

static uint32_t write_uniforms(const struct qpu_plan *plan, const struct qpu_layout *layout,
                               uint32_t q, uint32_t *words)
{
    struct uniform_writer s = {words, 0};
    put(&s, q);
    put(&s, layout->tables);
    for (uint32_t frame = 0; frame < plan->frames; frame++)
        for (uint32_t p = plan->first; p < plan->end; p++)
            if (frames_of(plan, p) == 1)
                put_pass(&s, plan, layout, frame, p, q);
    if (frames_of(plan, plan->end - 1) > 1)
        put_pass(&s, plan, layout, 0, plan->end - 1, q);
    put_finish(&s, layout->code, q == MASTER);
    return s.count;
}

void qpu_plan_count_uniforms(struct qpu_plan *plan)
{
    static const struct qpu_layout no_addresses;
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++)
        plan->uniform_words[q] = write_uniforms(plan, &no_addresses, q, NULL);
}

void qpu_plan_uniforms(const struct qpu_plan *plan, const struct qpu_layout *layout, uint32_t q,
                       uint32_t *words)
{
    write_uniforms(plan, layout, q, words);
}
