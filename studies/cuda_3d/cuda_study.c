/* cuda_study.c - loads and launches the document's kernels, and makes the tables' arrays. */
#include "studies/cuda_3d/cuda_study.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/device/gpu_internal.h"
#include "fft/twiddle.h"
#include "studies/cuda_3d/image.h"
#include "studies/cuda_3d/kernels/args.h"

enum { ATTRIBUTE_LOCAL = 3, ATTRIBUTE_REGISTERS = 4, MOST_MODULES = 8, MOST_SHARED = 48 << 10 };

/* ---- kernels ----------------------------------------------------------------------------- */

static int find(struct cuda_study *s, const struct study_launch *l, struct CUfunc_st **out)
{
    static struct cuda_module loaded[MOST_MODULES]; /* unloaded when the program ends */
    struct gpu *g = s->study->gpu;
    size_t i = 0;
    int err = 0;
    while (loaded[i].name && strcmp(loaded[i].name, l->module) != 0)
        i++;
    if (!loaded[i].name) {
        err = gpu_check(g, g->driver.module_load(&loaded[i].handle, study_image(l->module)),
                        l->module);
        loaded[i].name = err == 0 ? l->module : NULL;
    }
    if (err == 0)
        err = gpu_check(g, g->driver.module_function(out, loaded[i].handle, l->kernel), l->kernel);
    if (err == 0 && l->shared > MOST_SHARED)
        err =
            gpu_check(g, g->driver.function_set(*out, CUDA_FUNCTION_DYNAMIC_SHARED, (int)l->shared),
                      l->kernel);
    return err;
}

int study_launch(struct cuda_study *s, const struct study_launch *l)
{
    struct gpu *g = s->study->gpu;
    struct CUfunc_st *function;
    const struct cuda_launch_config config = {.grid = {l->grid[0], l->grid[1], l->grid[2]},
                                              .block = {l->block, 1, 1},
                                              .shared_bytes = l->shared,
                                              .stream = g->stream};
    union study_args args = l->args;
    void *arguments[] = {&args};
    const int err = find(s, l, &function);
    return err ? err
               : gpu_check(g, g->driver.launch(&config, function, arguments, NULL), l->kernel);
}

/* Uses driver calls that the engine does not load. */
struct kernel_facts study_facts(struct cuda_study *s, const struct study_launch *l)
{
    static int (*get)(int *value, int attribute, struct CUfunc_st *function);
    static int (*resident)(int *blocks, struct CUfunc_st *function, int threads, size_t shared);
    struct kernel_facts f = {-1, -1, -1};
    struct CUfunc_st *function;
    const char *other = secure_getenv("FFTD_CUDA_DRIVER");
    void *library = dlopen(other ? other : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library || find(s, l, &function) != 0)
        return f;
    *(void **)&get = dlsym(library, "cuFuncGetAttribute");
    *(void **)&resident = dlsym(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    if (get) {
        get(&f.registers, ATTRIBUTE_REGISTERS, function);
        get(&f.local, ATTRIBUTE_LOCAL, function);
    }
    if (resident)
        resident(&f.resident, function, (int)l->block, l->shared);
    return f;
}

static int finish(void *user)
{
    struct cuda_study *s = *(struct cuda_study **)user;
    const int err = gpu_wait(s->study->gpu), own = fft_engine_wait(s->study->engine);
    return err ? err : own;
}

static int prepare(struct cuda_study *s, const struct study_work *w)
{
    static const float poison = NAN;
    struct gpu *g = s->study->gpu;
    if (!w->in_place)
        return gpu_fill(g, w->out, w->bytes, &poison, sizeof poison);
    const int err = gpu_copy(g, w->out, s->from, w->bytes);
    return err ? err : gpu_wait(g);
}

/* In place, repeated work transforms its own results: one more run makes the one to check. */
int study_cuda_measure(struct cuda_study *s, const struct study_work *w, double *seconds)
{
    int err = prepare(s, w);
    if (err == 0)
        err = gpu_seconds(w->enqueue, finish, w->user, s->study->options.quick, seconds);
    if (err < 0 || !w->in_place)
        return err;
    err = prepare(s, w);
    if (err == 0)
        err = w->enqueue(w->user);
    return err ? err : finish(w->user);
}

struct copy_work {
    struct cuda_study *study;
    size_t bytes;
};

static int copy_enqueue(void *user)
{
    const struct copy_work *w = user;
    return gpu_copy(w->study->study->gpu, w->study->to, w->study->from, w->bytes);
}

int study_cuda_copy_seconds(struct cuda_study *s, size_t bytes, double *seconds)
{
    struct copy_work w = {s, bytes};
    return gpu_seconds(copy_enqueue, finish, &w, s->study->options.quick, seconds);
}

void study_cuda_judge(struct cuda_study *s, const char *table, const char *row, double error,
                      double allowed)
{
    if (error <= allowed)
        return;
    bench_error("%s: %s: error %g, %g is allowed", table, row, error, allowed);
    s->wrong++;
}

/* ---- the study --------------------------------------------------------------------------- */

static int alloc_arrays(struct cuda_study *s)
{
    enum { PATTERN = 65521 }; /* a prime, so that no two planes of a box are equal */
    struct fft_iq roots[STUDY_N / 2], *noise = malloc(PATTERN * sizeof *noise);
    struct gpu *g = s->study->gpu;
    int err = noise ? gpu_alloc(g, &s->from, s->bytes) : -ENOMEM;
    if (err == 0)
        err = gpu_alloc(g, &s->to, s->bytes);
    if (err == 0)
        err = gpu_alloc(g, &s->roots, sizeof roots);
    for (uint32_t q = 0; q < STUDY_N / 2; q++) {
        const struct root w = fft_twiddle(q, STUDY_N);
        roots[q] = (struct fft_iq){(float)w.re, (float)w.im};
    }
    if (err == 0) {
        noise_fill(noise, PATTERN);
        err = gpu_fill(g, s->from, s->bytes, noise, PATTERN * sizeof *noise);
    }
    if (err == 0)
        err = gpu_write(g, s->roots, roots, sizeof roots);
    free(noise);
    return err;
}

static void print_machine(struct cuda_study *s)
{
    static const char *const columns[] = {"what", "here", NULL};
    table_open(&s->study->tables, "machine",
               "K. Aatish and B. Zhang, \"Three Dimensional Fast Fourier Transform CUDA "
               "Implementation\", 2012: on a Tesla C2050.",
               columns);
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT("device"), CELL_TEXT(gpu_name(s->study->gpu))});
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT("cuFFT"),
                              CELL_TEXT(s->study->cufft ? cufft_name(s->study->cufft) : "none")});
}

static int open_device(struct study *s, char *why, size_t size)
{
    const struct fft_engine_config config = {.name = "cuda"};
    int err = fft_engine_open(&s->engine, &config, why, size);
    if (err == 0)
        err = gpu_open(&s->gpu, why, size);
    return err;
}

static int print_tables(struct cuda_study *s)
{
    static const struct {
        const char *name;
        int (*print)(struct cuda_study *s);
    } tables[] = {{"rows", study_cuda_rows},
                  {"permute", study_cuda_permute},
                  {"planes", study_cuda_planes},
                  {"box", study_cuda_box}};
    int err = alloc_arrays(s);
    tables_begin(&s->study->tables, s->study->options.json);
    print_machine(s);
    for (size_t i = 0; err == 0 && i < sizeof tables / sizeof tables[0]; i++)
        if (study_wants(s->study, tables[i].name))
            err = tables[i].print(s);
    tables_end(&s->study->tables);
    gpu_free(s->study->gpu, s->roots);
    gpu_free(s->study->gpu, s->to);
    gpu_free(s->study->gpu, s->from);
    return err;
}

int study_cuda_run(struct study *study)
{
    struct cuda_study s = {.study = study,
                           .bytes = study->options.quick ? (size_t)32 << 20 : (size_t)1 << 30};
    char why[200];
    int err = open_device(study, why, sizeof why);
    if (err < 0)
        return bench_fail("cuda-3d", why);
    if (cufft_open(&study->cufft, study->gpu, why, sizeof why) < 0)
        bench_error("%s", why); /* cuFFT's columns stay empty */
    err = print_tables(&s);
    if (err == 0 && s.wrong > 0)
        return bench_fail("cuda-3d", "results are wrong");
    return bench_report("study", err);
}
