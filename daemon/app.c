/* app.c - runs and stops the parts of the daemon on one event loop. */
#include "daemon/app.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/app_parts.h"
#include "daemon/base/log.h"
#include "daemon/measure/measure_setup.h"
#include "daemon/status/calibration_status.h"
#include "daemon/status/progress.h"
#include "daemon/status/terminal.h"
#include "daemon/system/interrupt.h"
#include "daemon/system/systemd.h"

enum { TICK_MS = 250, OUTPUT_PATIENCE_MS = 2000 };

/* ---- stopping --------------------------------------------------------------------------- */

/* As a shell reports a program that a signal ended. */
static void check_interrupted(struct app *a, const struct status *status)
{
    if (a->signal == 0 || !progress_is_unfinished(status))
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
    calibration_status_warn(&status, a->calibrator, a->config->calibration.file, true,
                            &a->warned_calibration);
    if (status.dsp.n > 0)
        summary_log(&status);
    outputs_log_results(a->outputs);
    app_log_triggers(a);
    struct reason why = {0};
    const int err =
        a->stats.wanted ? summary_write(&a->stats, &status, OUTPUT_PATIENCE_MS, &why) : 0;
    if (err < 0 && err != -EPIPE) {
        log_error("%s", why.sentence);
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
    uv_close((uv_handle_t *)&a->on_usr1, NULL);
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
    triggers_stop(a->triggers);    /* first: it starts and ends recordings */
    event_log_stop(a->event_log);
    webhooks_stop(a->webhooks, OUTPUT_PATIENCE_MS);
    sensor_stop(a->sensor, OUTPUT_PATIENCE_MS);
    if (!recorder_finish(a->recorder))
        a->exit_status = EXIT_FAILURE;
    if (!archiver_finish(a->archiver))
        a->exit_status = EXIT_FAILURE;
    if (a->outputs)
        outputs_end_events(a->outputs);
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
    if (app_triggers_ended(a))
        outputs_end_events(a->outputs);
    return outputs_ended(a->outputs) && app_triggers_ended(a) &&
           (!a->server || server_drained(a->server));
}

/* True if all readers of lines are outputs, and nobody reads these any more. */
static bool only_closed_outputs(struct app *a)
{
    return outputs_closed(a->outputs) && !a->server && !a->stats.wanted &&
           triggers_count(a->triggers) == 0;
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
    calibration_status_warn(&status, a->calibrator, a->config->calibration.file, false,
                            &a->warned_calibration);
    if (status.state == SOURCE_FAILED)
        fail(a, status.message);
    if ((acquisition_ended(a->acquisition) && readers_finished(a)) || only_closed_outputs(a) ||
        app_take_actions(a))
        stop(a);
}

/* ---- events ----------------------------------------------------------------------------- */

/* Called on the dsp and output threads. One ring of the bell may stand for many lines. */
void app_ring_bell(void *user)
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

/* The density, as measurements and triggers want it. A server has other readers of it, and drops
 * it. */
static int apply_wish(struct app *a, struct settings *settings, struct reason *why)
{
    const bool wanted =
        measurer_wants_density(outputs_measurer(a->outputs)) || triggers_want_density(a->triggers);
    if (wanted == settings->density_wanted || (a->server && !wanted))
        return 0;
    settings->density_wanted = wanted;
    return acquisition_apply(a->acquisition, settings, why);
}

/* What logrotate moved away is not written any more. A mistake in the file does not change that. */
static void reopen_outputs(struct app *a)
{
    struct reason why = {0};
    outputs_reopen(a->outputs);
    if (summary_reopen(&a->stats, &why) < 0)
        log_warn("%s", why.sentence);
}

static void on_reload(uv_signal_t *handle, int number)
{
    struct app *a = handle->data;
    struct config_changes changes;
    struct status status;
    struct reason why = {0};
    (void)number;
    if (a->stopping)
        return;
    reopen_outputs(a);
    acquisition_status(a->acquisition, &status);
    int err = config_reload(a->config, &status.settings, &changes, app_check_config, &why);
    if (err == 0 && changes.applied[0])
        err = acquisition_apply(a->acquisition, &status.settings, &why);
    if (err == 0 && changes.measures)
        err = measurer_configure(outputs_measurer(a->outputs), a->config, &why);
    else if (err == 0)
        err = measurer_reread_files(outputs_measurer(a->outputs), a->config, &why);
    if (err == 0)
        err = triggers_configure(a->triggers, a->config, &why);
    if (err == 0)
        err = apply_wish(a, &status.settings, &why);
    if (err == 0)
        err = app_load_tables(a, &why);
    if (err < 0) {
        log_error("reload: %s", why.sentence);
        return;
    }
    log_info("reload: changed %s%s%s%s", changes.applied[0] ? changes.applied : "nothing",
             changes.restart[0] ? "; needs a restart: " : "", changes.restart,
             config_has_output(a->config) ? "; outputs open their files again" : "");
}

static void on_command(uv_signal_t *handle, int number)
{
    const struct app *a = handle->data;
    (void)number;
    if (!a->stopping)
        app_fire_triggers(a);
}

static void on_tick(uv_timer_t *timer)
{
    struct app *a = timer->data;
    struct status status;
    acquisition_status(a->acquisition, &status);
    if (a->progress)
        terminal_show_progress(a->config, &status);
    if (a->sensor) {
        app_status(a, &status);
        sensor_set_status(a->sensor, &status);
    }
    if (acquisition_tick(a->acquisition))
        systemd_notify("WATCHDOG=1");
    check_finished(a);
}

/* ---- the loop ---------------------------------------------------------------------------- */

static int init_loop(struct app *a)
{
    int err = uv_loop_init(&a->loop);
    if (err < 0)
        return err;
    a->bell.data = a->tick.data = a->on_int.data = a->on_term.data = a->on_hup.data = a;
    a->on_usr1.data = a;
    err = uv_async_init(&a->loop, &a->bell, on_bell);
    uv_timer_init(&a->loop, &a->tick);
    uv_signal_t *signals[] = {&a->on_int, &a->on_term, &a->on_hup, &a->on_usr1};
    for (int i = 0; err == 0 && i < 4; i++)
        err = uv_signal_init(&a->loop, signals[i]);
    if (err == 0)
        err = uv_signal_start(&a->on_usr1, on_command, SIGUSR1);
    interrupt_catch_signals(); /* the loop does not run before everything has started */
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
    uv_signal_start(&a->on_int, on_signal, SIGINT);
    uv_signal_start(&a->on_term, on_signal, SIGTERM);
    if (interrupt_requested()) /* it came while the last part started */
        raise(interrupt_signal());
    uv_signal_stop(&a->on_usr1); /* an OpenCL driver may have replaced the handler */
    uv_signal_start(&a->on_usr1, on_command, SIGUSR1);
    systemd_notify("READY=1\nSTATUS=%s", a->server ? server_url(a->server) : "running");
    app_ring_bell(a); /* a short recording may have ended already */
}

static void destroy(struct app *a)
{
    server_destroy(a->server);
    radio_control_finish(&a->control);
    acquisition_destroy(a->acquisition);
    app_destroy_triggers(a);
    sensor_destroy(a->sensor);
    outputs_destroy(a->outputs); /* the dsp thread used its tap */
    measure_feed_destroy(a->measure_feed);
    event_marks_destroy(a->event_marks);
    recorder_destroy(a->recorder);
    archiver_destroy(a->archiver);
    summary_close(&a->stats);
    line_ring_destroy(a->lines);
    calibrator_destroy(a->calibrator);
    reference_store_destroy(a->references);
    spurs_destroy(a->spurs);
    band_plan_finish(&a->band_plan);
    const int err = uv_loop_close(&a->loop);
    if (err < 0)
        log_warn("loop close: %s", uv_strerror(err));
}

int app_run(struct config *config)
{
    struct app a = {.config = config};
    struct reason why = {0};
    int err = init_loop(&a);
    if (err < 0) { /* the process ends: nothing is worth closing */
        log_error("event loop: %s", uv_strerror(err));
        return EXIT_FAILURE;
    }
    err = app_start(&a, &why);
    if (err < 0 && interrupt_requested()) {
        log_info("signal %d: stopping", interrupt_signal());
        stop(&a);
    } else if (err < 0) {
        log_error("%s", why.sentence);
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
