#include "daemon/dsp/dsp_thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/dsp/dsp.h"

struct dsp_thread {
    struct dsp_thread_config config; /* immutable */
    uv_thread_t thread;
    bool running; /* the loop thread's */
    atomic_bool stop;
    _Atomic uint64_t beat_ns;
    struct dsp dsp; /* the dsp thread's */

    uv_mutex_t lock;
    /* under lock */
    struct dsp_thread_report report;
    struct ledger base;
    struct epoch *epoch; /* held, for its ring's totals; NULL: none */
};

/* ---- the dsp thread --------------------------------------------------------------------- */

static void report_plan(struct dsp_thread_report *r, const struct engine_runner *a)
{
    r->n = a->job.plan.spectrum.n;
    r->hop = a->job.plan.spectrum.hop;
    r->frames_per_line = a->job.plan.frames_per_line;
    r->enbw_bins = a->job.plan.enbw_bins;
    r->line_rate_hz = a->job.plan.line_rate_hz;
    memcpy(r->window, a->job.plan.window_text, sizeof r->window);
    r->fallbacks = a->fallbacks;
    memcpy(r->engine_note, a->note, sizeof r->engine_note);
    if (a->engine)
        strncpy(r->engine, fft_engine_describe(a->engine), sizeof r->engine - 1);
}

static void publish_report(struct dsp_thread *p, bool ended)
{
    const struct dsp *d = &p->dsp;
    struct epoch *old = NULL;
    uv_mutex_lock(&p->lock);
    report_plan(&p->report, &d->analyser);
    p->report.ledger = d->ledger;
    memcpy(p->report.refused, d->refused, sizeof p->report.refused);
    p->report.ended = ended;
    p->report.error = d->error;
    p->report.failed = d->failed;
    p->base = d->base;
    if (p->epoch != d->epoch) {
        old = p->epoch;
        p->epoch = d->epoch ? epoch_hold(d->epoch) : NULL;
        p->report.epoch = d->epoch ? d->epoch->number : p->report.epoch;
    }
    uv_mutex_unlock(&p->lock);
    epoch_drop(old);
}

static void dsp_thread(void *arg)
{
    struct dsp_thread *p = arg;
    bool more = true;
    while (more && !atomic_load(&p->stop)) {
        atomic_store(&p->beat_ns, uv_hrtime());
        more = dsp_step(&p->dsp);
        publish_report(p, false);
    }
    dsp_give_up(&p->dsp);
    publish_report(p, true);
    line_ring_close(p->config.lines);
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
    atomic_store(&p->beat_ns, uv_hrtime());
    dsp_init(&p->dsp, &p->config, &p->stop, &p->beat_ns);
    const int err = uv_thread_create(&p->thread, dsp_thread, p);
    p->running = err == 0;
    if (err < 0) {
        dsp_thread_destroy(p);
        return err;
    }
    *out = p;
    return 0;
}

/* What the source has made so far, beyond what the dsp thread has accounted for. */
static void add_pending(struct dsp_thread *p, struct dsp_thread_report *out)
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

void dsp_thread_report(struct dsp_thread *p, struct dsp_thread_report *out)
{
    const uint64_t now = uv_hrtime(), beat = atomic_load(&p->beat_ns);
    uv_mutex_lock(&p->lock);
    *out = p->report;
    if (p->epoch && !out->ended)
        add_pending(p, out);
    uv_mutex_unlock(&p->lock);
    out->beat_age_ns = out->ended || now < beat ? 0 : now - beat;
}

void dsp_thread_stop(struct dsp_thread *p)
{
    if (!p || !p->running)
        return;
    atomic_store(&p->stop, true);
    uv_thread_join(&p->thread);
    p->running = false;
}

void dsp_thread_destroy(struct dsp_thread *p)
{
    if (!p)
        return;
    dsp_thread_stop(p);
    dsp_finish(&p->dsp);
    epoch_drop(p->epoch);
    uv_mutex_destroy(&p->lock);
    free(p);
}
