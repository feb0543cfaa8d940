/* cufft.c - NVIDIA's cuFFT through its documented C interface ("cuFFT API reference"); implements
 * gpu.h. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/device/gpu_internal.h"

enum { FORWARD = -1, INVERSE = 1, R2C = 0x2a, C2R = 0x2c, C2C = 0x29 };

struct cufft {
    void *library;
    struct gpu *gpu;
    char name[40];
    int (*version)(int *version);
    int (*plan_many)(int *plan, int rank, int *n, int *in_embed, int in_stride, int in_distance,
                     int *out_embed, int out_stride, int out_distance, int type, int batch);
    int (*set_stream)(int plan, struct CUstream_st *stream);
    int (*run_c2c)(int plan, cuda_address from, cuda_address to, int direction);
    int (*run_r2c)(int plan, cuda_address from, cuda_address to);
    int (*run_c2r)(int plan, cuda_address from, cuda_address to);
    int (*destroy)(int plan);
    int handle;
    bool planned;
    enum fft_transform_type type;
};

static bool find(struct cufft *c, const char *name, void *pointer_to_function)
{
    void *symbol = dlsym(c->library, name);
    memcpy(pointer_to_function, &symbol, sizeof symbol);
    return symbol;
}

static bool find_all(struct cufft *c)
{
    return find(c, "cufftGetVersion", &c->version) && find(c, "cufftPlanMany", &c->plan_many) &&
           find(c, "cufftSetStream", &c->set_stream) && find(c, "cufftExecC2C", &c->run_c2c) &&
           find(c, "cufftExecR2C", &c->run_r2c) && find(c, "cufftExecC2R", &c->run_c2r) &&
           find(c, "cufftDestroy", &c->destroy);
}

static void *open_library(void)
{
    static const char *const names[] = {"libcufft.so.12", "libcufft.so.11",
                                        "/usr/local/cuda/lib64/libcufft.so.12",
                                        "/usr/local/cuda/lib64/libcufft.so.11"};
    const char *other = getenv("FFT_BENCH_CUFFT");
    void *library = NULL;
    if (other && *other)
        return dlopen(other, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; !library && i < sizeof names / sizeof names[0]; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

int cufft_open(struct cufft **out, struct gpu *g, char *why, size_t size)
{
    int version = 0;
    struct cufft *c = *out = calloc(1, sizeof *c);
    if (!c)
        return -ENOMEM;
    c->gpu = g;
    c->library = open_library();
    if (!c->library || !find_all(c) || c->version(&version) != 0) {
        const char *reason = dlerror();
        snprintf(why, size, "no cuFFT: %s", reason ? reason : "a function is missing");
        cufft_close(c);
        *out = NULL;
        return -ENODEV;
    }
    snprintf(c->name, sizeof c->name, "cufft-%d.%d.%d", version / 1000, version % 1000 / 100,
             version % 100);
    return 0;
}

static void drop_plan(struct cufft *c)
{
    if (c->planned)
        c->destroy(c->handle);
    c->planned = false;
}

void cufft_close(struct cufft *c)
{
    if (!c)
        return;
    drop_plan(c);
    if (c->library)
        dlclose(c->library);
    free(c);
}

const char *cufft_name(const struct cufft *c)
{
    return c->name;
}

int cufft_plan(struct cufft *c, const struct fft_transform_config *plan)
{
    static const int types[FFT_TRANSFORM_TYPES] = {[FFT_TRANSFORM_FORWARD] = C2C,
                                                   [FFT_TRANSFORM_INVERSE] = C2C,
                                                   [FFT_TRANSFORM_R2C] = R2C,
                                                   [FFT_TRANSFORM_C2R] = C2R};
    int n[FFT_TRANSFORM_MAX_RANK] = {0}, points = 1;
    for (uint32_t i = 0; i < plan->rank; i++)
        points *= n[i] = (int)plan->n[i];
    drop_plan(c);
    c->type = plan->type;
    if (c->plan_many(&c->handle, (int)plan->rank, n, NULL, 1, points, NULL, 1, points,
                     types[plan->type], (int)plan->batch) != 0)
        return -ENOTSUP;
    c->planned = true;
    return c->set_stream(c->handle, c->gpu->stream) == 0 ? 0 : -EIO;
}

int cufft_run(struct cufft *c, uint64_t from, uint64_t to)
{
    int result;
    if (c->type == FFT_TRANSFORM_R2C)
        result = c->run_r2c(c->handle, from, to);
    else if (c->type == FFT_TRANSFORM_C2R)
        result = c->run_c2r(c->handle, from, to);
    else
        result =
            c->run_c2c(c->handle, from, to, c->type == FFT_TRANSFORM_FORWARD ? FORWARD : INVERSE);
    return result == 0 ? 0 : -EIO;
}
