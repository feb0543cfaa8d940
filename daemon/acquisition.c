/* acquisition.c - wires the source thread to the dsp thread and merges their status. */
#include "daemon/acquisition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/dsp/admission.h"
#include "daemon/dsp/dsp_thread.h"
#include "daemon/source/supervisor.h"

/* A step of the dsp thread takes less. */
static const uint64_t alive_ns = 5000000000;

struct acquisition {
    struct supervisor *supervisor;
    struct dsp_thread *dsp;
    struct settings settings;
    const struct source_ops *ops;
    uint64_t ring_bytes; /* as configured */
    struct admission admission;
    char engine_note[512]; /* engines and devices passed over at the start */
    uint64_t start_ns;
    enum acquisition_rest rest; /* after stop */
};

bool acquisition_lossless(const struct config *config)
{
    return !config->source.realtime;
}

/* ---- start ------------------------------------------------------------------------------ */

static int open_engine(struct acquisition *r, const struct config *config, struct fft_engine **out,
                       char *error, size_t error_size)
{
    const struct fft_engine_config choice = config_engine(config);
    char why[sizeof r->engine_note] = "";
    const int err = fft_engine_open(out, &choice, why, sizeof why);
    if (err < 0)
        return reason_set(error, error_size, err, "engine %s: %s", config->engine.name,
                          why[0] ? why : strerror(-err));
    if (strcmp(fft_engine_name(*out), "cpu") != 0)
        log_info("engine %s%s%s", fft_engine_describe(*out), why[0] ? "; passed over: " : "", why);
    memcpy(r->engine_note, why, sizeof why);
    return 0;
}

/* A recording that cannot be read fails the start. A device would be retried. */
static int wait_until_open(struct acquisition *r, char *error, size_t error_size)
{
    struct source_status source;
    do {
        uv_sleep(1);
        supervisor_status(r->supervisor, &source);
    } while (source.state == SOURCE_STARTING);
    if (source.state != SOURCE_FAILED || source.opened)
        return 0; /* a later failure ends the run after the samples before it */
    return reason_set(error, error_size, -EINVAL, "%s", source.message);
}

static int start_threads(struct acquisition *r, const struct config *config,
                         struct line_ring *lines, struct iq_tap *tap, struct fft_engine *engine)
{
    const bool lossless = acquisition_lossless(config);
    const struct supervisor_config source = {.ops = r->ops,
                                             .source = config->source,
                                             .settings = config->settings,
                                             .ring_bytes = config->ring_bytes,
                                             .lossless = lossless};
    int err = supervisor_start(&r->supervisor, &source);
    if (err < 0) {
        fft_engine_close(engine);
        return err;
    }
    const unsigned all = (1U << FFT_DETECTORS) - 1;
    r->admission = (struct admission){.engine = {.name = "cpu", .threads = config->engine.threads},
                                      .detectors = config->server.enabled
                                                       ? all
                                                       : 1U << config->output.detector_index |
                                                             config->measure_detectors};
    const struct dsp_thread_config dsp = {.engine = engine,
                                          .engine_note = r->engine_note,
                                          .threads = config->engine.threads,
                                          .exchange = supervisor_exchange(r->supervisor),
                                          .lines = lines,
                                          .tap = tap,
                                          .lossless = lossless,
                                          .radio = r->ops->live,
                                          .detectors = r->admission.detectors,
                                          .max_lines = config->output.lines,
                                          .max_seconds = config->output.duration_s};
    return dsp_thread_start(&r->dsp, &dsp);
}

int acquisition_start(struct acquisition **out, const struct config *config,
                      struct line_ring *lines, struct iq_tap *tap, char *error, size_t error_size)
{
    *out = NULL;
    struct acquisition *r = calloc(1, sizeof *r);
    if (!r)
        return -ENOMEM;
    r->start_ns = clock_now_ns();
    r->settings = config->settings;
    r->ring_bytes = config->ring_bytes;
    r->ops = source_find(&config->source);
    if (!r->ops) {
        free(r);
        return reason_set(error, error_size, -ENODEV, "source '%s' is not in this build",
                          config->source.source);
    }
    struct fft_engine *engine = NULL;
    int err = open_engine(r, config, &engine, error, error_size);
    if (err == 0) {
        err = start_threads(r, config, lines, tap, engine);
        if (err < 0)
            reason_set(error, error_size, err, "start: %s", strerror(-err));
    }
    if (err == 0 && !r->ops->live)
        err = wait_until_open(r, error, error_size);
    if (err < 0) {
        acquisition_destroy(r);
        return err; /* NOLINT(clang-analyzer-unix.Malloc): a thread that hangs keeps r */
    }
    *out = r;
    return 0;
}

/* ---- running ---------------------------------------------------------------------------- */

static bool is_stuck(const struct dsp_status *dsp)
{
    return dsp->beat_age_ns >= alive_ns;
}

bool acquisition_tick(struct acquisition *r)
{
    struct dsp_status dsp;
    dsp_thread_status(r->dsp, &dsp);
    return supervisor_tick(r->supervisor) && !is_stuck(&dsp);
}

bool acquisition_ended(struct acquisition *r)
{
    struct dsp_status dsp;
    dsp_thread_status(r->dsp, &dsp);
    return dsp.ended;
}

static enum source_state state_of(const struct source_status *source, const struct dsp_status *dsp)
{
    if (dsp->error < 0 || source->state == SOURCE_FAILED)
        return SOURCE_FAILED;
    if (dsp->ended)
        return SOURCE_ENDED;
    return is_stuck(dsp) ? SOURCE_STALLED : source->state;
}

static void describe_hang(const struct dsp_status *dsp, char *into, size_t size)
{
    snprintf(into, size, "the dsp thread has made no step for %.0f s (engine %s)",
             (double)dsp->beat_age_ns * 1e-9, dsp->engine);
}

static void set_message(struct status *out, const char *source_message)
{
    const struct dsp_status *dsp = &out->dsp;
    const bool refused = dsp->error == -ENOMEM && dsp->refused[0]; /* the plan; it says why */
    if (dsp->error < 0)
        snprintf(out->message, sizeof out->message, "%s: %s", dsp->failed,
                 refused ? dsp->refused : strerror(-dsp->error));
    else if (is_stuck(dsp))
        describe_hang(dsp, out->message, sizeof out->message);
    else
        snprintf(out->message, sizeof out->message, "%s",
                 source_message[0] ? source_message : dsp->refused);
}

void acquisition_status(struct acquisition *r, struct status *out)
{
    struct source_status source;
    supervisor_status(r->supervisor, &source);
    *out = (struct status){.stream = source.stream,
                           .timeouts = source.counts[COUNT_TIMEOUTS],
                           .reopened = source.counts[COUNT_REOPENED],
                           .clock_corrections = source.counts[COUNT_CLOCK],
                           .abandoned = source.counts[COUNT_ABANDONED],
                           .source_beat_age_ns = source.beat_age_ns,
                           .seconds = (double)(clock_now_ns() - r->start_ns) * 1e-9,
                           .radio = r->ops->live,
                           .settings = r->settings};
    dsp_thread_status(r->dsp, &out->dsp);
    out->settings.n = settings_fft_size(&out->settings, source.stream.tuning.rate_hz);
    out->state = state_of(&source, &out->dsp);
    set_message(out, source.message);
    snprintf(out->source, sizeof out->source, "%s", r->ops->name);
}

static bool takes_memory(const struct settings *a, const struct settings *b)
{
    return a->n != b->n || a->overlap - b->overlap != 0 || a->average != b->average ||
           a->line_rate_hz - b->line_rate_hz != 0 || !settings_same_density(a, b) ||
           a->tuning.rate_hz - b->tuning.rate_hz != 0;
}

/* The rate of the samples once the settings are applied; 0: not known yet. */
static double rate_with(const struct settings *settings, const struct source_status *now)
{
    return settings->tuning.rate_hz > 0 ? settings->tuning.rate_hz : now->stream.tuning.rate_hz;
}

/*
 * Refuses settings for which there is no memory. A ring that fails to be created would end the
 * daemon, and memory that the kernel grants without having it may.
 */
static int check_memory(struct acquisition *r, const struct settings *settings, char *error,
                        size_t error_size)
{
    struct source_status now;
    struct dsp_status dsp;
    struct stream stream;
    supervisor_status(r->supervisor, &now);
    dsp_thread_status(r->dsp, &dsp);
    stream = now.stream;
    stream.tuning.rate_hz = rate_with(settings, &now);
    const struct epoch_config config = {.n = settings->n, .ring_bytes = r->ring_bytes};
    const int err = epoch_check(&stream, &config, error, error_size);
    if (err < 0 || !now.opened || !takes_memory(settings, &r->settings))
        return err;
    struct admission admission = r->admission;
    admission.active = dsp.lines;
    const uint64_t needed = RING_SPANS * epoch_span(settings->n, stream.tuning.rate_hz);
    if (stream.tuning.rate_hz - now.stream.tuning.rate_hz != 0 ||
        needed * fft_iq_bytes(stream.format) > dsp.ring_bytes)
        admission.ring_bytes = epoch_ring_bytes(&stream, &config);
    return admission_check(&admission, settings, &stream, error, error_size);
}

int acquisition_apply(struct acquisition *r, const struct settings *settings, char *error,
                      size_t error_size)
{
    if (!r->ops->tune && !tuning_equal(&settings->tuning, &r->settings.tuning))
        return reason_set(error, error_size, -ENOTSUP,
                          "source %s: frequency, rate and gain are fixed", r->ops->name);
    struct source_status now;
    struct settings fitted = *settings;
    supervisor_status(r->supervisor, &now);
    fitted.n = settings_fft_size(&fitted, rate_with(settings, &now));
    const int err = check_memory(r, &fitted, error, error_size);
    if (err < 0)
        return err;
    r->settings = fitted;
    supervisor_apply(r->supervisor, &fitted);
    return 0;
}

/* ---- end -------------------------------------------------------------------------------- */

static void log_hang(struct acquisition *r)
{
    struct dsp_status dsp;
    char hang[256];
    dsp_thread_status(r->dsp, &dsp);
    describe_hang(&dsp, hang, sizeof hang);
    log_error("%s: ending without it", hang);
}

enum acquisition_rest acquisition_stop(struct acquisition *r)
{
    if (r->rest == ACQUISITION_HANGS)
        return r->rest;
    if (r->supervisor && supervisor_stop(r->supervisor))
        r->rest = ACQUISITION_LEFT_ALONE;
    if (dsp_thread_stop(r->dsp)) {
        r->rest = ACQUISITION_HANGS;
        log_hang(r);
    }
    return r->rest;
}

void acquisition_destroy(struct acquisition *r)
{
    if (!r)
        return;
    if (acquisition_stop(r) == ACQUISITION_HANGS)
        return;
    dsp_thread_destroy(r->dsp);
    supervisor_destroy(r->supervisor);
    free(r);
}
