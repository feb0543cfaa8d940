/* clfft.c - AMD's clFFT through the part of its documented interface (clFFT.h) that is needed. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/libs/other_library_internal.h"

struct clfft_setup {
    uint32_t major, minor, patch;
    uint64_t debug;
};

static struct {
    int (*version)(uint32_t *major, uint32_t *minor, uint32_t *patch);
    int (*setup)(const struct clfft_setup *setup);
    int (*create)(size_t *plan, struct _cl_context *context, int rank, const size_t *lengths);
    int (*set_precision)(size_t plan, int precision);
    int (*set_layout)(size_t plan, int in, int out);
    int (*set_location)(size_t plan, int location);
    int (*set_batch)(size_t plan, size_t batch);
    int (*bake)(size_t plan, uint32_t count, struct _cl_command_queue **queues,
                void (*notify)(size_t plan, void *user), void *user);
    int (*enqueue)(size_t plan, int direction, uint32_t count, struct _cl_command_queue **queues,
                   uint32_t waits, struct _cl_event *const *wait, struct _cl_event **events,
                   struct _cl_mem **in, struct _cl_mem **out, struct _cl_mem *scratch);
    int (*destroy)(size_t *plan);
    int (*teardown)(void);
} clfft;

static bool clfft_open(struct other_library *r)
{
    static const struct {
        const char *name;
        void *to;
    } functions[] = {
        {"clfftGetVersion", &clfft.version},
        {"clfftSetup", &clfft.setup},
        {"clfftCreateDefaultPlan", &clfft.create},
        {"clfftSetPlanPrecision", &clfft.set_precision},
        {"clfftSetLayout", &clfft.set_layout},
        {"clfftSetResultLocation", &clfft.set_location},
        {"clfftSetPlanBatchSize", &clfft.set_batch},
        {"clfftBakePlan", &clfft.bake},
        {"clfftEnqueueTransform", &clfft.enqueue},
        {"clfftDestroyPlan", &clfft.destroy},
        {"clfftTeardown", &clfft.teardown},
    };
    struct clfft_setup setup = {0};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (!other_library_find(r, functions[i].name, functions[i].to))
            return false;
    if (clfft.version(&setup.major, &setup.minor, &setup.patch) != 0 || clfft.setup(&setup) != 0)
        return false;
    snprintf(r->name, sizeof r->name, "clfft-%u.%u.%u", setup.major, setup.minor, setup.patch);
    return true;
}

static void clfft_drop(struct other_library *r, void *plan)
{
    (void)r;
    clfft.destroy(plan);
    free(plan);
}

static void *clfft_plan(struct other_library *r, struct _cl_mem *points, uint32_t n, uint32_t batch)
{
    enum { SINGLE = 1, INTERLEAVED = 1, IN_PLACE = 1, RANK_1 = 1 };
    const size_t length = n;
    size_t *plan = calloc(1, sizeof *plan);
    (void)points;
    if (!plan || clfft.create(plan, r->ocl->device.context, RANK_1, &length) != 0) {
        free(plan);
        return NULL;
    }
    if (clfft.set_precision(*plan, SINGLE) == 0 &&
        clfft.set_layout(*plan, INTERLEAVED, INTERLEAVED) == 0 &&
        clfft.set_location(*plan, IN_PLACE) == 0 && clfft.set_batch(*plan, batch) == 0 &&
        clfft.bake(*plan, 1, &r->ocl->queue, NULL, NULL) == 0)
        return plan;
    clfft_drop(r, plan);
    return NULL;
}

static bool clfft_run(struct other_library *r, void *plan, struct _cl_mem *points)
{
    enum { FORWARD = -1 };
    return clfft.enqueue(*(size_t *)plan, FORWARD, 1, &r->ocl->queue, 0, NULL, NULL, &points, NULL,
                         NULL) == 0;
}

static void clfft_close(void)
{
    clfft.teardown();
}

const struct other_library_ops other_library_clfft = {.variable = "FFT_BENCH_CLFFT",
                                                      .file = "libclFFT.so.2",
                                                      .open = clfft_open,
                                                      .plan = clfft_plan,
                                                      .run = clfft_run,
                                                      .drop = clfft_drop,
                                                      .close = clfft_close};
