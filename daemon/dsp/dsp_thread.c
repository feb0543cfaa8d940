/* dsp_thread.c - runs the steps of dsp.h on a thread and publishes their status. */
#include "daemon/dsp/dsp_thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/dsp/dsp.h"

/* A step takes milliseconds; a plan for a GPU, whose kernels are compiled first, takes seconds. */
static const uint64_t stop_patience_ns = 10000000000;

struct dsp_thread {
    struct dsp_thread_config config; /* immutable */
    uv_thread_t thread;
    bool running; /* the loop thread's */
    atomic_bool stop, done;
    _Atomic uint64_t beat_ns;
    struct dsp dsp; /* the dsp thread's */

    uv_mutex_t lock;
    /* under lock */
    struct dsp_status status;
    struct ledger base;
    struct epoch *epoch; /* a reference for the totals of its ring; NULL: none */
};

/* ---- the dsp thread --------------------------------------------------------------------- */

static void copy_plan(struct dsp_status *s, const struct plan *plan)
{
    s->n = plan->spectrum.n;
    s->hop = plan->spectrum.hop;
    s->frames_per_line = plan->frames_per_line;
    s->enbw_bins = plan->enbw_bins;
    s->width_3db_bins = plan->width_3db_bins;
    s->line_rate_hz = plan->line_rate_hz;
    s->lines = plan->lines;
    memcpy(s->window, plan->window_text, sizeof s->window);
}

static void copy_sweep(struct sweep_status *s, const struct dsp *d)
{
    const struct panorama *p = d->runner.active.plan.panorama;
    *s = (struct sweep_status){0};
    if (!p)
        return;
    *s = (struct sweep_status){.dwells = p->plan.dwells,
                               .bins = p->plan.bins,
                               .low_hz = p->plan.low_hz,
                               .bin_hz = p->plan.bin_hz,
                               .dwell_samples = p->plan.dwell_samples,
                               .samples = d->sweep.samples,
                               .incomplete = d->sweep.incomplete};
}

static void copy_engine(struct dsp_status *s, const struct engine_runner *a, const char *start_note)
{
    s->fallbacks = a->fallbacks;
    snprintf(s->engine_note, sizeof s->engine_note, "%s", a->note[0] ? a->note : start_note);
    const char *note = a->active.spectrum ? fft_spectrum_note(a->active.spectrum) : "";
    if (a->engine)
        snprintf(s->engine, sizeof s->engine, "%s%s%s", fft_engine_describe(a->engine),
                 note[0] ? ", " : "", note);
}

static void publish_status(struct dsp_thread *p, bool ended)
{
    const struct dsp *d = &p->dsp;
    const char *start_note = p->config.engine_note ? p->config.engine_note : "";
    struct epoch *old = NULL;
    uv_mutex_lock(&p->lock);
    copy_plan(&p->status, &d->runner.active.plan);
    copy_sweep(&p->status.sweep, d);
    if (d->sweep.samples > 0)
        p->status.line_rate_hz = d->tuning.rate_hz / (double)d->sweep.samples;
    copy_engine(&p->status, &d->runner, start_note);
    p->status.dc_removal = d->active.dc_removal;
    p->status.iq_correction = d->active.iq_correction;
    p->status.front_end = dsp_front_end_figures(d);
    p->status.headroom_db = dsp_headroom_db(d);
    p->status.ledger = d->ledger;
    memcpy(p->status.refused, d->refused, sizeof p->status.refused);
    memcpy(p->status.line_rate_limit, d->rate_limit, sizeof p->status.line_rate_limit);
    p->status.ended = ended;
    p->status.error = d->error;
    p->status.failed = d->failed;
    p->base = d->base;
    if (p->epoch != d->epoch) {
        old = p->epoch;
        p->epoch = d->epoch ? epoch_ref(d->epoch) : NULL;
        p->status.epoch = d->epoch ? d->epoch->number : p->status.epoch;
    }
    uv_mutex_unlock(&p->lock);
    epoch_unref(old);
}

static void dsp_thread(void *arg)
{
    struct dsp_thread *p = arg;
    bool more = true;
    pthread_setname_np(pthread_self(), "dsp");
    while (more && !atomic_load(&p->stop)) {
        atomic_store(&p->beat_ns, clock_now_ns());
        more = dsp_step(&p->dsp);
        publish_status(p, false);
    }
    atomic_store(&p->beat_ns, clock_now_ns());
    dsp_abort(&p->dsp);
    publish_status(p, true);
    line_ring_close(p->config.lines);
    atomic_store(&p->done, true);
}

/* ---- the loop thread's side ------------------------------------------------------------- */

int dsp_thread_start(struct dsp_thread **out, const struct dsp_thread_config *config)
{
    struct dsp_thread *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p || uv_mutex_init(&p->lock) < 0) {
        fft_engine_close(config->engine);
        free(p);
        return -ENOMEM;
    }
    p->config = *config;
    atomic_store(&p->beat_ns, clock_now_ns());
    dsp_init(&p->dsp, &p->config, &p->stop, &p->beat_ns);
    publish_status(p, false);
    const int err = uv_thread_create(&p->thread, dsp_thread, p);
    p->running = err == 0;
    if (err < 0) {
        dsp_thread_destroy(p);
        return err;
    }
    *out = p;
    return 0;
}

/* Adds what the source has produced and the dsp thread has not accounted for yet. */
static void add_pending(struct dsp_thread *p, struct dsp_status *out)
{
    struct iq_ring_totals now;
    iq_ring_totals(p->epoch->ring, &now);
    out->ledger.produced = p->base.produced + now.written;
    for (int cause = 0; cause < LOSS_CAUSES; cause++) {
        out->ledger.produced += now.lost[cause];
        if (cause == LOSS_TAIL)
            continue;
        out->ledger.lost[cause] = p->base.lost[cause] + now.lost[cause];
        out->ledger.events[cause] = p->base.events[cause] + now.events[cause];
    }
    out->ring_fill = now.fill;
    out->ring_bytes = iq_ring_capacity(p->epoch->ring) * fft_iq_bytes(p->epoch->stream.format);
}

void dsp_thread_status(struct dsp_thread *p, struct dsp_status *out)
{
    const uint64_t now = clock_now_ns(), beat = atomic_load(&p->beat_ns);
    uv_mutex_lock(&p->lock);
    *out = p->status;
    if (p->epoch && !out->ended)
        add_pending(p, out);
    uv_mutex_unlock(&p->lock);
    out->beat_age_ns = out->ended || now < beat ? 0 : now - beat;
}

static bool is_stuck(const struct dsp_thread *p)
{
    const uint64_t now = clock_now_ns(), beat = atomic_load(&p->beat_ns);
    return now > beat && now - beat >= stop_patience_ns;
}

bool dsp_thread_stop(struct dsp_thread *p)
{
    if (!p || !p->running)
        return false;
    atomic_store(&p->stop, true);
    while (!atomic_load(&p->done) && !is_stuck(p))
        uv_sleep(1);
    if (!atomic_load(&p->done))
        return true;
    uv_thread_join(&p->thread);
    p->running = false;
    return false;
}

void dsp_thread_destroy(struct dsp_thread *p)
{
    if (!p)
        return;
    dsp_thread_stop(p);
    dsp_finish(&p->dsp);
    epoch_unref(p->epoch);
    uv_mutex_destroy(&p->lock);
    free(p);
}
