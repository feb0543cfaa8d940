/* stored.c - the table of spectra whose points between passes have 32 or 16 bits. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fft/opencl/opencl_plan.h"
#include "fft/twiddle.h"
#include "studies/mali/mali.h"

/* The engine's spectra on samples that the device already has. */
struct spectra {
    struct ocl *ocl;
    struct opencl_spectrum plan;
    uint32_t frames, kernel_count; /* kernels made */
    struct ocl_kernel kernels[OPENCL_KERNELS];
    struct _cl_mem *roles[OPENCL_ROLES]; /* OPENCL_SAMPLES is the study's */
};

struct quality {
    double noise_db; /* error of the amplitudes of noise, relative to them */
    double spur_db;  /* the largest bin beside a full-scale tone, relative to it */
    double floor_db; /* the mean of these bins */
};

/* ---- launches ---------------------------------------------------------------------------- */

static struct ocl_arg argument(const struct spectra *s, const struct opencl_arg *a)
{
    if (a->kind == OPENCL_BUFFER)
        return OCL_MEMORY(s->roles[a->u.role]);
    return a->kind == OPENCL_WORD ? OCL_WORD(a->u.word) : OCL_REAL(a->u.real);
}

static int enqueue(void *user)
{
    const struct spectra *s = user;
    struct opencl_launch next;
    int err = 0;
    for (uint32_t i = 0; err == 0 && opencl_spectrum_launch(&s->plan, 0, s->frames, i, &next);
         i++) {
        struct ocl_launch launch = {.kernel = &s->kernels[next.kernel],
                                    .global = {next.global[0]},
                                    .local = {next.local[0]},
                                    .arg_count = next.arg_count};
        for (uint32_t arg = 0; arg < next.arg_count; arg++)
            launch.args[arg] = argument(s, &next.args[arg]);
        err = ocl_launch(s->ocl, &launch);
    }
    return err;
}

/* ---- programs and memory ----------------------------------------------------------------- */

static int build(struct spectra *s)
{
    const size_t size = opencl_spectrum_source(&s->plan, NULL, 0) + 1;
    struct opencl_program *program;
    char *text = malloc(size);
    if (!text)
        return -ENOMEM;
    opencl_spectrum_source(&s->plan, text, size);
    int err = ocl_build_text(s->ocl, &program, text, s->plan.options);
    for (uint32_t i = 0; err == 0 && i < s->plan.kernel_count; i++, s->kernel_count++)
        err = ocl_kernel(s->ocl, &s->kernels[i], program, s->plan.kernels[i].name);
    return err;
}

static int send_tables(struct spectra *s)
{
    void *tables = malloc(s->plan.tables_bytes);
    if (!tables)
        return -ENOMEM;
    opencl_spectrum_tables(&s->plan, tables);
    int err = ocl_alloc(s->ocl, &s->roles[OPENCL_TABLES], s->plan.tables_bytes);
    if (err == 0)
        err = ocl_write(s->ocl, s->roles[OPENCL_TABLES], tables, s->plan.tables_bytes);
    free(tables);
    return err;
}

static int spectra_init(struct spectra *s, const struct mali_study *m, const float *window,
                        uint32_t n, bool half)
{
    const struct opencl_choice choice = {.strategy = OPENCL_PASSES, .half = half};
    const struct fft_spectrum_config plan = {.n = n,
                                             .hop = n,
                                             .max_frames = m->points / n,
                                             .depth = 1,
                                             .format = FFT_IQ_CF32,
                                             .detectors = FFT_DETECTOR_MEAN,
                                             .window = window};
    *s = (struct spectra){.ocl = m->ocl, .roles = {[OPENCL_SAMPLES] = m->in}};
    int err = opencl_spectrum_plan(&s->plan, ocl_profile(m->ocl), &plan, &choice);
    if (err == 0)
        err = build(s);
    if (err == 0)
        err = send_tables(s);
    if (err == 0)
        err = ocl_alloc(s->ocl, &s->roles[OPENCL_SCRATCH], s->plan.scratch_bytes);
    return err < 0 ? err : ocl_alloc(s->ocl, &s->roles[OPENCL_RESULT], s->plan.result.bytes);
}

static void spectra_finish(struct spectra *s)
{
    for (uint32_t i = 0; i < s->kernel_count; i++)
        ocl_kernel_free(s->ocl, &s->kernels[i]);
    for (int role = OPENCL_TABLES; role < OPENCL_ROLES; role++)
        ocl_free(s->ocl, s->roles[role]);
}

/* ---- quality ----------------------------------------------------------------------------- */

/* The powers of the first frame. */
static int one_frame(struct spectra *s, float *powers)
{
    s->frames = 1;
    const int err = enqueue(s);
    s->frames = s->plan.spec.max_frames;
    return err < 0
               ? err
               : ocl_read(s->ocl, powers, s->roles[OPENCL_RESULT], s->plan.spec.n * sizeof *powers);
}

/* Bin 0 of the transform is in the middle of the powers; the window is 1/n. */
static double noise_error(const float *powers, const struct complex64 *want, uint32_t n)
{
    double off = 0, all = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct complex64 w = want[(k + n / 2) % n];
        const double amplitude = hypot(w.re, w.im) / n, got = sqrt((double)powers[k]);
        off += (got - amplitude) * (got - amplitude);
        all += amplitude * amplitude;
    }
    return 10 * log10(off / all);
}

static void tone_quality(const float *powers, uint32_t n, uint32_t bin, struct quality *q)
{
    double worst = 0, sum = 0;
    for (uint32_t k = 0; k < n; k++)
        if (k != n / 2 + bin) {
            worst = fmax(worst, (double)powers[k]);
            sum += (double)powers[k];
        }
    q->spur_db = 10 * log10(worst / (double)powers[n / 2 + bin]);
    q->floor_db = 10 * log10(sum / (n - 1));
}

static int judge(struct mali_study *m, struct spectra *s, struct quality *q)
{
    const uint32_t n = s->plan.spec.n, bin = n / 13 | 1;
    float *powers = malloc(n * sizeof *powers);
    struct fft_iq *tone = malloc(n * sizeof *tone);
    int err = powers && tone ? mali_study_want(m, n) : -ENOMEM;
    if (err == 0)
        err = one_frame(s, powers);
    if (err == 0)
        q->noise_db = noise_error(powers, m->want, n);
    for (uint32_t i = 0; err == 0 && i < n; i++) {
        const struct root w = fft_twiddle((uint64_t)i * bin, n);
        tone[i] = (struct fft_iq){(float)w.re, (float)-w.im};
    }
    if (err == 0)
        err = ocl_write(m->ocl, m->in, tone, n * sizeof *tone);
    if (err == 0)
        err = one_frame(s, powers);
    if (err == 0)
        tone_quality(powers, n, bin, q);
    if (err == 0)
        err = ocl_write(m->ocl, m->in, m->noise, n * sizeof *tone);
    free(tone);
    free(powers);
    return err;
}

/* ---- the table --------------------------------------------------------------------------- */

static int print_row(struct mali_study *m, uint32_t n)
{
    struct spectra *all = calloc(2, sizeof *all);
    struct quality q[2] = {{0, 0, 0}, {0, 0, 0}};
    struct ocl_work works[2];
    float *window = malloc(n * sizeof *window);
    char label[32];
    int err = all && window ? 0 : -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < n; i++)
        window[i] = 1.0F / (float)n;
    for (int half = 0; err == 0 && half < 2; half++) {
        works[half] = (struct ocl_work){.enqueue = enqueue, .user = &all[half]};
        err = spectra_init(&all[half], m, window, n, half);
        if (err == 0)
            err = judge(m, &all[half], &q[half]);
    }
    if (err == 0)
        err = ocl_seconds(m->ocl, works, 2, m->study->options.quick);
    snprintf(label, sizeof label, "%u x %u", n, m->points / n);
    if (err == 0)
        table_row(&m->study->tables,
                  (struct cell[]){CELL_TEXT(label), CELL_NUMBER(1e6 * works[0].seconds, 4),
                                  CELL_NUMBER(1e6 * works[1].seconds, 4),
                                  CELL_NUMBER(works[0].seconds / works[1].seconds, 3),
                                  CELL_NUMBER(q[0].noise_db, 4), CELL_NUMBER(q[1].noise_db, 4),
                                  CELL_NUMBER(q[0].spur_db, 4), CELL_NUMBER(q[1].spur_db, 4),
                                  CELL_NUMBER(q[0].floor_db, 4), CELL_NUMBER(q[1].floor_db, 4)});
    for (int half = 0; all && half < 2; half++)
        if (all[half].ocl)
            spectra_finish(&all[half]);
    free(window);
    free(all);
    return err;
}

int mali_study_half(struct mali_study *s)
{
    static const char *const columns[] = {"points x frames",
                                          "float us",
                                          "half us",
                                          "float:half",
                                          "NMSE float dB",
                                          "NMSE half dB",
                                          "spur float dBc",
                                          "spur half dBc",
                                          "floor float dBFS",
                                          "floor half dBFS",
                                          NULL};
    static const uint32_t sizes[] = {256, 4096, 1 << 16, 1 << 18, 1 << 20, 1 << 22};
    int err = 0;
    table_open(&s->study->tables, "half",
               "The F16 data type: the engine's spectra (plan=passes, cf32 samples on the device) "
               "with 32 and with 16 bits for points between passes. NMSE: error of the amplitudes "
               "of noise; spur and floor: the largest bin beside a full-scale tone, and their "
               "mean.",
               columns);
    for (size_t i = 0; err == 0 && i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i] <= s->points)
            err = print_row(s, sizes[i]);
    return err;
}
