#include "daemon/acquisition.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/dsp/dsp_thread.h"
#include "daemon/source/supervisor.h"

/* Steps of both threads are shorter; opening a device may take longer and is no hang. */
static const uint64_t alive_ns = 5000000000;

struct acquisition {
    struct supervisor *receiver;
    struct dsp_thread *pipeline;
    struct settings settings;
    const struct source_ops *ops;
    uint64_t ring_bytes;   /* as configured */
    char engine_note[512]; /* engines and devices that were passed over at start */
    uint64_t start_ns;
    bool left_behind; /* a stuck source thread still uses the configuration */
};

bool acquisition_lossless(const struct config *config)
{
    return !config->source.realtime;
}

/* ---- start ------------------------------------------------------------------------------ */

static int open_engine(struct acquisition *r, const struct config *config, struct fft_engine **out,
                       char *error, size_t error_size)
{
    const struct fft_engine_config choice = {.name = config->engine.name,
                                             .threads = config->engine.threads,
                                             .isa = config->engine.isa,
                                             .options = config->engine.options};
    char why[sizeof r->engine_note] = "";
    const int err = fft_engine_open(out, &choice, why, sizeof why);
    if (err < 0)
        snprintf(error, error_size, "engine %s: %s", config->engine.name,
                 why[0] ? why : strerror(-err));
    if (err < 0)
        return err;
    if (strcmp(fft_engine_name(*out), "cpu") != 0)
        log_info("engine %s%s%s", fft_engine_describe(*out), why[0] ? "; passed over: " : "", why);
    memcpy(r->engine_note, why, sizeof why);
    return 0;
}

/* A recording that cannot be read is an error of the command, not a state to wait in. */
static int wait_until_open(struct acquisition *r, char *error, size_t error_size)
{
    struct supervisor_report report;
    do {
        uv_sleep(1);
        supervisor_report(r->receiver, &report);
    } while (report.state == SOURCE_STARTING);
    if (report.state != SOURCE_FAILED || report.opened)
        return 0; /* what fails later, fails after everything that came before */
    snprintf(error, error_size, "%s", report.message);
    return -EINVAL;
}

static int start_threads(struct acquisition *r, const struct config *config,
                         struct line_ring *lines, struct fft_engine *engine)
{
    const bool lossless = acquisition_lossless(config);
    const struct supervisor_config receiver = {.ops = r->ops,
                                               .source = config->source,
                                               .settings = config->settings,
                                               .ring_bytes = config->ring_bytes,
                                               .lossless = lossless};
    int err = supervisor_start(&r->receiver, &receiver);
    if (err < 0) {
        fft_engine_close(engine);
        return err;
    }
    const unsigned all = (1U << FFT_TRACES) - 1;
    const struct dsp_thread_config pipeline = {
        .engine = engine,
        .threads = config->engine.threads,
        .exchange = supervisor_exchange(r->receiver),
        .lines = lines,
        .lossless = lossless,
        .traces = config->server.enabled ? all : 1U << config->output.trace_index,
        .max_lines = config->output.lines,
        .max_seconds = config->output.duration_s};
    return dsp_thread_start(&r->pipeline, &pipeline);
}

int acquisition_start(struct acquisition **out, const struct config *config,
                      struct line_ring *lines, char *error, size_t error_size)
{
    *out = NULL;
    struct acquisition *r = calloc(1, sizeof *r);
    if (!r)
        return -ENOMEM;
    r->start_ns = uv_hrtime();
    r->settings = config->settings;
    r->ring_bytes = config->ring_bytes;
    r->ops = source_find(&config->source);
    if (!r->ops) {
        snprintf(error, error_size, "source '%s' is not in this build", config->source.source);
        free(r);
        return -ENODEV;
    }
    struct fft_engine *engine = NULL;
    int err = open_engine(r, config, &engine, error, error_size);
    if (err == 0) {
        err = start_threads(r, config, lines, engine);
        if (err < 0)
            snprintf(error, error_size, "start: %s", strerror(-err));
    }
    if (err == 0 && !r->ops->live)
        err = wait_until_open(r, error, error_size);
    if (err < 0) {
        acquisition_destroy(r);
        return err;
    }
    *out = r;
    return 0;
}

/* ---- while it runs ---------------------------------------------------------------------- */

bool acquisition_tick(struct acquisition *r)
{
    struct dsp_thread_report pipeline;
    dsp_thread_report(r->pipeline, &pipeline);
    return supervisor_tick(r->receiver) && pipeline.beat_age_ns < alive_ns;
}

bool acquisition_ended(struct acquisition *r)
{
    struct dsp_thread_report pipeline;
    dsp_thread_report(r->pipeline, &pipeline);
    return pipeline.ended;
}

static enum source_state state_of(const struct supervisor_report *receiver,
                                  const struct dsp_thread_report *pipeline)
{
    if (pipeline->error < 0 || receiver->state == SOURCE_FAILED)
        return SOURCE_FAILED;
    return pipeline->ended ? SOURCE_ENDED : receiver->state;
}

static void add_plan(struct status *out, const struct dsp_thread_report *p)
{
    out->epoch = p->epoch;
    out->n = p->n;
    out->hop = p->hop;
    out->frames_per_line = p->frames_per_line;
    out->enbw_bins = p->enbw_bins;
    memcpy(out->window, p->window, sizeof out->window);
    out->line_rate_hz = p->line_rate_hz;
}

static void add_engine(struct status *out, const struct dsp_thread_report *p,
                       const struct acquisition *r)
{
    memcpy(out->engine, p->engine, sizeof out->engine);
    const char *note = p->engine_note[0] ? p->engine_note : r->engine_note;
    snprintf(out->engine_note, sizeof out->engine_note, "%s", note);
    out->engine_fallbacks = p->fallbacks;
}

void acquisition_status(struct acquisition *r, struct status *out)
{
    struct supervisor_report receiver;
    struct dsp_thread_report pipeline;
    supervisor_report(r->receiver, &receiver);
    dsp_thread_report(r->pipeline, &pipeline);
    *out = (struct status){.state = state_of(&receiver, &pipeline),
                           .stream = receiver.stream,
                           .ledger = pipeline.ledger,
                           .timeouts = receiver.timeouts,
                           .reopened = receiver.reopened,
                           .abandoned = receiver.abandoned,
                           .ring_bytes = pipeline.ring_bytes,
                           .ring_fill = pipeline.ring_fill,
                           .seconds = (double)(uv_hrtime() - r->start_ns) * 1e-9,
                           .settings = r->settings};
    const char *message = receiver.message[0] ? receiver.message : pipeline.refused;
    snprintf(out->message, sizeof out->message, "%s", message);
    if (pipeline.error < 0)
        snprintf(out->message, sizeof out->message, "%s: %s", pipeline.failed,
                 strerror(-pipeline.error));
    snprintf(out->source, sizeof out->source, "%s", r->ops->name);
    add_plan(out, &pipeline);
    add_engine(out, &pipeline, r);
}

/* A ring that cannot be made would end the daemon. */
static int check_ring(struct acquisition *r, const struct settings *settings, char *error,
                      size_t error_size)
{
    struct supervisor_report now;
    supervisor_report(r->receiver, &now);
    if (settings->tuning.rate_hz > 0)
        now.stream.tuning.rate_hz = settings->tuning.rate_hz;
    const struct epoch_config config = {.n = settings->n, .ring_bytes = r->ring_bytes};
    return epoch_check(&now.stream, &config, error, error_size);
}

int acquisition_apply(struct acquisition *r, const struct settings *settings, char *error,
                      size_t error_size)
{
    if (!r->ops->tune && !tuning_equal(&settings->tuning, &r->settings.tuning)) {
        snprintf(error, error_size, "source %s: frequency, rate and gain are fixed", r->ops->name);
        return -ENOTSUP;
    }
    const int err = check_ring(r, settings, error, error_size);
    if (err < 0)
        return err;
    r->settings = *settings;
    supervisor_apply(r->receiver, settings);
    return 0;
}

/* ---- end -------------------------------------------------------------------------------- */

bool acquisition_stop(struct acquisition *r)
{
    if (r->receiver)
        r->left_behind = supervisor_stop(r->receiver);
    dsp_thread_stop(r->pipeline);
    return r->left_behind;
}

void acquisition_destroy(struct acquisition *r)
{
    if (!r)
        return;
    acquisition_stop(r);
    dsp_thread_destroy(r->pipeline);
    supervisor_destroy(r->receiver);
    free(r);
}
