/* ocl_times.c - measures work by the host's clock, and sums the times of kernels that the driver
 * records in events. */
#include "studies/ocl_times.h"

#include <errno.h>
#include <math.h>

#include "bench/contest.h"
#include "bench/device/ocl_internal.h"

enum { RUNS = 7, CALLS = 5 };
static const double enough_s = 0.01, warm_s = 0.03, long_s = 0.2;

/* ---- by the host's clock ----------------------------------------------------------------- */

static int timed(struct ocl *o, const struct ocl_work *w, double calls, double *seconds)
{
    const double start = contest_clock(true);
    int err = 0;
    for (double i = 0; err == 0 && i < calls; i++)
        err = w->enqueue(w->user);
    if (err == 0 && w->finish)
        err = w->finish(w->user);
    if (err == 0)
        err = ocl_finish(o);
    *seconds = (contest_clock(true) - start) / calls;
    return err;
}

/* A device lowers its clock while idle. The first call, which may also build a program, decides how
 * long the device is kept busy before the measurement. */
static int warm(struct ocl *o, struct ocl_work *w, bool quick)
{
    const int err = timed(o, w, 1, &w->seconds);
    return err < 0 || quick ? err : timed(o, w, ceil(warm_s / fmax(w->seconds, 1e-6)), &w->seconds);
}

int ocl_seconds(struct ocl *o, struct ocl_work *all, uint32_t count, bool quick)
{
    double times[OCL_WORKS][RUNS], calls[OCL_WORKS];
    double longest = 0;
    int err = count <= OCL_WORKS ? 0 : -EINVAL;
    for (uint32_t i = 0; err == 0 && i < count; i++) {
        err = warm(o, &all[i], quick);
        calls[i] = ceil(enough_s / fmax(all[i].seconds, 1e-7));
        longest = fmax(longest, all[i].seconds);
    }
    const int runs = quick ? 0 : longest > long_s ? 3 : RUNS;
    for (int run = 0; run < runs; run++)
        for (uint32_t i = 0; err == 0 && i < count; i++)
            err = timed(o, &all[i], calls[i], &times[i][run]);
    for (uint32_t i = 0; err == 0 && runs > 0 && i < count; i++)
        all[i].seconds = contest_median(times[i], runs);
    return err;
}

/* ---- by the device's ---------------------------------------------------------------------- */

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
