/* acquisition.c - wires the source thread to the dsp thread and merges their status. */
#include "daemon/run/acquisition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/dsp/admission.h"
#include "daemon/dsp/dsp_thread.h"
#include "daemon/run/spectra_replay.h"
#include "daemon/source/supervisor.h"
#include "daemon/stream/sweep.h"

struct acquisition {
    struct supervisor *supervisor;
    struct dsp_thread *dsp;
    struct spectra *spectra; /* in the place of both; NULL: they run */
    struct settings settings;
    struct replay_request replay;
    const struct source_ops *ops;
    uint64_t ring_bytes; /* as configured */
    bool lossless;
    struct admission admission;
    char engine_note[512]; /* engines and devices passed over at the start */
    uint64_t start_ns;
    enum acquisition_rest rest; /* after stop */
};

/* A step of the dsp thread takes less. */
static const uint64_t alive_ns = 5000000000;

/* Its name alone: it is no source of samples. */
static const struct source_ops archive = {.name = "archive", .about = "a spectrum archive"};

bool acquisition_lossless(const struct config *config)
{
    return !config->source.realtime;
}

static void source_status_of(const struct acquisition *r, struct source_status *out)
{
    if (r->spectra)
        spectra_source_status(r->spectra, out);
    else
        supervisor_status(r->supervisor, out);
}

static void dsp_status_of(const struct acquisition *r, struct dsp_status *out)
{
    if (r->spectra)
        spectra_dsp_status(r->spectra, out);
    else
        dsp_thread_status(r->dsp, out);
}

/* ---- start ------------------------------------------------------------------------------ */

static int open_engine(struct acquisition *r, const struct config *config, struct fft_engine **out,
                       struct reason *why)
{
    const struct fft_engine_config choice = config_engine(config);
    char passed[sizeof r->engine_note] = "";
    const int err = fft_engine_open(out, &choice, passed, sizeof passed);
    if (err < 0)
        return reason_set(why, err, "engine %s: %s", config->engine.name,
                          passed[0] ? passed : strerror(-err));
    if (strcmp(fft_engine_name(*out), "cpu") != 0)
        log_info("engine %s%s%s", fft_engine_describe(*out), passed[0] ? "; passed over: " : "",
                 passed);
    memcpy(r->engine_note, passed, sizeof passed);
    return 0;
}

/* A recording that cannot be read fails the start; a device is retried. */
static int wait_until_open(struct acquisition *r, struct reason *why)
{
    struct source_status source;
    do {
        uv_sleep(1);
        source_status_of(r, &source);
    } while (source.state == SOURCE_STARTING);
    if (source.state != SOURCE_FAILED || source.opened)
        return 0; /* a later failure ends the run after the samples before it */
    return reason_set(why, -EINVAL, "%s", source.message);
}

/* What the archive keeps. */
static unsigned archive_detectors(const struct config *config)
{
    return config->archive.folder ? FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN : 0;
}

/* Those that are read from the first line on. */
static unsigned needed_detectors(const struct config *config)
{
    return 1U << config->output.detector_index | config->measure_detectors |
           config->trigger_detectors | archive_detectors(config);
}

static int start_threads(struct acquisition *r, const struct config *config,
                         struct line_ring *lines, struct iq_tap *tap, struct fft_engine *engine)
{
    const bool lossless = acquisition_lossless(config);
    const struct supervisor_config source = {.ops = r->ops,
                                             .source = config->source,
                                             .settings = r->settings,
                                             .ring_bytes = config->source.ring_bytes,
                                             .lossless = lossless,
                                             .awaits_first_plan = true};
    int err = supervisor_start(&r->supervisor, &source);
    if (err < 0) {
        fft_engine_close(engine);
        return err;
    }
    const unsigned all = (1U << FFT_DETECTORS) - 1;
    r->admission =
        (struct admission){.engine = {.name = "cpu", .threads = config->engine.threads},
                           .measure_bin_bytes = config->measure_bin_bytes,
                           .measure_percentiles = config->measure_percentiles,
                           .archive_bytes = archiver_bytes(&config->archive),
                           .detectors = config->server.enabled ? all : needed_detectors(config)};
    const struct dsp_thread_config dsp = {.engine = engine,
                                          .engine_note = r->engine_note,
                                          .threads = config->engine.threads,
                                          .exchange = supervisor_exchange(r->supervisor),
                                          .lines = lines,
                                          .tap = tap,
                                          .lossless = lossless,
                                          .radio = r->ops->live,
                                          .detectors = r->admission.detectors,
                                          .measure_bin_bytes = config->measure_bin_bytes,
                                          .measure_percentiles = config->measure_percentiles,
                                          .archive_bytes = r->admission.archive_bytes,
                                          .max_lines = config->output.lines,
                                          .max_seconds = config->output.duration_s};
    return dsp_thread_start(&r->dsp, &dsp);
}

static int start_analysis(struct acquisition *r, const struct config *config,
                          struct line_ring *lines, struct iq_tap *tap, struct reason *why)
{
    struct fft_engine *engine = NULL;
    int err = open_engine(r, config, &engine, why);
    if (err == 0) {
        err = start_threads(r, config, lines, tap, engine);
        if (err < 0)
            reason_set(why, err, "start: %s", strerror(-err));
    }
    if (err == 0 && !r->ops->live)
        err = wait_until_open(r, why);
    return err;
}

int acquisition_start(struct acquisition **out, const struct config *config,
                      const struct acquisition_sinks *sinks, struct reason *why)
{
    *out = NULL;
    struct acquisition *r = calloc(1, sizeof *r);
    if (!r)
        return -ENOMEM;
    r->start_ns = clock_now_ns();
    r->settings = config->settings;
    r->settings.density_wanted = config->measure_percentiles > 0 || config->trigger_density;
    r->settings.detectors_unread = FFT_DETECTOR_SAMPLE & ~needed_detectors(config);
    r->replay = (struct replay_request){.loop = config->source.loop,
                                        .speed = config->source.speed,
                                        .from_s = config->source.from_s,
                                        .to_s = config->source.to_s};
    r->ring_bytes = config->source.ring_bytes;
    r->lossless = acquisition_lossless(config);
    r->ops = config->replay_spectra ? &archive : source_find(&config->source);
    if (!r->ops) {
        free(r);
        return reason_set(why, -ENODEV, "source '%s' is not in this build", config->source.source);
    }
    const int err =
        config->replay_spectra
            ? spectra_start(&r->spectra, config, sinks->lines, sinks->active_calibration, why)
            : start_analysis(r, config, sinks->lines, sinks->tap, why);
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
    dsp_status_of(r, &dsp);
    return (r->spectra || supervisor_tick(r->supervisor)) && !is_stuck(&dsp);
}

bool acquisition_ended(struct acquisition *r)
{
    struct dsp_status dsp;
    dsp_status_of(r, &dsp);
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
    snprintf(into, size, "the dsp thread has made no step for %.0f s (engine %.150s)",
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
    source_status_of(r, &source);
    *out = (struct status){.stream = source.stream,
                           .source_counts = source.counts,
                           .source_beat_age_ns = source.beat_age_ns,
                           .seconds = (double)(clock_now_ns() - r->start_ns) * 1e-9,
                           .radio = r->ops->live,
                           .settings = r->settings,
                           .replay = source.replay,
                           .replay_wanted = r->replay};
    dsp_status_of(r, &out->dsp);
    out->settings.n = settings_fft_size(&out->settings, source.stream.tuning.rate_hz);
    out->state = state_of(&source, &out->dsp);
    set_message(out, source.message);
    snprintf(out->source, sizeof out->source, "%s", r->ops->name);
}

struct radio_options *acquisition_radio(struct acquisition *r)
{
    return r->spectra ? NULL : exchange_radio(supervisor_exchange(r->supervisor));
}

/* ---- changes while the threads run -------------------------------------------------------- */

static bool takes_memory(const struct settings *a, const struct settings *b)
{
    return a->n != b->n || a->overlap - b->overlap != 0 || a->average != b->average ||
           a->vbw_hz - b->vbw_hz != 0 || a->line_rate_hz - b->line_rate_hz != 0 ||
           !settings_same_density(a, b) || a->detectors_unread != b->detectors_unread ||
           a->tuning.rate_hz - b->tuning.rate_hz != 0 || !settings_same_sweep(a, b);
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
static int check_memory(struct acquisition *r, const struct settings *settings, struct reason *why)
{
    struct source_status now;
    struct dsp_status dsp;
    struct stream stream;
    source_status_of(r, &now);
    dsp_status_of(r, &dsp);
    stream = now.stream;
    stream.tuning.rate_hz = rate_with(settings, &now);
    const struct epoch_config config = {.n = settings->n,
                                        .ring_bytes = r->ring_bytes,
                                        .lossless = r->lossless,
                                        .settings = settings};
    const int err = epoch_check(&stream, &config, why);
    if (err < 0 || !now.opened || !takes_memory(settings, &r->settings))
        return err;
    struct admission admission = r->admission;
    admission.active = dsp.lines;
    const uint64_t needed = RING_SPANS * epoch_span(settings->n, stream.tuning.rate_hz);
    if (stream.tuning.rate_hz - now.stream.tuning.rate_hz != 0 ||
        needed * fft_iq_bytes(stream.format) > dsp.ring_bytes)
        admission.ring_bytes = epoch_ring_bytes(&stream, &config);
    return admission_check(&admission, settings, &stream, why);
}

static bool same_center(const struct settings *a, const struct settings *b)
{
    struct tuning tuning = a->tuning;
    tuning.center_hz = b->tuning.center_hz;
    return tuning_equal(&tuning, &a->tuning);
}

static int check_sweep(struct acquisition *r, const struct settings *settings, double rate_hz,
                       struct reason *why)
{
    struct sweep_plan plan;
    const struct sweep_radio radio = {settings->n, rate_hz, sweep_usable_share(settings)};
    if (!settings_sweeps(settings))
        return 0;
    if (!r->ops->tune)
        return reason_key(why, -ENOTSUP, "span", "span: source %s cannot be retuned", r->ops->name);
    if (!same_center(settings, &r->settings))
        return reason_key(why, -EINVAL, "center_hz",
                          "center_hz: a sweep has many centres; an empty span ends it");
    if (!(rate_hz > 0))
        return 0; /* the source checks it when it is open */
    return sweep_plan_init(&plan, settings, &radio, why);
}

int acquisition_apply(struct acquisition *r, const struct settings *settings, struct reason *why)
{
    if (r->spectra)
        return spectra_apply(&r->settings, settings, why);
    if (!r->ops->tune && !tuning_equal(&settings->tuning, &r->settings.tuning))
        return reason_set(why, -ENOTSUP, "source %s: frequency, rate and gain are fixed",
                          r->ops->name);
    struct source_status now;
    struct settings fitted = *settings;
    source_status_of(r, &now);
    fitted.n = settings_fft_size(&fitted, rate_with(settings, &now));
    int err = check_sweep(r, &fitted, rate_with(settings, &now), why);
    if (err == 0)
        err = check_memory(r, &fitted, why);
    if (err < 0)
        return err;
    r->settings = fitted;
    supervisor_apply(r->supervisor, &fitted);
    return 0;
}

int acquisition_replay(struct acquisition *r, const struct replay_request *want, struct reason *why)
{
    struct source_status now;
    source_status_of(r, &now);
    const int err = replay_check(&now.replay, want, why);
    if (err < 0)
        return err;
    r->replay = *want;
    r->spectra ? spectra_replay(r->spectra, want) : supervisor_replay(r->supervisor, want);
    return 0;
}

/* ---- end -------------------------------------------------------------------------------- */

static void log_hang(struct acquisition *r)
{
    struct dsp_status dsp;
    char hang[256];
    dsp_status_of(r, &dsp);
    describe_hang(&dsp, hang, sizeof hang);
    log_error("%s: ending without it", hang);
}

enum acquisition_rest acquisition_stop(struct acquisition *r)
{
    if (r->rest == ACQUISITION_HANGS)
        return r->rest;
    if (r->spectra)
        spectra_stop(r->spectra);
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
    spectra_destroy(r->spectra);
    dsp_thread_destroy(r->dsp);
    supervisor_destroy(r->supervisor);
    free(r);
}
