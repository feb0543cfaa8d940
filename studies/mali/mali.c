/* mali.c - opens the device, makes arrays of noise, and compares forms for the tables. */
#include "studies/mali/mali.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUICK_POINTS = 1 << 13, HOST_POINTS = 1 << 18, GPU_POINTS = 1 << 24 };
enum { QUICK_LONGEST = 1 << 17, HOST_LONGEST = 1 << 22 };

/* ---- forms in turns ---------------------------------------------------------------------- */

int mali_study_want(struct mali_study *s, uint32_t n)
{
    if (s->want_n == n)
        return 0;
    free(s->want);
    s->want_n = 0;
    s->want = malloc(n * sizeof *s->want);
    if (!s->want)
        return -ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        s->want[i] = (struct complex64){(double)s->noise[i].re, (double)s->noise[i].im};
    reference_dft(s->want, n, false);
    s->want_n = n;
    return 0;
}

int mali_study_hold(struct mali_study *s, const struct fft_iq *got, uint32_t n, double *error)
{
    const int err = mali_study_want(s, n);
    if (err == 0)
        *error = noise_relative_error(got, s->want, n);
    return err;
}

int mali_study_error(struct mali_study *s, uint32_t n, double *error)
{
    const int err = ocl_read(s->ocl, s->got, s->out, n * sizeof *s->got);
    return err < 0 ? err : mali_study_hold(s, s->got, n, error);
}

/* Runs all parts once and computes the error; then selects the parts to be measured. */
static int prepare(struct mali_study *s, struct mali *m, unsigned parts, double *error)
{
    int err = mali_enqueue(m);
    if (err == 0)
        err = mali_study_error(s, m->batch.n, error);
    m->parts = parts;
    return err;
}

int mali_study_rows(struct mali_study *s, const struct mali_batch *batch,
                    const struct mali_form *forms, uint32_t count, unsigned parts,
                    struct mali_result *results)
{
    struct ocl_work works[MALI_CONTESTANTS];
    struct mali *all = calloc(count, sizeof *all);
    int err = all ? 0 : -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < count; i++) {
        works[i] = (struct ocl_work){.enqueue = mali_enqueue, .user = &all[i]};
        err = mali_init(&all[i], s->ocl, &forms[i], batch, s->in, s->out);
        if (err == 0)
            err = prepare(s, &all[i], parts, &results[i].error);
    }
    if (err == 0)
        err = ocl_seconds(s->ocl, works, count, s->study->options.quick);
    for (uint32_t i = 0; err == 0 && i < count; i++)
        results[i].seconds = works[i].seconds;
    for (uint32_t i = 0; all && i < count; i++)
        if (all[i].ocl)
            mali_finish(&all[i]);
    free(all);
    return err;
}

/* ---- the study --------------------------------------------------------------------------- */

/* Finds the largest private memory that the driver reports for a kernel of these forms, over rows
 * with all radices. */
static struct cell private_bytes(struct mali_study *s, enum mali_roots_form roots)
{
    static const uint32_t lengths[] = {2 * 3 * 5 * 7, 4 * 16, 8 * 64};
    uint64_t most = 0;
    int err = 0;
    for (uint32_t i = 0; err == 0 && i < 3; i++) {
        const struct mali_form form = {2U << i, roots, MALI_WIDE, 1 + i % 2};
        struct mali *m = calloc(1, sizeof *m);
        if (!m)
            return CELL_NONE;
        err = mali_init(m, s->ocl, &form, &(struct mali_batch){lengths[i], 1, 0}, s->in, s->out);
        for (uint32_t step = 0; step < m->steps; step++)
            if (m->step[step].kernel.private_bytes > most)
                most = m->step[step].kernel.private_bytes;
        mali_finish(m);
        free(m);
    }
    return err < 0 ? CELL_NONE : CELL_NUMBER(most, 7);
}

static void print_machine(struct mali_study *s)
{
    static const char *const columns[] = {"what", "document", "here", NULL};
    const struct opencl_profile *p = ocl_profile(s->ocl);
    const struct {
        const char *what, *document;
        struct cell here;
    } rows[] = {
        {"device", "Mali-T760 in RK3288", CELL_TEXT(ocl_name(s->ocl))},
        {"MHz", "600, fixed", CELL_NUMBER(p->clock_mhz, 5)},
        {"compute units", "4", CELL_NUMBER(p->units, 4)},
        {"local memory", "is main memory",
         CELL_TEXT(p->local_is_fast ? "is its own" : "is main memory")},
        {"private bytes, angles", "-", private_bytes(s, MALI_MERGED)},
        {"private bytes, tables", "-", private_bytes(s, MALI_MERGED_TABLE)},
    };
    table_open(&s->study->tables, "machine",
               "G. M. Iodice, \"Speeding-up Fast Fourier Transform Mixed-Radix on Mobile ARM "
               "Mali GPU by means of OpenCL\", 2017. PoCL reports 1024 private bytes for every "
               "kernel.",
               columns);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        table_row(&s->study->tables, (struct cell[]){CELL_TEXT(rows[i].what),
                                                     CELL_TEXT(rows[i].document), rows[i].here});
}

static int alloc_arrays(struct mali_study *s)
{
    const bool is_gpu = ocl_profile(s->ocl)->type == OPENCL_GPU;
    s->points = s->study->options.quick ? QUICK_POINTS : is_gpu ? GPU_POINTS : HOST_POINTS;
    s->longest = s->study->options.quick ? QUICK_LONGEST : is_gpu ? GPU_POINTS : HOST_LONGEST;
    const size_t bytes = s->longest * sizeof(struct fft_iq);
    s->noise = malloc(bytes);
    s->got = malloc(bytes);
    if (!s->noise || !s->got)
        return -ENOMEM;
    noise_fill(s->noise, s->longest);
    int err = ocl_alloc(s->ocl, &s->in, bytes);
    if (err == 0)
        err = ocl_alloc(s->ocl, &s->out, bytes);
    return err < 0 ? err : ocl_write(s->ocl, s->in, s->noise, bytes);
}

static int print_tables(struct mali_study *s)
{
    int err = alloc_arrays(s);
    tables_begin(&s->study->tables, s->study->options.json);
    if (err == 0) {
        print_machine(s);
        err = study_wants(s->study, "cost") ? mali_study_cost(s) : 0;
    }
    if (err == 0)
        err = mali_study_ratios(s);
    if (err == 0 && study_wants(s->study, "lengths"))
        err = mali_study_lengths(s);
    if (err == 0 && study_wants(s->study, "images"))
        err = mali_study_images(s);
    if (err == 0 && study_wants(s->study, "half"))
        err = mali_study_half(s);
    if (err == 0 && study_wants(s->study, "engine"))
        err = mali_study_engine(s);
    tables_end(&s->study->tables);
    ocl_free(s->ocl, s->in);
    ocl_free(s->ocl, s->out);
    free(s->want);
    free(s->noise);
    free(s->got);
    return err;
}

static int run(struct study *study)
{
    struct mali_study s = {.study = study};
    char why[400];
    if (ocl_open(&s.ocl, study->options.engine, study->options.engine_options, why, sizeof why) < 0)
        return bench_fail("mali", why);
    const int err = print_tables(&s);
    ocl_close(s.ocl);
    return bench_report("study", err);
}

const struct study_document study_mali = {
    .name = "mali",
    .title = "G. M. Iodice, mixed radix on Mali (2017)",
    .run = run,
    .tables = {{"machine", NULL},
               {"cost", NULL},
               {"twiddles", NULL},
               {"merged", NULL},
               {"radix", NULL},
               {"radix-tables", NULL},
               {"first", NULL},
               {"vectors", NULL},
               {"vectorised", NULL},
               {"roots", NULL},
               {"lengths", NULL},
               {"images", NULL},
               {"half", NULL},
               {"engine", NULL}},
};
