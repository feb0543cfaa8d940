/* tables.c - the tables of long transforms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "studies/bainville/bainville.h"

/* With --quick every third kernel is measured, to save compiling. */
static int step_of(const struct bainville_study *s)
{
    return s->study->options.quick ? 3 : 1;
}

static uint32_t passes_of(enum bainville_kernel kernel, uint32_t n)
{
    struct bainville_pass passes[BAINVILLE_PASSES];
    return bainville_passes(kernel, n, passes);
}

/* The time of as many copies as there are passes, to the measured time: a pass, like a copy, reads
 * and writes all points once. */
static double of_a_copy(const struct bainville_study *s, enum bainville_kernel kernel,
                        double seconds)
{
    return passes_of(kernel, s->n) * s->copy_s / seconds;
}

/* ---- kernels by methods ------------------------------------------------------------------ */

static int kernels_row(struct bainville_study *s, enum bainville_kernel kernel,
                       enum bainville_method method)
{
    const struct bainville_result *r;
    const struct bainville_documented d = bainville_documented(s->n, kernel, method);
    const int err = study_bainville_result(s, false, kernel, method, &r);
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT(bainville_variants[kernel].name),
                              CELL_TEXT(bainville_method_name(method)), CELL_NUMBER(r->group, 4),
                              CELL_NUMBER(r->private_bytes, 5), CELL_NUMBER(1e3 * r->seconds, 4),
                              CELL_NUMBER(1e3 * r->profiled_s, 4),
                              CELL_NUMBER(of_a_copy(s, kernel, r->seconds), 3),
                              CELL_NUMBER(r->error, 2), CELL_NUMBER(s->cufft_s / r->seconds, 3),
                              CELL_NUMBER(d.gtx285, 3), CELL_NUMBER(d.hd5870, 3)});
    return err;
}

int study_bainville_kernels(struct bainville_study *s)
{
    static const char *const columns[] = {"kernel",
                                          "cosine and sine",
                                          "work-group",
                                          "private, B",
                                          "ms",
                                          "profiled, ms",
                                          "of a copy",
                                          "error",
                                          "cuFFT's time to ours",
                                          "document GTX285, ms",
                                          "document HD5870, ms",
                                          NULL};
    int err = 0;
    table_open(&s->study->tables, "kernels",
               "Every kernel with every source of cosine and sine, each with the best "
               "work-group of 32 to 1024, as in the document.\n"
               "The radix 16 and 32 kernels by powers of one root, the kernel with an array, "
               "and tables are not in the document. Of a\n"
               "copy: the time of as many copies of the points as there are passes, divided by "
               "the kernel's. Private: as the driver\n"
               "reports it; PoCL reports 1024 for every kernel. Ms: by the host's clock, with "
               "launches. Profiled: the sum of the kernels' times\n"
               "by the device's clock; the document's 18 ms (radix16) are 16.7 ms profiled.",
               columns);
    for (int k = 0; k < BAINVILLE_KERNELS; k += step_of(s))
        for (int m = 0; err == 0 && m < BAINVILLE_METHODS; m++)
            err = kernels_row(s, (enum bainville_kernel)k, (enum bainville_method)m);
    return err;
}

/* ---- passes ------------------------------------------------------------------------------ */

/* Returns the document's best figures of a kernel, or NaN. */
static struct bainville_documented best_documented(const struct bainville_study *s,
                                                   enum bainville_kernel kernel)
{
    struct bainville_documented best = {NAN, NAN};
    for (int m = 0; m < BAINVILLE_METHODS; m++) {
        const struct bainville_documented d =
            bainville_documented(s->n, kernel, (enum bainville_method)m);
        best.gtx285 = fmin(best.gtx285, d.gtx285); /* fmin ignores a NaN */
        best.hd5870 = fmin(best.hd5870, d.hd5870);
    }
    return best;
}

static int passes_row(struct bainville_study *s, enum bainville_kernel kernel)
{
    const struct bainville_result *r, *best = NULL;
    const struct bainville_documented d = best_documented(s, kernel);
    const double passes = passes_of(kernel, s->n);
    int err = 0, method = 0;
    for (int m = 0; err == 0 && m < BAINVILLE_METHODS; m++) {
        err = study_bainville_result(s, false, kernel, (enum bainville_method)m, &r);
        if (!best || r->seconds < best->seconds) {
            best = r;
            method = m;
        }
    }
    const double pass_s = best->seconds / passes;
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT(bainville_variants[kernel].name),
                              CELL_TEXT(bainville_method_name((enum bainville_method)method)),
                              CELL_NUMBER(bainville_variants[kernel].radix, 2),
                              CELL_NUMBER(passes, 2), CELL_NUMBER(1e6 * pass_s, 4),
                              CELL_NUMBER(1e6 * best->first_s, 4), CELL_NUMBER(1e6 * s->copy_s, 4),
                              CELL_NUMBER(2e-9 * sizeof(struct fft_iq) * s->n / pass_s, 4),
                              CELL_NUMBER(d.gtx285 / passes, 2),
                              CELL_NUMBER(d.hd5870 / passes, 2)});
    return err;
}

int study_bainville_passes(struct bainville_study *s)
{
    static const char *const columns[] = {"kernel",
                                          "cosine and sine",
                                          "radix",
                                          "passes",
                                          "us a pass",
                                          "us the first",
                                          "us a copy",
                                          "GB/s moved",
                                          "document GTX285, ms a pass",
                                          "document HD5870, ms a pass",
                                          NULL};
    int err = 0;
    table_open(&s->study->tables, "passes",
               "\"Each kernel continues to execute in 3 ms despite the increased computation "
               "load\": the time of a pass by radix, with\n"
               "the best method of each kernel. That holds while memory limits a pass. In the "
               "first pass the points of one work-item\n"
               "are adjacent when they are written, in the others those of adjacent work-items.",
               columns);
    for (int k = 0; err == 0 && k < BAINVILLE_KERNELS; k += step_of(s))
        err = passes_row(s, (enum bainville_kernel)k);
    return err;
}

/* ---- work-groups ------------------------------------------------------------------------- */

int study_bainville_groups(struct bainville_study *s)
{
    static const char *const columns[] = {
        "kernel; ms with groups of", "32", "64", "128", "256", "512", "1024", NULL};
    int err = 0;
    table_open(&s->study->tables, "groups",
               "The document shows \"the best time among all work-group sizes\". With a table, "
               "the better of two calls;\n"
               "empty: more than the driver allows.",
               columns);
    for (int k = 0; err == 0 && k < BAINVILLE_KERNELS; k += step_of(s)) {
        const struct bainville_result *r;
        struct cell cells[SWEEPS + 1] = {CELL_TEXT(bainville_variants[k].name)};
        err = study_bainville_result(s, false, (enum bainville_kernel)k, BAINVILLE_TABLE, &r);
        for (int i = 0; i < SWEEPS; i++)
            cells[i + 1] = CELL_NUMBER(1e3 * r->sweep[i], 4);
        table_row(&s->study->tables, cells);
    }
    return err;
}

/* ---- relaxed mathematics ----------------------------------------------------------------- */

static int relaxed_row(struct bainville_study *s, enum bainville_kernel kernel,
                       enum bainville_method method)
{
    const struct bainville_result *strict, *relaxed;
    int err = study_bainville_result(s, false, kernel, method, &strict);
    if (err == 0)
        err = study_bainville_result(s, true, kernel, method, &relaxed);
    if (err != 0)
        return err;
    const struct bainville_documented d = bainville_documented(s->n, kernel, method);
    table_row(&s->study->tables,
              (struct cell[]){
                  CELL_TEXT(bainville_variants[kernel].name),
                  CELL_TEXT(bainville_method_name(method)), CELL_NUMBER(1e3 * strict->seconds, 4),
                  CELL_NUMBER(1e3 * relaxed->seconds, 4),
                  CELL_NUMBER(strict->seconds / relaxed->seconds, 3), CELL_NUMBER(strict->error, 2),
                  CELL_NUMBER(relaxed->error, 2), CELL_NUMBER(d.gtx285, 3)});
    return 0;
}

int study_bainville_relaxed(struct bainville_study *s)
{
    static const enum bainville_kernel kernels[] = {BAINVILLE_RADIX2, BAINVILLE_RADIX4_A,
                                                    BAINVILLE_RADIX8_A, BAINVILLE_RADIX16};
    static const char *const columns[] = {
        "kernel",         "cosine and sine",     "ms", "relaxed, ms", "gain", "error",
        "relaxed, error", "document GTX285, ms", NULL};
    int err = 0;
    table_open(&s->study->tables, "relaxed",
               "-cl-fast-relaxed-math, which the document used on the GTX285: its gain in time "
               "and its cost in accuracy.",
               columns);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i += (size_t)step_of(s))
        for (int m = 0; err == 0 && m < BAINVILLE_METHODS; m++)
            err = relaxed_row(s, kernels[i], (enum bainville_method)m);
    return err;
}

/* ---- switches ---------------------------------------------------------------------------- */

static int alloc_doubles(struct bainville_study *s, struct _cl_mem **out)
{
    const size_t bytes = s->n * sizeof(struct root);
    struct root *wide = malloc(bytes);
    int err = ocl_alloc(s->ocl, out, bytes);
    for (uint32_t i = 0; wide && i < s->n; i++)
        wide[i] = (struct root){(double)s->noise[i].re, (double)s->noise[i].im};
    if (err == 0 && wide)
        err = ocl_write(s->ocl, *out, wide, bytes);
    free(wide);
    return err;
}

static int switches_row(struct bainville_study *s, const struct bainville_switches *switches,
                        struct _cl_mem *from)
{
    struct bainville_result r;
    const int err = study_bainville_measure(s, switches, BAINVILLE_RADIX2, from, &r);
    const double floats = switches->is_double ? 2 : 1;
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT(switches->is_double ? "double" : "float"),
                              CELL_TEXT(switches->mad ? "mad()" : "* and +"),
                              CELL_TEXT(bainville_method_name(switches->method)),
                              CELL_NUMBER(r.group, 4), CELL_NUMBER(1e3 * r.seconds, 4),
                              CELL_NUMBER(floats * of_a_copy(s, BAINVILLE_RADIX2, r.seconds), 3),
                              CELL_NUMBER(r.error, 2)});
    return err;
}

int study_bainville_switches(struct bainville_study *s)
{
    static const enum bainville_method methods[] = {BAINVILLE_SINCOS, BAINVILLE_TABLE};
    static const char *const columns[] = {"radix 2 in", "products", "cosine and sine",
                                          "work-group", "ms",       "of a copy",
                                          "error",      NULL};
    struct _cl_mem *doubles = NULL;
    const int types = ocl_profile(s->ocl)->fp64 ? 2 : 1;
    int err = types > 1 ? alloc_doubles(s, &doubles) : 0;
    table_open(&s->study->tables, "switches",
               "The switches of the radix 2 page: its type, where the device has cl_khr_fp64, "
               "and its products. A compiler may use\n"
               "multiply-adds for either form.",
               columns);
    for (int i = 0; i < 4 * types; i++) {
        const struct bainville_switches w = {
            .is_double = i / 4, .mad = i % 2, .method = methods[i / 2 % 2]};
        if (err == 0)
            err = switches_row(s, &w, w.is_double ? doubles : s->from);
    }
    ocl_free(s->ocl, doubles);
    return err;
}
