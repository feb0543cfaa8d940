/* cuda_pass_plan.c - chooses the kernels and the scratch of a pass (cuda_pass_plan.h). */
#include <errno.h>

#include "fft/cuda/cuda_pass_chunk.h"
#include "fft/radix.h"

enum {
    POINT_BYTES = sizeof(struct fft_iq),
    SCRATCH_BYTES = 1 << 30,   /* fewer, larger launches: 8 % faster than 64 MiB on an H200 */
    MAX_GATHERED_ROWS = 65535, /* rows per launch */
    COARSE_BITS = 11,          /* bits of the coarse root index of a long row */
    LONG_BITS = 12             /* rows of 2^12 points and more may be split */
};

/* ---- mixed radix ------------------------------------------------------------------------- */

static bool mixed_kernel(struct cuda_pass *p, uint32_t index, enum pass_kind kind, uint32_t n,
                         bool across)
{
    struct pass_kernel *k = &p->kernel[index];
    *k = (struct pass_kernel){.family = FAMILY_MIXED};
    if (!cuda_mixed_plan(&k->mixed, &p->facts, kind, n, across))
        return false;
    k->n = k->mixed.n;
    k->block_rows = k->mixed.block_rows;
    k->threads = k->mixed.threads;
    k->shared = k->mixed.shared;
    p->kernels = index + 1;
    return true;
}

/* Are adjacent rows nearer to each other than adjacent points? */
static bool is_across(const struct engine_pass *pass)
{
    bool across = false;
    for (uint32_t i = 0; i < 3; i++)
        across |= pass->rows[i].count > 1 &&
                  (pass->rows[i].from < pass->from || pass->rows[i].to < pass->to);
    return across;
}

/* One kernel, or two for the two divisors of n nearest to its square root. */
static bool plan_mixed(struct cuda_pass *p)
{
    const uint32_t n = p->pass.n;
    if (mixed_kernel(p, 0, p->pass.kind, n, is_across(&p->pass)))
        return true;
    if (p->pass.kind != PASS_COMPLEX)
        return false;
    for (uint32_t n1 = 1; n1 < n; n1++) {
        if ((uint64_t)n1 * n1 < n || n % n1 != 0)
            continue;
        p->fine = PASS_FINE;
        return mixed_kernel(p, 0, PASS_COMPLEX, n / n1, true) &&
               mixed_kernel(p, 1, PASS_COMPLEX, n1, true);
    }
    return false;
}

/* ---- 2^k points -------------------------------------------------------------------------- */

static bool form_kernel(struct pass_kernel *k, enum cuda_pass_family family, uint32_t n,
                        const struct cuda_facts *facts)
{
    const struct cuda_form *form = cuda_pass_form(family, n, facts);
    if (!form)
        return false;
    *k = (struct pass_kernel){.family = family,
                              .form = form,
                              .n = n,
                              .block_rows = form->rows,
                              .threads = cuda_form_threads(form),
                              .shared = cuda_pass_form_shared(family, form)};
    return true;
}

/*
 * adjacent: some rows are adjacent. aligned: every row begins where a bulk copy may. whole: nothing
 * is between the rows of an axis, or there is one row.
 */
struct rows_facts {
    bool adjacent, aligned, whole;
};

static struct rows_facts classify_rows(const struct engine_pass *pass)
{
    struct rows_facts found = {false, true, false};
    bool single = true;
    for (uint32_t i = 0; i < 3; i++) {
        const struct engine_rows *r = &pass->rows[i];
        if (r->count == 1)
            continue;
        found.adjacent |= r->to == 1 && r->from == 1;
        found.aligned &= r->from * POINT_BYTES % 16 == 0;
        found.whole |= cuda_pass_is_tight(pass, r->from, r->to);
        single = false;
    }
    found.whole |= single;
    return found;
}

/* Tile kernels count rows and tiles in 32 bits. */
static bool counts_fit(const struct engine_pass *pass)
{
    uint64_t points = pass->n;
    for (uint32_t i = 0; i < 3; i++) {
        if (pass->rows[i].count > UINT32_MAX / points)
            return false;
        points *= pass->rows[i].count;
    }
    return true;
}

static bool plan_cluster(struct cuda_pass *p)
{
    const struct cuda_pass_cluster *c = cuda_pass_cluster_form(p->pass.n, &p->facts);
    if (!c)
        return false;
    p->kernels = 1;
    p->cluster = c;
    p->kernel[0] = (struct pass_kernel){.family = FAMILY_CLUSTER,
                                        .form = &c->columns,
                                        .n = c->columns.n,
                                        .block_rows = 1,
                                        .threads = c->n / c->blocks / c->columns.points,
                                        .shared = cuda_pass_cluster_shared(c)};
    return true;
}

/* Do its kernels make the bins of long real rows? Their reals are the points of `pass`. */
static bool makes_bins(const struct cuda_pass *p)
{
    return p->direct && p->around.kind == PASS_R2C && p->around.from == 1 && p->around.to == 1;
}

/*
 * log2 of n2. n1 >= n2, unless the second kernel makes bins, and has more of the shorter rows in a
 * tile: only half of them are adjacent.
 */
static uint32_t column_bits(const struct cuda_pass *p, uint32_t bits)
{
    const uint32_t less = bits / 2, more = bits - less;
    const struct cuda_form *shorter = cuda_pass_form(FAMILY_PART_ROWS, 1U << less, &p->facts);
    const struct cuda_form *longer = cuda_pass_form(FAMILY_PART_ROWS, 1U << more, &p->facts);
    const bool turned = makes_bins(p) && shorter && longer && shorter->rows > longer->rows;
    return turned ? more : less;
}

/* Rows of 2^15 points and more, and rows too long for a block. */
static bool plan_long(struct cuda_pass *p)
{
    uint32_t bits = 0;
    while (1U << bits < p->pass.n)
        bits++;
    if (bits < LONG_BITS || 1U << bits != p->pass.n)
        return false;
    p->fine_bits = bits > COARSE_BITS ? bits - COARSE_BITS : 1;
    p->fine = 1U << p->fine_bits;
    if (plan_cluster(p))
        return true;
    const uint32_t columns = column_bits(p, bits);
    p->kernels = 2;
    return form_kernel(&p->kernel[0], FAMILY_ACROSS, 1U << columns, &p->facts) &&
           form_kernel(&p->kernel[1], FAMILY_BRIDGE, 1U << (bits - columns), &p->facts);
}

static bool plan_tiles(struct cuda_pass *p)
{
    const struct engine_pass *pass = &p->pass;
    const struct rows_facts rows = classify_rows(pass);
    struct pass_kernel *k = &p->kernel[0];
    p->kernels = 1;
    if (!counts_fit(pass))
        return false;
    if (pass->from == 1 && pass->to == 1) {
        if (rows.aligned && form_kernel(k, FAMILY_STAGED, pass->n, &p->facts))
            return true;
        if (rows.whole && (form_kernel(k, FAMILY_WHOLE, pass->n, &p->facts) ||
                           form_kernel(k, FAMILY_SMOOTH_WHOLE, pass->n, &p->facts)))
            return true;
        return form_kernel(k, FAMILY_ALONG, pass->n, &p->facts) ||
               form_kernel(k, FAMILY_SMOOTH_ALONG, pass->n, &p->facts) || plan_long(p);
    }
    return rows.adjacent && (form_kernel(k, FAMILY_ACROSS, pass->n, &p->facts) ||
                             form_kernel(k, FAMILY_SMOOTH_ACROSS, pass->n, &p->facts));
}

/* Contiguous real rows that fit into a block. */
static bool plan_real(struct cuda_pass *p)
{
    const struct engine_pass *pass = &p->pass;
    const bool part = pass->kind == PASS_R2C;
    p->kernels = 1;
    if (!cuda_pass_is_paired(pass) || pass->from != 1 || pass->to != 1 || !counts_fit(pass))
        return false;
    if (classify_rows(pass).whole &&
        form_kernel(&p->kernel[0], part ? FAMILY_PART_WHOLE : FAMILY_JOIN_WHOLE, pass->n / 2,
                    &p->facts))
        return true;
    return form_kernel(&p->kernel[0], part ? FAMILY_PART : FAMILY_JOIN, pass->n / 2, &p->facts);
}

static uint64_t rows_of(const struct engine_pass *pass)
{
    return (uint64_t)pass->rows[0].count * pass->rows[1].count * pass->rows[2].count;
}

/* ---- planes ------------------------------------------------------------------------------ */

static bool plan_plane(struct cuda_pass *p)
{
    const struct engine_pass *pass = &p->pass;
    const struct cuda_pass_plane *plane =
        cuda_pass_plane_form(pass->n, pass->next.count, &p->facts);
    if (!plane || pass->kind != PASS_COMPLEX || pass->from != 1 || pass->to != 1 ||
        !counts_fit(pass))
        return false;
    p->kernels = 1;
    p->plane = plane;
    p->kernel[0] = (struct pass_kernel){.family = FAMILY_PLANE,
                                        .form = &plane->row,
                                        .n = pass->n,
                                        .block_rows = plane->row.rows,
                                        .threads = cuda_form_threads(&plane->row),
                                        .shared = cuda_pass_form_shared(FAMILY_PLANE, &plane->row)};
    return true;
}

/*
 * One kernel reads and writes half of what two do, but a plane has one multiprocessor. If a block
 * of a plane fills a multiprocessor, that pays from half as many planes as multiprocessors on: on
 * an H200, 16 planes of 128 x 128 take 1.4 times as long as two passes, 64 take 0.96 times.
 */
bool cuda_pass_joins(const struct cuda_facts *facts, const struct engine_pass *pass)
{
    struct cuda_pass p = {.facts = *facts, .pass = *pass};
    return plan_plane(&p) && (p.plane->row.blocks > 1 || 2 * rows_of(pass) >= facts->processors);
}

/* ---- memory ------------------------------------------------------------------------------ */

/* Each row takes scratch once if it is gathered, and once between two kernels. */
static void set_scratch(struct cuda_pass *p, uint64_t rows)
{
    const size_t copies = p->gathers && p->kernels == 2 ? 2 : 1;
    const size_t row_bytes = copies * p->pass.n * POINT_BYTES;
    const uint64_t chunk = row_bytes < SCRATCH_BYTES ? SCRATCH_BYTES / row_bytes : 1;
    p->chunk_rows = (uint32_t)(rows < chunk ? rows : chunk);
    p->scratch_bytes = p->chunk_rows * row_bytes;
}

static void plan_scratch(struct cuda_pass *p)
{
    if (p->kernels == 2 || p->gathers)
        set_scratch(p, rows_of(&p->pass));
}

bool cuda_pass_shrink(struct cuda_pass *p)
{
    if (p->chunk_rows < 2)
        return false;
    set_scratch(p, p->chunk_rows / 2);
    return true;
}

/* ---- the pass ---------------------------------------------------------------------------- */

static bool plan_complex(struct cuda_pass *p)
{
    const struct cuda_pass before = *p;
    if (plan_tiles(p))
        return true;
    *p = before;
    return plan_mixed(p);
}

/* Kernels of the complex rows that take or make bins: a cluster, or one of two. */
static bool plan_bins(struct cuda_pass *p)
{
    const bool parts = p->around.kind == PASS_R2C;
    struct pass_kernel *k = &p->kernel[parts ? 1 : 0];
    if (p->around.from != 1 || p->around.to != 1)
        return false;
    return p->cluster ||
           (p->kernels == 2 && k->form &&
            form_kernel(k, parts ? FAMILY_PART_ROWS : FAMILY_JOIN_COLUMNS, k->n, &p->facts));
}

/* These kernels take the real rows as they are. */
static void skip_gathering(struct cuda_pass *p)
{
    struct engine_rows *rows = &p->pass.rows[0];
    p->gathers = false;
    rows->count = p->around.rows[0].count;
    if (p->around.kind == PASS_R2C)
        rows->to = p->around.rows[0].to;
    else
        rows->from = p->around.rows[0].from;
}

/* Long real rows become complex rows, contiguous and in place in scratch. */
static bool plan_gathered(struct cuda_pass *p, const struct engine_pass *pass)
{
    const uint64_t rows = rows_of(pass);
    const uint32_t n = pass->n % 2 ? pass->n : pass->n / 2;
    p->gathers = true;
    p->direct = cuda_pass_is_paired(pass) && pass->rows[1].count == 1 && pass->rows[2].count == 1;
    p->around = *pass;
    p->pass = (struct engine_pass){
        .n = n,
        .inverse = pass->kind == PASS_C2R,
        .scale = pass->scale,
        .from = 1,
        .to = 1,
        .rows = {{rows < MAX_GATHERED_ROWS ? (uint32_t)rows : MAX_GATHERED_ROWS, n, n},
                 {1, 0, 0},
                 {1, 0, 0}}};
    if (p->direct && pass->kind == PASS_R2C)
        p->pass.rows[0].from = pass->rows[0].from / 2;
    else if (p->direct)
        p->pass.rows[0].to = pass->rows[0].to / 2;
    if (!plan_complex(p))
        return false;
    if (p->direct && plan_bins(p))
        skip_gathering(p);
    return true;
}

static bool plan_kernels(struct cuda_pass *p, const struct engine_pass *pass)
{
    if (pass->next.count > 0)
        return plan_plane(p);
    if (pass->kind == PASS_COMPLEX)
        return plan_complex(p);
    return plan_real(p) || plan_mixed(p) || plan_gathered(p, pass);
}

int cuda_pass_plan(struct cuda_pass *out, const struct cuda_facts *facts,
                   const struct engine_pass *pass)
{
    struct cuda_pass p = {.facts = *facts, .pass = *pass};
    if (!fft_radix_is_smooth(pass->n) || !plan_kernels(&p, pass))
        return -ENOTSUP;
    cuda_pass_plan_tables(&p);
    plan_scratch(&p);
    *out = p;
    return 0;
}
