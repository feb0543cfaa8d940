/*
 * plan_maker.h - makes a plan and the engine's part of it, if possible on its own thread.
 *
 * A plan of millions of points takes a second: window, twiddles, memory. On its own
 * thread, it is made while the current plan runs. The dsp thread calls all functions.
 */
#ifndef FFTD_DAEMON_DSP_PLAN_MAKER_H
#define FFTD_DAEMON_DSP_PLAN_MAKER_H

#include <stdatomic.h>
#include <uv.h>

#include "daemon/dsp/dsp_plan.h"

/* What a plan is made of. */
struct plan_order {
    struct settings settings;
    struct stream stream;
    unsigned detectors;  /* FFT_DETECTOR_ bits in each line */
    const void *memory;  /* of all samples; a device may read it directly */
    size_t memory_bytes; /* of it, once */
    bool lazy_workers;   /* struct fft_spectrum_config */
};

/* A plan with the objects that the engine needs for it. */
struct active_plan {
    struct plan plan;
    struct fft_spectrum *spectrum;
    struct fft_fold *fold;
};

/* All but the spectrum. -ENOMEM; drop follows also after a failure. */
int active_plan_init(struct active_plan *p, const struct plan_order *order);
void active_plan_finish(struct active_plan *p); /* zeroed is fine */

struct plan_maker {
    struct plan_order order;
    struct fft_engine *engine;
    bool running; /* a thread was started and not joined */
    uv_thread_t thread;
    atomic_bool done; /* the thread has written the next two */
    struct active_plan plan;
    int err;
};

/* The engine must plan concurrently, and stay open until take or cancel. -errno: no thread. */
int plan_maker_start(struct plan_maker *m, struct fft_engine *engine,
                     const struct plan_order *order);
/* The order that it makes, or has made and still has, gives the plan that this one would. */
bool plan_maker_has_begun(const struct plan_maker *m, const struct plan_order *order);
bool plan_maker_is_making(const struct plan_maker *m);
/* The plan, which *out owns from now on; -errno: it could not be made. Waits until it is done. */
int plan_maker_take(struct plan_maker *m, struct active_plan *out);
void plan_maker_cancel(struct plan_maker *m); /* waits, and drops the plan if there is one */

#endif
