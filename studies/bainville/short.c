/* short.c - the tables of short transforms in a work-group each, and of all sizes. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/bainville/bainville.h"

/* ---- a work-group each ------------------------------------------------------------------- */

static const struct bainville_group_form forms[] = {
    {false, 2, 64},   {false, 2, 256},  {false, 2, 1024}, {false, 4, 64},  {false, 4, 256},
    {false, 4, 1024}, {false, 8, 512},  {false, 16, 256}, {true, 2, 1024}, {true, 4, 64},
    {true, 4, 256},   {true, 4, 1024},  {true, 8, 64},    {true, 8, 512},  {true, 8, 4096},
    {true, 16, 256},  {true, 16, 4096}, {true, 32, 1024},
};

/* Computes the larger error of the first and the last transform. */
static int short_error(struct bainville_study *s, struct _cl_mem *to, uint32_t n, double *error)
{
    struct fft_iq *got = malloc(s->n * sizeof *got);
    const uint32_t last = s->n - n;
    const int err = got ? ocl_read(s->ocl, got, to, s->n * sizeof *got) : -ENOMEM;
    if (err == 0) {
        const double a = noise_transform_error(s->noise, got, n),
                     b = noise_transform_error(s->noise + last, got + last, n);
        *error = a > b || isnan(a) ? a : b;
    }
    free(got);
    return err;
}

/* Finds the best number of work-items for forms where it can be chosen. */
static int choose_items(struct bainville_study *s, struct bainville_groups *g)
{
    size_t best = g->items;
    double least = INFINITY;
    int err = 0;
    if (g->form.in_registers || s->study->options.quick)
        return 0;
    for (size_t items = SWEEP_LEAST;
         err == 0 && items <= g->form.n / g->form.radix && items <= g->kernel.group; items *= 2) {
        struct ocl_work work = {.enqueue = bainville_groups_enqueue, .user = g, .seconds = NAN};
        g->items = items;
        for (int i = 0; err == 0 && i < 2; i++) /* the first call may build the kernel */
            err = ocl_seconds(s->ocl, &work, 1, true);
        if (work.seconds < least) {
            least = work.seconds;
            best = items;
        }
    }
    g->items = best;
    return err;
}

static int time_form(struct bainville_study *s, struct bainville_groups *g, double *seconds,
                     double *error)
{
    struct ocl_work work = {.enqueue = bainville_groups_enqueue, .user = g, .seconds = NAN};
    int err = choose_items(s, g);
    for (int i = 0; err == 0 && i < 2; i++) /* the first call may build the kernel */
        err = ocl_seconds(s->ocl, &work, 1, i == 0 || s->study->options.quick);
    *seconds = work.seconds;
    return err < 0 ? err : short_error(s, g->to, g->form.n, error);
}

static int short_row(struct bainville_study *s, const struct bainville_group_form *f,
                     struct _cl_mem *to)
{
    static const uint32_t poison = 0x7fc00001;
    const struct bainville_switches switches = {.method = BAINVILLE_TABLE};
    struct bainville_groups g = {.ocl = s->ocl,
                                 .form = *f,
                                 .batch = s->n / f->n,
                                 .items = SWEEP_LEAST,
                                 .from = s->from,
                                 .to = to};
    double seconds = NAN, error = NAN, cufft_s = NAN;
    int err = ocl_fill(s->ocl, to, s->n * sizeof(struct fft_iq), &poison, sizeof poison);
    if (err == 0)
        err = bainville_groups_init(&g, &switches);
    const bool has_capacity = err != -ERANGE;
    if (err == 0)
        err = time_form(s, &g, &seconds, &error);
    if (err == 0)
        err = study_bainville_cufft(s, f->n, s->n / f->n, &cufft_s);
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT(f->in_registers ? "registers" : "local memory"),
                              CELL_NUMBER(f->radix, 2), CELL_NUMBER(f->n, 5),
                              has_capacity ? CELL_NUMBER(g.items, 4) : CELL_TEXT("too large"),
                              CELL_NUMBER(bainville_group_local(f, false), 6),
                              CELL_NUMBER(1e-9 * s->n / seconds, 4),
                              CELL_NUMBER(s->copy_s / seconds, 3), CELL_NUMBER(error, 2),
                              CELL_NUMBER(cufft_s / seconds, 3)});
    bainville_groups_finish(&g);
    return has_capacity ? err : 0;
}

int study_bainville_short(struct bainville_study *s)
{
    static const char *const columns[] = {
        "values stay in", "radix",     "n",     "work-group",           "local, B",
        "GS/s",           "of a copy", "error", "cuFFT's time to ours", NULL};
    struct _cl_mem *to;
    int err = ocl_alloc(s->ocl, &to, s->n * sizeof(struct fft_iq));
    table_open(&s->study->tables, "short",
               "One work-group for each transform, with its values in local memory or in "
               "registers, as the document planned for its\n"
               "last pages: one pass over main memory for any length. Roots from a table; as "
               "many transforms as make up the points.",
               columns);
    const size_t step = s->study->options.quick ? 5 : 1;
    for (size_t i = 0; err == 0 && i < sizeof forms / sizeof forms[0]; i += step)
        err = short_row(s, &forms[i], to);
    ocl_free(s->ocl, to);
    return err;
}

/* ---- sizes ------------------------------------------------------------------------------- */

static int size_seconds(struct bainville_study *s, struct bainville *b,
                        enum bainville_kernel kernel, uint32_t n, const struct root *roots,
                        double *seconds)
{
    struct bainville_chain c;
    int err = bainville_chain_init(&c, b, kernel, n, s->from, roots);
    struct ocl_work work = {.enqueue = bainville_chain_enqueue, .user = &c, .seconds = NAN};
    if (err == 0)
        err = ocl_seconds(s->ocl, &work, 1, s->study->options.quick);
    bainville_chain_finish(&c);
    *seconds = work.seconds;
    return err;
}

static int sizes_row(struct bainville_study *s, struct bainville *b, uint32_t n)
{
    static const enum bainville_kernel kernels[] = {BAINVILLE_RADIX2, BAINVILLE_RADIX4_C,
                                                    BAINVILLE_RADIX8_B, BAINVILLE_RADIX16,
                                                    BAINVILLE_RADIX32};
    enum { KERNELS = sizeof kernels / sizeof kernels[0] };
    const double operations = 5e-9 * n * log2(n);
    double seconds[KERNELS + 1];
    struct root *roots = bainville_roots(n);
    char text[12];
    int err = roots ? study_bainville_cufft(s, n, 1, &seconds[KERNELS]) : -ENOMEM;
    for (int i = 0; err == 0 && i < KERNELS; i++)
        err = size_seconds(s, b, kernels[i], n, roots, &seconds[i]);
    free(roots);
    if (err < 0)
        return err;
    struct cell cells[KERNELS + 2] = {CELL_TEXT(text)};
    snprintf(text, sizeof text, "%u", n);
    for (int i = 0; i <= KERNELS; i++)
        cells[i + 1] = CELL_NUMBER(operations / seconds[i], 4);
    table_row(&s->study->tables, cells);
    return 0;
}

int study_bainville_sizes(struct bainville_study *s)
{
    static const char *const columns[] = {"n, GFLOP/s of", "radix2",  "radix4_c", "radix8_b",
                                          "radix16",       "radix32", "cuFFT",    NULL};
    struct bainville b = {s->ocl, {.method = BAINVILLE_TABLE}, {{0}}};
    int err = 0;
    table_open(&s->study->tables, "sizes",
               "One transform at a time, counted as 5 n log2 n operations; roots from a table, "
               "work-groups of 64. The document's HD5870\n"
               "reaches 112 GFLOP/s with radix 16 at 2^24.",
               columns);
    for (uint32_t n = 1 << 10; err == 0 && n <= s->n; n *= 4)
        err = sizes_row(s, &b, n);
    bainville_finish(&b);
    return err;
}
