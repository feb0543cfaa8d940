/* ocl_profile.c - sums the times of kernels that the driver records in events. */
#include <math.h>

#include "bench/device/ocl_internal.h"

enum { CALLS = 5 };

/* Adds the time of an event, and releases it. */
static int add_time(struct ocl *o, struct _cl_event *event, double *seconds)
{
    uint64_t start = 0, end = 0;
    int32_t result = o->driver.event_time(event, OPENCL_EVENT_START, sizeof start, &start, NULL);
    if (result == OPENCL_OK)
        result = o->driver.event_time(event, OPENCL_EVENT_END, sizeof end, &end, NULL);
    o->driver.event_release(event);
    *seconds += 1e-9 * (double)(end - start);
    return ocl_check(result, "the time of a kernel");
}

static int profile_call(struct ocl *o, const struct ocl_work *work, double *seconds)
{
    *seconds = 0;
    o->events = 0;
    int err = work->enqueue(work->user);
    const int ended = ocl_finish(o);
    err = err < 0 ? err : ended;
    for (uint32_t i = 0; i < o->events; i++) {
        const int bad = add_time(o, o->event[i], seconds);
        err = err < 0 ? err : bad;
    }
    return err;
}

/* Only a queue of its own records times: some drivers are slower with them. */
int ocl_profiled_seconds(struct ocl *o, const struct ocl_work *work, bool quick, double *seconds)
{
    struct _cl_command_queue *const usual = o->queue;
    int32_t result = OPENCL_OK;
    double least = INFINITY, once = NAN;
    *seconds = NAN;
    struct _cl_command_queue *queue =
        o->driver.queue_create(o->device.context, o->device.id, OPENCL_QUEUE_TIMES, &result);
    int err = ocl_check(result, "a command queue with times");
    if (err < 0)
        return err;
    o->queue = queue;
    o->profiling = true;
    for (int i = 0; err == 0 && i < (quick ? 1 : CALLS); i++) {
        err = profile_call(o, work, &once);
        least = fmin(least, once);
    }
    o->profiling = false;
    o->queue = usual;
    opencl_queue_destroy(&o->device, queue);
    if (err == 0)
        *seconds = least;
    return err;
}
