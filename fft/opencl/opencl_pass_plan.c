/* opencl_pass_plan.c - plans the stages, memory and program of one pass of a transform. */
#include "fft/opencl/opencl_pass_plan.h"

#include <errno.h>
#include <string.h>

#include "fft/opencl/opencl_strategy.h"
#include "fft/radix.h"

enum {
    DEFAULT_CACHE = 256 << 10,
    ITEMS_PER_UNIT = 2048,     /* work-items that keep a unit of a GPU busy */
    POINTS_PER_UNIT = 1 << 17, /* of a device with memory of its own */
    GROUP = 64,
    MAX_RADIX = 8,
};

/* The kernels of the program: each radix with one column and with two. */
static const struct pass_kernel {
    const char *name;
    uint32_t radix, columns;
} kernels[] = {
    {"pass_1", 1, 1}, {"pass_2", 2, 1}, {"pass_3", 3, 1},   {"pass_4", 4, 1}, {"pass_5", 5, 1},
    {"pass_7", 7, 1}, {"pass_8", 8, 1}, {"pass_16", 16, 1}, {"pair_2", 2, 2}, {"pair_3", 3, 2},
    {"pair_4", 4, 2}, {"pair_5", 5, 2}, {"pair_7", 7, 2},   {"pair_8", 8, 2}, {"pair_16", 16, 2},
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

uint32_t opencl_pass_kernel(uint32_t radix, uint32_t columns)
{
    uint32_t i = 0;
    while (kernels[i].radix != radix || kernels[i].columns != columns)
        i++;
    return i;
}

/* ---- stages ------------------------------------------------------------------------------ */

/* Powers of two come first, so that `joined` is even from the second stage on. */
static void plan_stages(struct opencl_pass *p)
{
    static const uint32_t odd[] = {7, 5, 3, 0};
    const uint32_t n = p->spec.n, twos = n & (0 - n);
    struct radices rest;
    uint32_t at = opencl_plan_stages(p->stages, &p->stage_count, twos, p->choice.max_radix, 1, 0);
    uint32_t joined = twos;
    fft_radix_factor(&rest, n / twos, odd);
    for (uint32_t i = 0; i < rest.count; i++) {
        p->stages[p->stage_count++] =
            (struct opencl_stage){.radix = rest.at[i], .joined = joined, .twiddles_at = at};
        at += joined > 1 ? (rest.at[i] - 1) * joined : 0;
        at += at % 2;
        joined *= rest.at[i];
    }
    if (p->stage_count == 0) /* one point: a copy */
        p->stages[p->stage_count++] = (struct opencl_stage){.radix = 1, .joined = 1};
    p->tables_bytes = at * sizeof(struct fft_iq);
}

/* The sides of this stage that are the user's arrays, not scratch. */
static bool is_first(uint32_t stage)
{
    return stage == 0;
}

static bool is_last(const struct opencl_pass *p, uint32_t stage)
{
    return stage == p->stage_count - 1;
}

/* A pair of columns must be contiguous and start at an even index on both sides. */
static bool can_pair(const struct opencl_pass *p, uint32_t stage)
{
    const struct opencl_stage *s = &p->stages[stage];
    bool even =
        !p->rows_adjacent && s->joined % 2 == 0 && p->spec.n / s->radix % 2 == 0 && s->radix > 1;
    if (is_last(p, stage)) {
        even = even && p->spec.to == 1;
        for (int i = 0; i < 3; i++)
            even = even && (p->spec.rows[i].count == 1 || p->spec.rows[i].to % 2 == 0);
    }
    return even && !is_first(stage) && p->choice.columns != 1;
}

/* ---- memory ------------------------------------------------------------------------------ */

static uint64_t all_rows(const struct engine_pass *spec)
{
    return (uint64_t)spec->rows[0].count * spec->rows[1].count * spec->rows[2].count;
}

/* The fewest rows that keep the device busy. Devices with memory of their own have many units,
 * which are idle at the beginning and the end of a kernel: that costs more than their cache gains.
 */
static uint32_t busy_rows(const struct opencl_pass *p)
{
    const struct opencl_profile *d = &p->profile;
    if (d->type == OPENCL_CPU)
        return 0;
    return ceil_div((uint64_t)d->units *
                        (d->unified ? ITEMS_PER_UNIT * p->stages[0].radix : POINTS_PER_UNIT),
                    p->spec.n);
}

/* The number of rows whose points stay in the cache between stages, but enough rows to keep the
 * device busy. */
static uint32_t chunk_for(const struct opencl_pass *p)
{
    const struct opencl_profile *d = &p->profile;
    const uint64_t row = 2 * sizeof(struct fft_iq) * p->spec.n, rows = all_rows(&p->spec);
    const uint64_t cache = d->cache_bytes ? d->cache_bytes : DEFAULT_CACHE;
    const uint64_t wanted = max_u32(cache / 2 / row, busy_rows(p));
    if (p->stage_count == 1)
        return min_u32(rows, UINT32_MAX / p->spec.n);
    return min_u32(max_u32(min_u32(wanted, d->alloc_bytes / row), 1), rows);
}

/* Every index must fit in 32 bits. */
static bool is_within(const struct engine_pass *spec, bool to)
{
    uint64_t end = (uint64_t)(spec->n - 1) * (to ? spec->to : spec->from);
    for (int i = 0; i < 3; i++)
        end += (uint64_t)(spec->rows[i].count - 1) * (to ? spec->rows[i].to : spec->rows[i].from);
    return end <= UINT32_MAX;
}

/* Whether rows are closer together than the points of a row. */
static bool has_adjacent_rows(const struct engine_pass *spec)
{
    for (int i = 0; i < 3; i++) {
        if (spec->rows[i].count > 1 && spec->rows[i].from < spec->from)
            return true;
    }
    return false;
}

int opencl_pass_plan(struct opencl_pass *out, const struct opencl_profile *profile,
                     const struct engine_pass *spec, const struct opencl_choice *choice)
{
    memset(out, 0, sizeof *out);
    if (spec->kind != PASS_COMPLEX || !fft_radix_is_smooth(spec->n) || !is_within(spec, false) ||
        !is_within(spec, true) || all_rows(spec) > UINT32_MAX)
        return -ENOTSUP;
    out->profile = *profile;
    out->spec = *spec;
    out->options = OPENCL_BUILD_OPTIONS;
    if (choice)
        out->choice = *choice;
    struct opencl_choice *c = &out->choice;
    c->max_radix = c->max_radix >= 2 && c->max_radix <= 16 ? c->max_radix : MAX_RADIX;
    c->group = min_u32(c->group ? c->group : GROUP, profile->max_group);
    out->rows_adjacent = has_adjacent_rows(spec);
    plan_stages(out);
    for (uint32_t i = 0; i < out->stage_count; i++)
        out->stages[i].columns = can_pair(out, i) ? 2 : 1;
    out->chunk_rows = c->chunk_frames ? min_u32(c->chunk_frames, all_rows(spec)) : chunk_for(out);
    const size_t sides = out->stage_count > 2 ? 2 : out->stage_count - 1;
    out->scratch_bytes = sides * out->chunk_rows * spec->n * sizeof(struct fft_iq);
    for (uint32_t i = 0; i < KERNELS; i++)
        snprintf(out->kernels[out->kernel_count++].name, sizeof out->kernels[0].name, "%s",
                 kernels[i].name);
    return 0;
}

size_t opencl_pass_source(const struct opencl_pass *p, char *out, size_t size)
{
    struct opencl_text t = {.out = out, .size = size};
    (void)p; /* the same for all passes */
    opencl_text_define(&t, "REGISTERS", "RADIX");
    opencl_text_file(&t, "interleaved");
    opencl_text_file(&t, "codelets");
    opencl_text_file(&t, "quotient");
    for (uint32_t i = 0; i < KERNELS; i++) {
        opencl_text_define(&t, "STAGE", kernels[i].name);
        opencl_text_number(&t, "RADIX", kernels[i].radix);
        opencl_text_number(&t, "COLUMNS", kernels[i].columns);
        opencl_text_file(&t, "transform");
    }
    return t.length;
}

void opencl_pass_tables(const struct opencl_pass *p, void *tables)
{
    memset(tables, 0, p->tables_bytes); /* gaps, too, so that the bytes are reproducible */
    for (uint32_t i = 0; i < p->stage_count; i++) {
        if (p->stages[i].joined > 1)
            opencl_fill_twiddles(&p->stages[i], (struct fft_iq *)tables + p->stages[i].twiddles_at);
    }
}
