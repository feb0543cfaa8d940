/*
 * foreign.c - other OpenCL FFT libraries on the same device, doing plain complex transforms, for the row
 * beside opencl-bench-resident's: clFFT, opened at run time, and VkFFT, a header, where it was found when
 * this was built. Samples lie on the device; each row is the median of some runs.
 *
 *     opencl-bench-foreign [NAME]     the first device that has NAME in its name
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef WITH_VKFFT
#define VKFFT_BACKEND 3
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <vkFFT.h>
#pragma GCC diagnostic pop
#endif

enum { MOST = 16, RUNS = 9, SAMPLES = 1 << 22 };

struct bench {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer; /* SAMPLES points, transformed in place */
};

/* ---- the device -------------------------------------------------------------------------- */

static bool find(struct bench *b, const char *wanted)
{
    cl_platform_id platforms[MOST];
    cl_uint count = 0;
    if (clGetPlatformIDs(MOST, platforms, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count && i < MOST; i++) {
        cl_device_id devices[MOST];
        cl_uint found = 0;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MOST, devices, &found) != CL_SUCCESS)
            continue;
        for (cl_uint j = 0; j < found && j < MOST; j++) {
            char name[256] = "";
            clGetDeviceInfo(devices[j], CL_DEVICE_NAME, sizeof name - 1, name, NULL);
            b->platform = platforms[i];
            b->device = devices[j];
            if (strstr(name, wanted)) {
                printf("%s\n", name);
                return true;
            }
        }
    }
    return false;
}

static bool prepare(struct bench *b)
{
    cl_int err;
    float *noise = malloc(SAMPLES * sizeof(cl_float2));
    b->context = clCreateContext(NULL, 1, &b->device, NULL, NULL, &err);
    if (err != CL_SUCCESS || !noise)
        return false;
    b->queue = clCreateCommandQueue(b->context, b->device, 0, &err);
    for (uint32_t i = 0; i < 2 * SAMPLES; i++)
        noise[i] = (float)rand() / (float)RAND_MAX - 0.5F;
    b->buffer = clCreateBuffer(b->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                               SAMPLES * sizeof(cl_float2), noise, &err);
    free(noise);
    return err == CL_SUCCESS;
}

/* ---- timing ------------------------------------------------------------------------------ */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Points a second, in units of 1e9; `once` transforms all of the buffer. 0: it failed. */
static double measure(struct bench *b, bool (*once)(struct bench *, void *), void *plan)
{
    double seconds[RUNS];
    for (int i = -1; i < RUNS; i++) {
        const double began = now();
        if (!once(b, plan) || clFinish(b->queue) != CL_SUCCESS)
            return 0;
        if (i >= 0)
            seconds[i] = now() - began;
    }
    qsort(seconds, RUNS, sizeof seconds[0], ascending);
    return 1e-9 * SAMPLES / seconds[RUNS / 2];
}

/* ---- clFFT: what of its interface is needed ---------------------------------------------- */

struct clfft_setup {
    cl_uint major, minor, patch;
    cl_ulong debug;
};

static struct {
    int (*setup)(const struct clfft_setup *);
    int (*create)(size_t *plan, cl_context, int dim, const size_t *lengths);
    int (*set_precision)(size_t, int);
    int (*set_layout)(size_t, int in, int out);
    int (*set_location)(size_t, int);
    int (*set_batch)(size_t, size_t);
    int (*bake)(size_t, cl_uint queues, cl_command_queue *, void *, void *);
    int (*enqueue)(size_t, int direction, cl_uint queues, cl_command_queue *, cl_uint,
                   const cl_event *, cl_event *, cl_mem *in, cl_mem *out, cl_mem scratch);
    int (*destroy)(size_t *);
} clfft;

static bool clfft_load(void)
{
    static const struct {
        const char *name;
        void *to;
    } calls[] = {
        {"clfftSetup", &clfft.setup},
        {"clfftCreateDefaultPlan", &clfft.create},
        {"clfftSetPlanPrecision", &clfft.set_precision},
        {"clfftSetLayout", &clfft.set_layout},
        {"clfftSetResultLocation", &clfft.set_location},
        {"clfftSetPlanBatchSize", &clfft.set_batch},
        {"clfftBakePlan", &clfft.bake},
        {"clfftEnqueueTransform", &clfft.enqueue},
        {"clfftDestroyPlan", &clfft.destroy},
    };
    void *library = dlopen("libclFFT.so.2", RTLD_NOW);
    for (size_t i = 0; library && i < sizeof calls / sizeof calls[0]; i++) {
        void *call = dlsym(library, calls[i].name);
        if (!call)
            return false;
        memcpy(calls[i].to, &call, sizeof call);
    }
    return library && clfft.setup(&(struct clfft_setup){2, 12, 2, 0}) == 0;
}

static bool clfft_once(struct bench *b, void *plan)
{
    return clfft.enqueue(*(size_t *)plan, -1, 1, &b->queue, 0, NULL, NULL, &b->buffer, NULL,
                         NULL) == 0;
}

static double clfft_speed(struct bench *b, uint32_t n)
{
    enum { SINGLE = 1, INTERLEAVED = 1, IN_PLACE = 1, RANK_1 = 1 };
    size_t plan = 0;
    const size_t length = n;
    if (clfft.create(&plan, b->context, RANK_1, &length) != 0)
        return 0;
    clfft.set_precision(plan, SINGLE);
    clfft.set_layout(plan, INTERLEAVED, INTERLEAVED);
    clfft.set_location(plan, IN_PLACE);
    clfft.set_batch(plan, SAMPLES / n);
    const double speed =
        clfft.bake(plan, 1, &b->queue, NULL, NULL) == 0 ? measure(b, clfft_once, &plan) : 0;
    clfft.destroy(&plan);
    return speed;
}

/* ---- VkFFT ------------------------------------------------------------------------------- */

#ifdef WITH_VKFFT
static bool vkfft_once(struct bench *b, void *plan)
{
    VkFFTLaunchParams launch = {.commandQueue = &b->queue};
    return VkFFTAppend(plan, -1, &launch) == VKFFT_SUCCESS;
}

static double vkfft_speed(struct bench *b, uint32_t n)
{
    static VkFFTApplication app;
    uint64_t bytes = SAMPLES * sizeof(cl_float2);
    VkFFTConfiguration c = {.FFTdim = 1};
    memset(&app, 0, sizeof app);
    c.size[0] = n;
    c.numberBatches = SAMPLES / n;
    c.platform = &b->platform;
    c.device = &b->device;
    c.context = &b->context;
    c.bufferSize = &bytes;
    c.buffer = &b->buffer;
    if (initializeVkFFT(&app, c) != VKFFT_SUCCESS)
        return 0;
    const double speed = measure(b, vkfft_once, &app);
    deleteVkFFT(&app);
    return speed;
}
#else
static double vkfft_speed(struct bench *b, uint32_t n)
{
    (void)b;
    (void)n;
    return 0;
}
#endif

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {256, 1024, 4096, 65536};
    struct bench b;
    if (!find(&b, argc > 1 ? argv[1] : "") || !prepare(&b)) {
        fprintf(stderr, "%s: no such device\n", argv[0]);
        return EXIT_FAILURE;
    }
    const bool has_clfft = clfft_load();
    printf("       n  clFFT GS/s  VkFFT GS/s  (0: not here, or it failed)\n");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const double cl = has_clfft ? clfft_speed(&b, sizes[i]) : 0;
        printf("%8u %11.4f %11.4f\n", sizes[i], cl, vkfft_speed(&b, sizes[i]));
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
