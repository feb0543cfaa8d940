/* app.c - starts, runs and stops the parts of the daemon on one event loop. */
#include "daemon/app.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/acquisition.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/systemd.h"
#include "daemon/measure/setup.h"
#include "daemon/output/outputs.h"
#include "daemon/server/server.h"
#include "daemon/status/calibration_status.h"
#include "daemon/status/summary.h"
#include "daemon/status/terminal.h"

enum { TICK_MS = 250, OUTPUT_PATIENCE_MS = 2000 };

struct app {
    struct config *config;
    uv_loop_t loop;
    uv_async_t bell; /* rings for a line, the end of the line ring, the end of an output */
    uv_signal_t on_int, on_term, on_hup;
    uv_timer_t tick;
    struct line_ring *lines;
    struct acquisition *acquisition;
    struct server *server; /* NULL: none configured */
    struct outputs *outputs;
    struct calibrator *calibrator;
    struct summary stats;
    bool stopping;
    bool progress;              /* shown on the terminal */
    enum acquisition_rest rest; /* threads that still run after the stop */
    int signal;                 /* that stopped it before the last line; 0: none */
    int exit_status;
};

/* ---- stopping --------------------------------------------------------------------------- */

/* A replay has an end, unless it loops. A radio has none. */
static bool is_unfinished_replay(const struct app *a, const struct status *status)
{
    const struct source_config *source = &a->config->source;
    const uint64_t samples = status->stream.samples;
    return source->replay && !source->loop &&
           (samples == 0 || status->dsp.ledger.produced < samples);
}

/* As a shell reports a program that a signal ended. */
static void check_interrupted(struct app *a, const struct status *status)
{
    if (a->signal == 0 || !is_unfinished_replay(a, status))
        return;
    log_warn("stopped before the end of the recording");
    if (a->exit_status == EXIT_SUCCESS)
        a->exit_status = 128 + a->signal;
}

static void report_run(struct app *a)
{
    struct status status;
    acquisition_status(a->acquisition, &status);
    check_interrupted(a, &status);
    if (status.dsp.n > 0)
        summary_log(&status);
    outputs_log_results(a->outputs);
    const char *path = a->stats.path;
    const int err = path ? summary_write(&a->stats, &status, OUTPUT_PATIENCE_MS) : 0;
    if (err < 0 && err != -EPIPE) {
        log_error("%s: %s", path,
                  err == -ENXIO ? "nobody reads this FIFO: the statistics are not written"
                                : strerror(-err));
        a->exit_status = EXIT_FAILURE;
    }
}

static void close_handles(struct app *a)
{
    uv_close((uv_handle_t *)&a->bell, NULL);
    uv_close((uv_handle_t *)&a->tick, NULL);
    uv_close((uv_handle_t *)&a->on_int, NULL);
    uv_close((uv_handle_t *)&a->on_term, NULL);
    uv_close((uv_handle_t *)&a->on_hup, NULL);
}

static void stop(struct app *a)
{
    if (a->stopping)
        return;
    a->stopping = true;
    if (a->progress)
        log_progress("");
    systemd_notify("STOPPING=1");
    if (a->acquisition)
        a->rest = acquisition_stop(a->acquisition);
    if (a->rest == ACQUISITION_HANGS)
        a->exit_status = EXIT_FAILURE;
    if (a->lines)
        line_ring_close(a->lines); /* also if acquisition never started */
    /* Without acquisition there are no rows. */
    if (a->outputs && !outputs_stop(a->outputs, a->acquisition ? OUTPUT_PATIENCE_MS : 0))
        a->exit_status = EXIT_FAILURE;
    if (a->acquisition)
        report_run(a);
    if (a->server)
        server_stop(a->server);
    close_handles(a);
}

/* True if every output has ended and every client has the last line. */
static bool readers_finished(struct app *a)
{
    return outputs_ended(a->outputs) && (!a->server || server_drained(a->server));
}

/* True if all readers of lines are outputs, and nobody reads these any more. */
static bool only_closed_outputs(struct app *a)
{
    return outputs_closed(a->outputs) && !a->server && !a->stats.path;
}

static void fail(struct app *a, const char *message)
{
    if (a->exit_status == EXIT_SUCCESS)
        log_error("%s", message);
    a->exit_status = EXIT_FAILURE;
}

/*
 * Stops at the end of the recording, at a limit, or after a final failure. Samples read before a
 * failure are still analysed and written.
 */
static void check_finished(struct app *a)
{
    struct status status;
    if (a->stopping || !a->acquisition)
        return;
    acquisition_status(a->acquisition, &status);
    if (status.state == SOURCE_FAILED)
        fail(a, status.message);
    if ((acquisition_ended(a->acquisition) && readers_finished(a)) || only_closed_outputs(a))
        stop(a);
}

/* ---- events ----------------------------------------------------------------------------- */

/* Called on the dsp and output threads. One ring of the bell may stand for many lines. */
static void ring_bell(void *user)
{
    struct app *a = user;
    uv_async_send(&a->bell);
}

static void on_bell(uv_async_t *bell)
{
    struct app *a = bell->data;
    if (a->stopping)
        return;
    if (a->server)
        server_on_lines(a->server);
    if (!a->server || server_drained(a->server))
        check_finished(a);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct app *a = handle->data;
    log_info("signal %d: stopping", number);
    a->signal = acquisition_ended(a->acquisition) ? 0 : number;
    stop(a);
}

static void on_reload(uv_signal_t *handle, int number)
{
    struct app *a = handle->data;
    struct config_changes changes;
    struct status status;
    char error[256] = "";
    (void)number;
    if (a->stopping)
        return;
    acquisition_status(a->acquisition, &status);
    int err = config_reload(a->config, &status.settings, &changes, measure_check_config, error,
                            sizeof error);
    if (err == 0 && changes.applied[0])
        err = acquisition_apply(a->acquisition, &status.settings, error, sizeof error);
    if (err == 0 && changes.measures)
        err = measurer_configure(outputs_measurer(a->outputs), a->config, error, sizeof error);
    if (err == 0) /* the file may have changed */
        err = calibrator_load(a->calibrator, a->config->calibration.file, error, sizeof error);
    if (err < 0) {
        log_error("reload: %s", error);
        return;
    }
    log_info("reload: changed %s%s%s", changes.applied[0] ? changes.applied : "nothing",
             changes.restart[0] ? "; needs a restart: " : "", changes.restart);
}

static void on_tick(uv_timer_t *timer)
{
    struct app *a = timer->data;
    struct status status;
    acquisition_status(a->acquisition, &status);
    if (a->progress)
        terminal_show_progress(a->config, &status);
    if (acquisition_tick(a->acquisition))
        systemd_notify("WATCHDOG=1");
    check_finished(a);
}

static void hook_status(void *user, struct status *out)
{
    struct app *a = user;
    *out = (struct status){0};
    if (a->acquisition)
        acquisition_status(a->acquisition, out);
    outputs_state(a->outputs, out);
    calibration_status_fill(out, a->calibrator, a->config->calibration.file);
}

static int hook_apply(void *user, const struct settings *settings, char *error, size_t error_size)
{
    struct app *a = user;
    return acquisition_apply(a->acquisition, settings, error, error_size);
}

/* ---- starting --------------------------------------------------------------------------- */

static int start_outputs(struct app *a, char *error, size_t error_size)
{
    const struct outputs_config config = {.config = a->config,
                                          .lines = a->lines,
                                          .calibrator = a->calibrator,
                                          .lossless = acquisition_lossless(a->config),
                                          .ended = ring_bell,
                                          .measured = ring_bell,
                                          .user = a};
    return outputs_start(&a->outputs, &config, error, error_size);
}

static int start_server(struct app *a, char *error, size_t error_size)
{
    const struct server_hooks hooks = {.loop = &a->loop,
                                       .lines = a->lines,
                                       .measurer = outputs_measurer(a->outputs),
                                       .calibrator = a->calibrator,
                                       .user = a,
                                       .status = hook_status,
                                       .apply = hook_apply};
    struct server_options options = a->config->server;
    char credential[512];
    if (!options.enabled)
        return 0;
    if (!options.token && !options.token_file &&
        systemd_credential("token", credential, sizeof credential))
        options.token_file = credential;
    const int err = server_start(&a->server, &options, &hooks, error, error_size);
    if (err == 0)
        log_info("serving %s%s", server_url(a->server), server_note(a->server));
    return err;
}

/* Truncates old files, now that the source is open. */
static int begin_outputs(struct app *a, char *error, size_t error_size)
{
    const int err = a->stats.path ? summary_truncate(&a->stats) : 0;
    if (err < 0)
        return reason_set(error, error_size, err, "%s: %s", a->stats.path, strerror(-err));
    return outputs_start_writing(a->outputs, error, error_size);
}

/* Starts the readers first, so that they get the first line. */
static int start(struct app *a, char *error, size_t error_size)
{
    const struct output_options *o = &a->config->output;
    int err = o->stats ? summary_open(&a->stats, o->stats, error, error_size) : 0;
    if (err == 0)
        err = line_ring_create(&a->lines, ring_bell, a);
    if (err == 0)
        err = calibrator_create(&a->calibrator);
    if (err == 0)
        err = calibrator_load(a->calibrator, a->config->calibration.file, error, error_size);
    if (err == 0)
        err = start_outputs(a, error, error_size);
    if (err == 0)
        err = start_server(a, error, error_size);
    if (err == 0)
        err = acquisition_start(&a->acquisition, a->config, a->lines, outputs_tap(a->outputs),
                                error, error_size);
    if (err == 0)
        err = begin_outputs(a, error, error_size);
    if (err < 0 && !error[0])
        reason_set(error, error_size, err, "start: %s", strerror(-err));
    return err;
}

static int init_loop(struct app *a)
{
    int err = uv_loop_init(&a->loop);
    if (err < 0)
        return err;
    a->bell.data = a->tick.data = a->on_int.data = a->on_term.data = a->on_hup.data = a;
    err = uv_async_init(&a->loop, &a->bell, on_bell);
    uv_timer_init(&a->loop, &a->tick);
    uv_signal_t *signals[] = {&a->on_int, &a->on_term, &a->on_hup};
    for (int i = 0; err == 0 && i < 3; i++)
        err = uv_signal_init(&a->loop, signals[i]);
    if (err == 0)
        err = uv_signal_start(&a->on_int, on_signal, SIGINT);
    if (err == 0)
        err = uv_signal_start(&a->on_term, on_signal, SIGTERM);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* write fails with EFBIG instead */
    return err;
}

static void run_timers(struct app *a)
{
    a->progress = terminal_wants_progress(a->config);
    const uint64_t watchdog_ms = systemd_watchdog_us() / 2000;
    const uint64_t tick_ms = watchdog_ms && watchdog_ms < TICK_MS ? watchdog_ms : TICK_MS;
    uv_timer_start(&a->tick, on_tick, tick_ms, tick_ms);
    uv_signal_start(&a->on_hup, on_reload, SIGHUP);
    systemd_notify("READY=1\nSTATUS=%s", a->server ? server_url(a->server) : "running");
    ring_bell(a); /* a short recording may have ended already */
}

static void destroy(struct app *a)
{
    server_destroy(a->server);
    acquisition_destroy(a->acquisition);
    outputs_destroy(a->outputs); /* the dsp thread used its tap */
    summary_close(&a->stats);
    line_ring_destroy(a->lines);
    calibrator_destroy(a->calibrator);
    const int err = uv_loop_close(&a->loop);
    if (err < 0)
        log_warn("loop close: %s", uv_strerror(err));
}

int app_run(struct config *config)
{
    struct app a = {.config = config};
    char error[256] = "";
    const int err = init_loop(&a);
    if (err < 0) { /* the process ends: nothing is worth closing */
        log_error("event loop: %s", uv_strerror(err));
        return EXIT_FAILURE;
    }
    if (start(&a, error, sizeof error) < 0) {
        log_error("%s", error);
        a.exit_status = EXIT_FAILURE;
        stop(&a);
    } else {
        run_timers(&a);
    }
    uv_run(&a.loop, UV_RUN_DEFAULT);
    if (a.rest == ACQUISITION_HANGS)
        _exit(a.exit_status); /* the dsp thread may use everything that destroy frees */
    destroy(&a);
    if (a.rest == ACQUISITION_LEFT_ALONE)
        _exit(a.exit_status); /* the stuck thread still reads the configuration */
    return a.exit_status;
}
