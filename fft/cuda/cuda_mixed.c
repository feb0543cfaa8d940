/* cuda_mixed.c - plans the mixed-radix kernel: its steps, rows per block, threads, tables and
 * launch. */
#include "fft/cuda/cuda_mixed.h"

#include "fft/twiddle.h"

enum {
    POINT_BYTES = sizeof(struct fft_iq),
    ORIGIN_BYTES = 24, /* struct row_origin */
    BLOCK_POINTS = 2048,
    ACROSS_ROWS = 16, /* 128 contiguous bytes */
    MAX_ROWS = 256,
    MIN_THREADS = 64,
    MAX_THREADS = 512, /* two blocks per multiprocessor at 64 registers per thread */
    LARGE_THREADS = 1024,
    LARGE = 7168 /* one block of this many points fills the shared memory of a multiprocessor */
};

/* Only the wide kernels have the radices before index WIDE. */
static const uint32_t radices[] = {25, 20, 18, 16, 15, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2};
enum { WIDE = 3 };

/* ---- steps ------------------------------------------------------------------------------- */

struct search {
    uint32_t at[PASS_STEPS], best[PASS_STEPS];
    uint32_t count, sum; /* of the best; 0: none yet */
};

/*
 * Finds the fewest steps; of equal counts, the smallest sum of radices, which needs the least
 * arithmetic.
 */
static void search(struct search *s, uint32_t left, uint32_t from, uint32_t count, uint32_t sum)
{
    if (left == 1) {
        if (s->count == 0 || count < s->count || (count == s->count && sum < s->sum)) {
            s->count = count;
            s->sum = sum;
            for (uint32_t i = 0; i < count; i++)
                s->best[i] = s->at[i];
        }
        return;
    }
    if (count == PASS_STEPS || (s->count > 0 && count >= s->count))
        return;
    for (uint32_t i = from; i < sizeof radices / sizeof radices[0]; i++) {
        if (left % radices[i] != 0)
            continue;
        s->at[count] = radices[i];
        search(s, left / radices[i], i, count + 1, sum + radices[i]);
    }
}

/*
 * Uses large radices only where they save a step. An odd radix goes first: it needs no gaps in
 * shared memory.
 */
static bool choose_steps(struct cuda_mixed *m)
{
    struct search s = {.count = 0}, wide = {.count = 0};
    if (m->n == 1) {
        m->steps = 1;
        m->radix[0] = 1;
        return true;
    }
    search(&s, m->n, WIDE, 0, 0);
    search(&wide, m->n, 0, 0, 0);
    m->wide = wide.count > 0 && (s.count == 0 || wide.count < s.count);
    if (m->wide)
        s = wide;
    m->steps = s.count;
    for (uint32_t i = 0; i < s.count; i++)
        m->radix[i] = s.best[i];
    for (uint32_t i = 1; i < s.count; i++) {
        if (m->radix[0] % 2 == 0 && m->radix[i] % 2 != 0) {
            m->radix[i] = m->radix[0];
            m->radix[0] = s.best[i];
        }
    }
    return s.count > 0;
}

/* ---- rows of a block --------------------------------------------------------------------- */

static uint32_t shared_bytes(const struct cuda_mixed *m, uint32_t rows)
{
    return rows * (ORIGIN_BYTES + m->arrays * m->pitch * POINT_BYTES);
}

static uint32_t choose_rows(const struct cuda_mixed *m, const struct cuda_facts *facts)
{
    const uint32_t capacity = facts->shared_block / 2;
    uint32_t rows = m->across ? ACROSS_ROWS : BLOCK_POINTS / m->n;
    if (m->across) /* a power of two */
        while (rows < MAX_ROWS && 2 * rows * m->n <= BLOCK_POINTS)
            rows *= 2;
    rows = rows < 1 ? 1 : rows < MAX_ROWS ? rows : MAX_ROWS;
    while (rows > 1 && shared_bytes(m, rows) > capacity)
        rows = m->across ? rows / 2 : rows - 1;
    return rows;
}

/* Chooses a thread count with which every step takes the same number of rounds. */
static uint32_t choose_threads(const struct cuda_mixed *m)
{
    const bool large = m->n * m->block_rows > LARGE && !m->wide;
    const uint32_t most = large ? LARGE_THREADS : MAX_THREADS;
    uint32_t tasks = 1;
    for (uint32_t i = 0; i < m->steps; i++)
        if (m->block_rows * m->n / m->radix[i] > tasks)
            tasks = m->block_rows * m->n / m->radix[i];
    const uint32_t turns = (tasks + most - 1) / most, each = (tasks + turns - 1) / turns;
    const uint32_t threads = (each + 31) / 32 * 32;
    return threads < MIN_THREADS ? MIN_THREADS : threads;
}

bool cuda_mixed_plan(struct cuda_mixed *out, const struct cuda_facts *facts, enum pass_kind kind,
                     uint32_t n, bool across)
{
    struct cuda_mixed m = {
        .kind = kind, .halved = kind != PASS_COMPLEX && n % 2 == 0, .across = across};
    m.n = m.halved ? n / 2 : n;
    if (m.n * POINT_BYTES > facts->shared_block || !choose_steps(&m))
        return false;
    const uint32_t exchanges = m.steps - 1 + m.halved;
    m.arrays = exchanges < 2 ? exchanges : 2;
    m.gap = m.radix[0] % 2 == 0;
    m.pitch = (m.n + m.n / m.radix[0] * m.gap) | 1;
    m.block_rows = choose_rows(&m, facts);
    m.shared = shared_bytes(&m, m.block_rows);
    m.threads = choose_threads(&m);
    *out = m;
    return m.shared <= facts->shared_block && m.threads <= facts->threads_processor;
}

/* ---- tables ------------------------------------------------------------------------------ */

size_t cuda_mixed_roots(const struct cuda_mixed *m)
{
    size_t count = 0, joined = m->radix[0];
    for (uint32_t i = 1; i < m->steps; joined *= m->radix[i++])
        count += (m->radix[i] - 1) * joined;
    return count;
}

size_t cuda_mixed_tables(const struct cuda_mixed *m)
{
    return cuda_mixed_roots(m) + (m->halved ? m->n / 2 + 1 : 0);
}

static struct fft_iq narrow(struct root w)
{
    return (struct fft_iq){(float)w.re, (float)w.im};
}

void cuda_mixed_fill(const struct cuda_mixed *m, struct fft_iq *tables)
{
    uint64_t joined = m->radix[0];
    for (uint32_t i = 1; i < m->steps; joined *= m->radix[i++])
        for (uint32_t r = 1; r < m->radix[i]; r++)
            for (uint32_t k = 0; k < joined; k++)
                *tables++ = narrow(fft_twiddle((uint64_t)r * k, joined * m->radix[i]));
    for (uint32_t k = 0; m->halved && k <= m->n / 2; k++)
        *tables++ = narrow(fft_twiddle(k, 2 * (uint64_t)m->n));
}

/* ---- launch ------------------------------------------------------------------------------ */

/* The reciprocal for divided() of kernels/cuda/rows.h. */
static uint32_t reciprocal(uint32_t x)
{
    return x > 1 ? (uint32_t)((((uint64_t)1 << 32) + x - 1) / x) : 0;
}

static void fill_steps(const struct cuda_mixed *m, struct pass_step *steps)
{
    uint32_t joined = 1, roots_at = 0;
    const uint32_t pad = m->radix[0];
    for (uint32_t i = 0; i < m->steps; i++) {
        const uint32_t radix = m->radix[i], apart = m->n / radix;
        const uint32_t group = i == 0 ? radix + m->gap : (joined + joined / pad * m->gap) * radix;
        steps[i] = (struct pass_step){
            .radix = radix,
            .joined = joined,
            .by_joined = reciprocal(joined),
            .apart = apart,
            .by_apart = reciprocal(apart),
            .in_apart = i == 0 ? apart : apart + apart / pad * m->gap,
            .out_apart = i == 0 ? 1 : joined + joined / pad * m->gap,
            .out_group = group,
            .roots_at = roots_at,
        };
        roots_at += i == 0 ? 0 : (radix - 1) * joined;
        joined *= radix;
    }
}

const char *cuda_mixed_name(const struct cuda_mixed *m)
{
    static const char *const names[][2] = {
        [PASS_COMPLEX] = {"transform_rows", "transform_rows_wide"},
        [PASS_R2C] = {"transform_rows_r2c", "transform_rows_r2c_wide"},
        [PASS_C2R] = {"transform_rows_c2r", "transform_rows_c2r_wide"},
    };
    return names[m->kind][m->wide];
}

void cuda_mixed_launch(const struct cuda_mixed *m, struct cuda_launch *out)
{
    struct pass_args *a = &out->args.pass;
    out->kernel = cuda_mixed_name(m);
    out->block = m->threads;
    out->shared = m->shared;
    a->parts = a->roots + cuda_mixed_roots(m) * POINT_BYTES;
    a->n = m->n;
    a->halved = m->halved;
    a->block_rows = m->block_rows;
    while (1U << (a->row_bits + 1) <= m->block_rows)
        a->row_bits++;
    a->from_across = m->across && a->axes[0].from < a->from_stride;
    a->to_across = m->across && a->axes[0].to < a->to_stride;
    a->pitch = m->pitch;
    a->gap = m->gap;
    a->by_pad = reciprocal(m->radix[0]);
    a->by_parts = reciprocal(m->n / 2 + 1);
    a->steps = m->steps;
    fill_steps(m, a->step);
}
