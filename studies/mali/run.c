/* run.c - builds programs by radix, chooses kernels by form, and launches them. */
#include "studies/mali/mali_pipeline.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Work-items of a group. Some GPUs start about one group a clock, which limits groups of 64;
 * drivers of processors compile a kernel again for each size.
 */
enum { GROUP = 64, GPU_GROUP = 256, TEXT = 64 };

/* ---- programs ---------------------------------------------------------------------------- */

static const char *const radix_stems[] = {"interleaved", "codelets",   "powers", "mali_radix",
                                          "mali_down",   "mali_first", NULL};
static const char *const wide_stems[] = {"interleaved", "codelets",  "powers",
                                         "mali_radix",  "mali_down", NULL};
static const char *const scalar_stems[] = {"mali_scalar", NULL};
static const char *const reverse_stems[] = {"mali_digit_reverse", NULL};
static const char *const twiddle_stems[] = {"mali_twiddle", NULL};
static const char *const transpose_stems[] = {"mali_transpose", NULL};
static const uint32_t radix_list[] = {2, 3, 4, 5, 7, 8};

enum { RADICES = sizeof radix_list / sizeof radix_list[0] };

static const char *const *stems_of(uint32_t columns)
{
    return columns == 1 ? radix_stems : wide_stems;
}

static void define(char *text, uint32_t radix, uint32_t columns)
{
    snprintf(text, TEXT, "#define RADIX %u\n#define COLUMNS %u", radix, columns);
}

char *mali_program_text(uint32_t i, char *name, size_t size)
{
    static const char *const *const others[] = {reverse_stems, twiddle_stems, transpose_stems,
                                                scalar_stems};
    char defines[TEXT];
    if (i < 2 * RADICES) {
        const uint32_t columns = 1 + i / RADICES, radix = radix_list[i % RADICES];
        snprintf(name, size, "mali_radix_%u_%u", radix, columns);
        define(defines, radix, columns);
        return ocl_text(stems_of(columns), defines);
    }
    if (i - 2 * RADICES >= sizeof others / sizeof others[0])
        return NULL;
    snprintf(name, size, "%s", others[i - 2 * RADICES][0]);
    return ocl_text(others[i - 2 * RADICES], "");
}

/* ---- steps ------------------------------------------------------------------------------- */

/* The possible arguments of a kernel; a letter names each. */
struct values {
    struct _cl_mem *in, *points, *order, *roots; /* i p o t */
    uint32_t at, span, radix, joined;            /* a s r j */
    uint32_t items, n, width;                    /* c n w */
    float unit;                                  /* u */
};

static struct ocl_arg value_of(const struct values *v, char letter)
{
    switch (letter) {
    case 'i':
        return OCL_MEMORY(v->in);
    case 'p':
        return OCL_MEMORY(v->points);
    case 'o':
        return OCL_MEMORY(v->order);
    case 't':
        return OCL_MEMORY(v->roots);
    case 'a':
        return OCL_WORD(v->at);
    case 's':
        return OCL_WORD(v->span);
    case 'r':
        return OCL_WORD(v->radix);
    case 'j':
        return OCL_WORD(v->joined);
    case 'c':
        return OCL_WORD(v->items);
    case 'n':
        return OCL_WORD(v->n);
    case 'w':
        return OCL_WORD(v->width);
    default:
        return OCL_REAL(v->unit);
    }
}

/* Chooses a power of two that the kernel allows and that is no larger than the items need. */
static size_t group_of(const struct mali *m, const struct ocl_kernel *k, uint32_t items)
{
    const bool is_gpu = ocl_profile(m->ocl)->type == OPENCL_GPU;
    size_t group = is_gpu ? GPU_GROUP : GROUP;
    while (group > 1 && (group > k->group || (is_gpu && group / 2 >= items)))
        group /= 2;
    return group;
}

static size_t whole(uint32_t items, size_t group)
{
    return (items + group - 1) / group * group;
}

struct call {
    enum mali_part part;
    const char *kernel, *letters; /* of its arguments */
    uint32_t across, down;        /* work-items of a row, or an image's width; rows */
};

/* Adds the step's kernel; its program has been built. */
static int add(struct mali *m, const struct call *c, const struct values *v)
{
    struct mali_step *s = &m->step[m->steps];
    const int err = ocl_kernel(m->ocl, &s->kernel, s->program, c->kernel);
    const size_t group = group_of(m, &s->kernel, c->across);
    m->steps++; /* finish has something to give back */
    snprintf(s->name, sizeof s->name, "%s", c->kernel);
    s->part = c->part;
    s->launch = (struct ocl_launch){.kernel = &s->kernel,
                                    .global = {whole(c->across, group), c->down, 0},
                                    .local = {group, 1, 1},
                                    .arg_count = (uint32_t)strlen(c->letters)};
    if (m->batch.width)
        s->launch.global[2] = m->batch.count;
    for (uint32_t i = 0; c->letters[i]; i++)
        s->launch.args[i] = value_of(v, c->letters[i]);
    return err;
}

static int build(struct mali *m, const char *const *stems, const char *defines)
{
    return ocl_build(m->ocl, &m->step[m->steps].program, stems, defines, "");
}

static int add_reverse(struct mali *m)
{
    const struct mali_batch *j = &m->batch;
    const struct values v = {
        .in = m->in, .points = m->out, .order = m->order, .n = j->n, .width = j->width};
    const struct call rows = {MALI_REVERSE, "digit_reverse", "ipon", j->n, j->count};
    const struct call down = {MALI_REVERSE, "digit_reverse_down", "ipow", j->width, j->n};
    const int err = build(m, reverse_stems, "");
    return err < 0 ? err : add(m, j->width ? &down : &rows, &v);
}

static int add_twiddle(struct mali *m, const struct values *v)
{
    static const char *const kernels[][2] = {[MALI_NAIVE] = {"twiddle_naive", "psrjn"},
                                             [MALI_SHORT] = {"twiddle_short", "psrjn"},
                                             [MALI_HOISTED] = {"twiddle_hoisted", "psrun"},
                                             [MALI_OWN_TABLE] = {"twiddle_table", "ptasrn"}};
    const char *const *kernel = kernels[m->form.roots];
    const struct call c = {MALI_TWIDDLE, kernel[0], kernel[1], m->batch.n, m->batch.count};
    const int err = build(m, twiddle_stems, "");
    return err < 0 ? err : add(m, &c, v);
}

static int add_scalar(struct mali *m, struct values *v, uint32_t stage)
{
    const int err = build(m, scalar_stems, "");
    v->items = m->batch.n / v->radix;
    if (err < 0)
        return err;
    const struct call first = {MALI_FIRST, "scalar_2", "psc", v->items, m->batch.count};
    const struct call later = {MALI_RADIX, "scalar_table_2", "ptasc", v->items, m->batch.count};
    return add(m, stage == 0 ? &first : &later, v);
}

/* Adds a radix stage; the kernel's name is put together from its form. */
static int add_radix(struct mali *m, struct values *v, uint32_t stage)
{
    static const char *const firsts[][2] = {[MALI_STRIDED] = {"radix_", "psc"},
                                            [MALI_VLOAD] = {"first_", "pc"},
                                            [MALI_WIDE] = {"first_wide_", "pc"}};
    static const char *const laters[][2] = {{"radix_", "psc"},
                                            {"merged_", "pusc"},
                                            {"merged_table_", "ptasc"},
                                            {"merged_chain_", "ptasc"}};
    static const char *const downs[][2] = {{"down_", "psw"},
                                           {"down_merged_", "pusw"},
                                           {"down_merged_table_", "ptasw"},
                                           {"down_merged_chain_", "ptasw"}};
    const bool is_down = m->batch.width > 0, is_first = stage == 0;
    const bool two = m->form.columns == 2 && (is_down ? m->batch.width : v->span) % 2 == 0;
    const uint32_t columns = two ? 2 : 1;
    const uint32_t roots =
        is_first || m->form.roots < MALI_MERGED ? 0 : 1 + (uint32_t)m->form.roots - MALI_MERGED;
    const enum mali_first_form first =
        m->form.first == MALI_WIDE && v->radix % 2 ? MALI_VLOAD : m->form.first;
    const char *const *kernel = is_down ? downs[roots] : is_first ? firsts[first] : laters[roots];
    char defines[TEXT], name[TEXT];
    define(defines, v->radix, columns);
    snprintf(name, sizeof name, "%s%u", kernel[0], v->radix);
    v->items = m->batch.n / v->radix / columns;
    const struct call c = {is_first ? MALI_FIRST : MALI_RADIX, name, kernel[1],
                           is_down ? m->batch.width / columns : v->items,
                           is_down ? m->batch.n / v->radix : m->batch.count};
    const int err = build(m, stems_of(columns), defines);
    return err < 0 ? err : add(m, &c, v);
}

static int add_stages(struct mali *m)
{
    struct values v = {
        .points = m->out, .roots = m->roots, .n = m->batch.n, .width = m->batch.width};
    int err = 0;
    v.joined = 1;
    for (uint32_t stage = 0; err == 0 && stage < m->radices.count; stage++) {
        v.span = v.joined;
        v.radix = m->radices.at[stage];
        v.joined = v.span * v.radix;
        v.unit = (float)(-2 * M_PI / v.joined);
        v.at = mali_roots_at(&m->radices, stage);
        if (stage > 0 && m->form.roots < MALI_MERGED)
            err = add_twiddle(m, &v);
        if (err == 0)
            err = m->form.columns ? add_radix(m, &v, stage) : add_scalar(m, &v, stage);
    }
    return err;
}

/* ---- tables ------------------------------------------------------------------------------ */

static int send(struct mali *m, struct _cl_mem **to, const void *from, size_t bytes)
{
    const int err = ocl_alloc(m->ocl, to, bytes);
    return err < 0 ? err : ocl_write(m->ocl, *to, from, bytes);
}

static int send_tables(struct mali *m)
{
    const size_t order_bytes = m->batch.n * sizeof(uint32_t);
    const size_t roots_bytes =
        (mali_roots_at(&m->radices, m->radices.count) + 1) * sizeof(struct fft_iq);
    uint32_t *order = malloc(order_bytes);
    struct fft_iq *roots = calloc(1, roots_bytes);
    int err = order && roots ? 0 : -ENOMEM;
    if (err == 0) {
        mali_order(&m->radices, m->batch.n, order);
        mali_roots(&m->radices, roots);
        err = send(m, &m->order, order, order_bytes);
    }
    if (err == 0)
        err = send(m, &m->roots, roots, roots_bytes);
    free(roots);
    free(order);
    return err;
}

/* ---- the pipeline ------------------------------------------------------------------------ */

/* Scalar kernels exist for rows of radix 2 with tables. */
static bool has_kernels(const struct mali_form *form, const struct mali_batch *batch)
{
    const bool is_power = (batch->n & (batch->n - 1)) == 0;
    return form->columns > 0 ||
           (form->largest == 2 && is_power && !batch->width && form->roots == MALI_MERGED_TABLE);
}

int mali_init(struct mali *m, struct ocl *o, const struct mali_form *form,
              const struct mali_batch *batch, struct _cl_mem *in, struct _cl_mem *out)
{
    *m = (struct mali){
        .ocl = o, .form = *form, .batch = *batch, .in = in, .out = out, .parts = MALI_ALL};
    if (!mali_factor(&m->radices, batch->n, form->largest) ||
        (batch->width && form->roots < MALI_MERGED) || !has_kernels(form, batch))
        return -EINVAL;
    int err = send_tables(m);
    if (err == 0)
        err = add_reverse(m);
    return err < 0 ? err : add_stages(m);
}

void mali_finish(struct mali *m)
{
    for (uint32_t i = 0; i < m->steps; i++)
        ocl_kernel_free(m->ocl, &m->step[i].kernel);
    ocl_free(m->ocl, m->order);
    ocl_free(m->ocl, m->roots);
    *m = (struct mali){0};
}

int mali_enqueue(void *pipeline)
{
    struct mali *m = pipeline;
    int err = 0;
    for (uint32_t i = 0; err == 0 && i < m->steps; i++)
        if (m->step[i].part & m->parts)
            err = ocl_launch(m->ocl, &m->step[i].launch);
    return err;
}
