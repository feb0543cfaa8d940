/* cuda_pass_form.c - the table of forms of plain transforms and their memory sizes. */
#include "fft/cuda/cuda_pass_form.h"

#include "fft/cuda/cuda_smooth.h"
#include "fft/engine.h"
#include "kernels/cuda/transform_forms.h"
#include "kernels/cuda/transform_real_forms.h"
#include "kernels/cuda/transform_smooth_forms.h"

enum { POINT_BYTES = 8, BARRIER_BYTES = 8, BANKS = 16, HOPPER = 90, PORTABLE_CLUSTER = 8 };

#define FORM(n, e, r0, r1, r2, r3, rows, blocks, name)                                             \
    {n, e, {r0, r1, r2, r3}, rows, blocks, 1, 1, {name}},
#define BY_LENGTH(n, e, r0, r1, r2, r3, rows, blocks, family)                                      \
    FORM(n, e, r0, r1, r2, r3, rows, blocks, "transform_" #family "_" #n)
#define BY_WIDTH(n, e, r0, r1, r2, r3, rows, blocks, family)                                       \
    FORM(n, e, r0, r1, r2, r3, rows, blocks, "transform_" #family "_" #n "x" #rows)

static const struct cuda_form along[] = {ALONG_FORMS(BY_LENGTH, along){0}};
static const struct cuda_form part[] = {PART_FORMS(BY_LENGTH, part){0}};
static const struct cuda_form join[] = {JOIN_FORMS(BY_LENGTH, join){0}};
static const struct cuda_form join_columns[] = {JOIN_COLUMNS_FORMS(BY_LENGTH, join_columns){0}};
static const struct cuda_form part_rows[] = {PART_ROWS_FORMS(BY_LENGTH, part_rows){0}};
static const struct cuda_form staged[] = {STAGED_FORMS(BY_LENGTH, staged){0}};
static const struct cuda_form smooth_along[] = {SMOOTH_ALONG_FORMS(BY_LENGTH, smooth_along){0}};
static const struct cuda_form smooth_across[] = {SMOOTH_ACROSS_FORMS(BY_LENGTH, smooth_across){0}};
static const struct cuda_form whole[] = {WHOLE_FORMS(BY_LENGTH, whole){0}};
static const struct cuda_form smooth_whole[] = {SMOOTH_WHOLE_FORMS(BY_LENGTH, smooth_whole){0}};
static const struct cuda_form part_whole[] = {PART_WHOLE_FORMS(BY_LENGTH, part_whole){0}};
static const struct cuda_form join_whole[] = {JOIN_WHOLE_FORMS(BY_LENGTH, join_whole){0}};
static const struct cuda_form across[] = {ACROSS_FORMS(BY_WIDTH, across){0}};
static const struct cuda_form bridge[] = {BRIDGE_FORMS(BY_WIDTH, bridge){0}};

#define CLUSTER_NAMES(n)                                                                           \
    {                                                                                              \
        [PASS_COMPLEX] = "transform_cluster_" #n, [PASS_R2C] = "transform_cluster_part_" #n,       \
        [PASS_C2R] = "transform_cluster_join_" #n                                                  \
    }
#define CLUSTER(n, e, n2, c0, c1, n1, r0, r1, blocks, resident, ...)                               \
    {n,                                                                                            \
     blocks,                                                                                       \
     {n2, e, {c0, c1, 1, 1}, n1 / blocks, resident, 1, 1, CLUSTER_NAMES(n)},                       \
     {n1, e, {r0, r1, 1, 1}, n2 / blocks, resident, 1, 1, {NULL}}},
static const struct cuda_pass_cluster clusters[] = {CLUSTER_FORMS(CLUSTER){0}};

#define PLANE(rows, n, e, c0, c1, r0, r1, blocks, ...)                                             \
    {{n, e, {r0, r1, 1, 1}, rows, blocks, 1, 1, {"transform_plane_" #rows "x" #n}},                \
     {rows, e, {c0, c1, 1, 1}, n, blocks, 1, 1, {NULL}}},
static const struct cuda_pass_plane planes[] = {PLANE_FORMS(PLANE){{0}, {0}}};

static const struct {
    const struct cuda_form *forms;
    const char *module;
} families[FAMILIES] = {
    [FAMILY_MIXED] = {NULL, "pass"},
    [FAMILY_ALONG] = {along, "transform_along"},
    [FAMILY_STAGED] = {staged, "transform_along"},
    [FAMILY_ACROSS] = {across, "transform_across"},
    [FAMILY_BRIDGE] = {bridge, "transform_bridge"},
    [FAMILY_CLUSTER] = {NULL, "transform_bridge"},
    [FAMILY_PLANE] = {NULL, "transform_plane"},
    [FAMILY_PART] = {part, "transform_real"},
    [FAMILY_JOIN] = {join, "transform_real"},
    [FAMILY_JOIN_COLUMNS] = {join_columns, "transform_parts"},
    [FAMILY_PART_ROWS] = {part_rows, "transform_parts"},
    [FAMILY_SMOOTH_ALONG] = {smooth_along, "transform_smooth_along"},
    [FAMILY_SMOOTH_ACROSS] = {smooth_across, "transform_smooth_across"},
    [FAMILY_WHOLE] = {whole, "transform_along"},
    [FAMILY_SMOOTH_WHOLE] = {smooth_whole, "transform_smooth_along"},
    [FAMILY_PART_WHOLE] = {part_whole, "transform_real"},
    [FAMILY_JOIN_WHOLE] = {join_whole, "transform_real"},
};

static bool has_capacity(enum cuda_pass_family family, const struct cuda_form *form,
                         const struct cuda_facts *facts)
{
    if ((family == FAMILY_STAGED || cuda_pass_is_whole(family)) && facts->capability < HOPPER)
        return false;
    return cuda_pass_form_shared(family, form) <= facts->shared_block &&
           cuda_form_threads(form) <= facts->threads_processor;
}

const struct cuda_form *cuda_pass_form(enum cuda_pass_family family, uint32_t n,
                                       const struct cuda_facts *facts)
{
    for (const struct cuda_form *form = families[family].forms; form && form->n != 0; form++) {
        if (form->n == n && has_capacity(family, form, facts))
            return form;
    }
    return NULL;
}

size_t cuda_pass_form_roots(const struct cuda_form *form)
{
    return cuda_form_twiddles_at(form, cuda_form_passes(form));
}

bool cuda_pass_is_real(enum cuda_pass_family family)
{
    return family == FAMILY_PART || family == FAMILY_JOIN || family == FAMILY_PART_WHOLE ||
           family == FAMILY_JOIN_WHOLE;
}

bool cuda_pass_is_smooth(enum cuda_pass_family family)
{
    return family == FAMILY_SMOOTH_ALONG || family == FAMILY_SMOOTH_ACROSS ||
           family == FAMILY_SMOOTH_WHOLE;
}

bool cuda_pass_is_whole(enum cuda_pass_family family)
{
    return family >= FAMILY_WHOLE && family <= FAMILY_JOIN_WHOLE;
}

bool cuda_pass_is_across(enum cuda_pass_family family)
{
    return family == FAMILY_ACROSS || family == FAMILY_SMOOTH_ACROSS;
}

/* Points from row to row in shared memory, as struct layout of kernels/cuda/transform.h. */
static uint32_t pitch(enum cuda_pass_family family, const struct cuda_form *form)
{
    const uint32_t padded = form->n + form->n / form->radix[0];
    if (cuda_pass_is_smooth(family))
        return cuda_smooth_pitch(form);
    if (family == FAMILY_ACROSS || family == FAMILY_JOIN_COLUMNS)
        return form->n;
    if (family != FAMILY_BRIDGE && family != FAMILY_PART_ROWS)
        return padded;
    return (padded + BANKS - 1) / BANKS * BANKS + (form->rows < BANKS ? BANKS / form->rows : 1);
}

uint32_t cuda_pass_form_shared(enum cuda_pass_family family, const struct cuda_form *form)
{
    const uint32_t plane = (form->n + form->n / form->radix[0]) * (uint32_t)sizeof(float);
    if (family == FAMILY_STAGED)
        return form->n * POINT_BYTES + plane + BARRIER_BYTES;
    return form->rows * pitch(family, form) * POINT_BYTES +
           (cuda_pass_is_whole(family) ? POINT_BYTES + BARRIER_BYTES : 0);
}

const struct cuda_pass_cluster *cuda_pass_cluster_form(uint32_t n, const struct cuda_facts *facts)
{
    for (const struct cuda_pass_cluster *c = clusters; c->n != 0; c++) {
        const bool known = c->blocks <= PORTABLE_CLUSTER ? facts->capability >= HOPPER
                                                         : facts->capability == HOPPER;
        if (c->n == n && known && cuda_pass_cluster_shared(c) <= facts->shared_block)
            return c;
    }
    return NULL;
}

/* The exchange of the columns and later the rows use the same memory. */
uint32_t cuda_pass_cluster_shared(const struct cuda_pass_cluster *cluster)
{
    const uint32_t columns = cuda_pass_form_shared(FAMILY_ACROSS, &cluster->columns);
    const uint32_t rows = cuda_pass_form_shared(FAMILY_BRIDGE, &cluster->rows);
    return columns > rows ? columns : rows;
}

const struct cuda_pass_plane *cuda_pass_plane_form(uint32_t n, uint32_t rows,
                                                   const struct cuda_facts *facts)
{
    for (const struct cuda_pass_plane *p = planes; p->row.n != 0; p++) {
        if (p->row.n == n && p->row.rows == rows && has_capacity(FAMILY_PLANE, &p->row, facts))
            return p;
    }
    return NULL;
}

const char *cuda_pass_form_module(enum cuda_pass_family family)
{
    return families[family].module;
}
