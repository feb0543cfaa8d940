/* bainville.c - opens the device for the document's tables, and makes their arrays and expected
 * output. */
#include "studies/bainville/bainville.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A size for processors, and one for --quick; others have the document's. */
enum { PROCESSOR_N = 1 << 16, QUICK_N = 1 << 12, ARRAYS = 8 };

/* ---- arrays ------------------------------------------------------------------------------ */

static uint32_t size_of(const struct bainville_study *s)
{
    const struct opencl_profile *p = ocl_profile(s->ocl);
    uint64_t n = p->type == OPENCL_CPU ? PROCESSOR_N : BAINVILLE_DOCUMENT_N;
    if (s->study->options.quick)
        return QUICK_N;
    while (n * sizeof(struct root) > p->alloc_bytes ||
           n * sizeof(struct root) * ARRAYS > p->memory_bytes)
        n /= 2;
    return (uint32_t)n;
}

static int copy_enqueue(void *user)
{
    struct bainville_study *s = ((void **)user)[0];
    struct _cl_mem *to = ((void **)user)[1];
    return ocl_copy(s->ocl, to, s->from, s->n * sizeof(struct fft_iq));
}

static int time_copy(struct bainville_study *s)
{
    struct _cl_mem *to;
    int err = ocl_alloc(s->ocl, &to, s->n * sizeof(struct fft_iq));
    struct ocl_work work = {.enqueue = copy_enqueue, .user = (void *[]){s, to}, .seconds = NAN};
    if (err == 0)
        err = ocl_seconds(s->ocl, &work, 1, s->study->options.quick);
    s->copy_s = work.seconds;
    ocl_free(s->ocl, to);
    return err;
}

static int alloc_arrays(struct bainville_study *s)
{
    const uint32_t n = s->n;
    s->noise = malloc(n * sizeof *s->noise);
    s->want = malloc(n * sizeof *s->want);
    s->roots = bainville_roots(n);
    if (!s->noise || !s->want || !s->roots)
        return -ENOMEM;
    noise_fill(s->noise, n);
    for (uint32_t i = 0; i < n; i++)
        s->want[i] = (struct complex64){(double)s->noise[i].re, (double)s->noise[i].im};
    reference_dft(s->want, n, false);
    int err = ocl_alloc(s->ocl, &s->from, n * sizeof *s->noise);
    if (err == 0)
        err = ocl_write(s->ocl, s->from, s->noise, n * sizeof *s->noise);
    return err < 0 ? err : time_copy(s);
}

static void free_arrays(struct bainville_study *s)
{
    ocl_free(s->ocl, s->from);
    free(s->roots);
    free(s->want);
    free(s->noise);
}

/* ---- cuFFT ------------------------------------------------------------------------------- */

/* Opens cuFFT on a device of NVIDIA's. Elsewhere, and where it is not installed, its columns stay
 * empty. */
static void open_cufft(struct study *s, const struct ocl *ocl)
{
    char why[200];
    if (!strstr(ocl_profile(ocl)->vendor, "NVIDIA"))
        return;
    if (gpu_open(&s->gpu, why, sizeof why) < 0 ||
        cufft_open(&s->cufft, s->gpu, why, sizeof why) < 0)
        bench_error("%s", why);
}

int study_bainville_cufft(struct bainville_study *s, uint32_t n, uint32_t batch, double *seconds)
{
    struct study *study = s->study;
    *seconds = NAN;
    return study->cufft
               ? cufft_measure(study->cufft, study->gpu, n, batch, study->options.quick, seconds)
               : 0;
}

/* ---- the study --------------------------------------------------------------------------- */

static void print_machine(struct bainville_study *s)
{
    static const char *const columns[] = {"what", "here", NULL};
    char size[40], copy[40];
    snprintf(size, sizeof size, "%u", s->n);
    snprintf(copy, sizeof copy, "%.4g GB/s", 2e-9 * sizeof(struct fft_iq) * s->n / s->copy_s);
    const char *const facts[][2] = {
        {"device", ocl_name(s->ocl)},
        {"points", size},
        {"copied by the driver", copy},
        {"cuFFT", s->study->cufft ? cufft_name(s->study->cufft) : "none"}};
    table_open(
        &s->study->tables, "machine",
        "E. Bainville, \"OpenCL Fast Fourier Transform\", bealto.com, 2010: an NVIDIA GTX285 "
        "and an ATI HD5870, 2^24 points.",
        columns);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        table_row(&s->study->tables,
                  (struct cell[]){CELL_TEXT(facts[i][0]), CELL_TEXT(facts[i][1])});
}

static const struct {
    const char *name;
    int (*print)(struct bainville_study *s);
} tables[] = {
    {"kernels", study_bainville_kernels},   {"passes", study_bainville_passes},
    {"groups", study_bainville_groups},     {"relaxed", study_bainville_relaxed},
    {"switches", study_bainville_switches}, {"short", study_bainville_short},
    {"sizes", study_bainville_sizes},
};

static int print_tables(struct bainville_study *s)
{
    int err = alloc_arrays(s);
    if (err == 0)
        err = study_bainville_cufft(s, s->n, 1, &s->cufft_s);
    tables_begin(&s->study->tables, s->study->options.json);
    if (err == 0)
        print_machine(s);
    for (size_t i = 0; err == 0 && i < sizeof tables / sizeof tables[0]; i++)
        if (study_wants(s->study, tables[i].name))
            err = tables[i].print(s);
    tables_end(&s->study->tables);
    free_arrays(s);
    return err;
}

static int run(struct study *study)
{
    static struct bainville_study s;
    char why[400];
    s = (struct bainville_study){.study = study};
    if (ocl_open(&s.ocl, study->options.engine, study->options.engine_options, why, sizeof why) < 0)
        return bench_fail("bainville", why);
    open_cufft(study, s.ocl);
    s.n = size_of(&s);
    const int err = print_tables(&s);
    ocl_close(s.ocl);
    return bench_report("study", err);
}

const struct study_document study_bainville = {
    .name = "bainville",
    .title = "E. Bainville, OpenCL Fast Fourier Transform (2010)",
    .run = run,
    .tables = {{"machine", NULL},
               {"kernels", NULL},
               {"passes", NULL},
               {"groups", NULL},
               {"relaxed", NULL},
               {"switches", NULL},
               {"short", NULL},
               {"sizes", NULL}},
};
