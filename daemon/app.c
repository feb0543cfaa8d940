/* app.c - starts the parts of the daemon, runs them on one event loop, and stops them. */
#include "daemon/app.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/api/collect/reference_takes.h"
#include "daemon/api/collect/spur_learning.h"
#include "daemon/api/services.h"
#include "daemon/archive/write/archiver.h"
#include "daemon/audio/audio.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/channel/channels.h"
#include "daemon/config/config.h"
#include "daemon/control/radio_control.h"
#include "daemon/files/out_file.h"
#include "daemon/measure/measure_setup.h"
#include "daemon/named_channels.h"
#include "daemon/output/output_files.h"
#include "daemon/output/outputs.h"
#include "daemon/record/recorder/recorder.h"
#include "daemon/rigctl/rigctl_server.h"
#include "daemon/rtl_tcp/rtl_tcp_server.h"
#include "daemon/run/acquisition.h"
#include "daemon/run/run_tables.h"
#include "daemon/sensor/sensor.h"
#include "daemon/server/server.h"
#include "daemon/status/calibration_status.h"
#include "daemon/status/progress.h"
#include "daemon/status/status_json.h"
#include "daemon/status/summary.h"
#include "daemon/status/terminal.h"
#include "daemon/system/interrupt.h"
#include "daemon/system/systemd.h"
#include "daemon/trigger/trigger_setup.h"
#include "daemon/trigger_run.h"

enum { TICK_MS = 250, OUTPUT_PATIENCE_MS = 2000 };

struct app {
    struct config *config;
    uv_loop_t loop;
    uv_async_t wake_up; /* sent for a line, the end of the line ring, the end of an output */
    uv_async_t blocks;  /* sent for a block of a channel or of audio: far more often */
    uv_signal_t on_int, on_term, on_hup, on_usr1;
    uv_timer_t tick;
    struct line_ring *lines;
    struct acquisition *acquisition;
    struct radio_control control;
    struct server *server;          /* NULL: none configured */
    struct rtl_tcp_server *rtl_tcp; /* NULL: no --rtl-tcp */
    struct rigctl_server *rigctl;   /* NULL: no --rigctl */
    /* For calls through a broker without a server, which reads no lines: nothing is learnt. */
    struct services services;
    struct reference_takes no_references;
    struct spur_learning no_learning;
    struct outputs *outputs;
    struct run_tables tables;
    struct reference_store *references;
    struct measure_feed *measure_feed;
    struct event_marks *event_marks;
    struct trigger_run triggers;
    struct channels *channels;
    struct named_channels named;
    struct audio *audio;
    struct recorder *recorder; /* NULL: no --record */
    struct archiver *archiver; /* NULL: no --archive */
    struct sensor *sensor;     /* NULL: no --nats */
    struct summary stats;
    bool stopping;
    bool warned_calibration;    /* that the table in force is for another radio */
    bool progress;              /* shown on the terminal */
    enum acquisition_rest rest; /* threads that still run after the stop */
    int signal;                 /* that stopped it before the last line; 0: none */
    int exit_status;
};

/* Called on the dsp and output threads. One wake-up may stand for many lines. */
static void wake_loop(void *user)
{
    struct app *a = user;
    uv_async_send(&a->wake_up);
}

/* Called on the thread of the channels. */
static void wake_for_blocks(void *user)
{
    struct app *a = user;
    audio_wake(a->audio);
    named_channels_on_block(&a->named);
    uv_async_send(&a->blocks);
}

/* Called on the thread of the audio. */
static void wake_for_audio(void *user)
{
    struct app *a = user;
    uv_async_send(&a->blocks);
}

/* ---- what the server asks for ------------------------------------------------------------ */

static void fill_status(struct app *a, struct status *out)
{
    *out = (struct status){0};
    if (a->acquisition)
        acquisition_status(a->acquisition, out);
    outputs_state(a->outputs, out);
    recorder_sum(a->recorder, &out->record);
    channels_state(a->channels, &out->channels);
    audio_state(a->audio, &out->audio);
    rtl_tcp_server_state(a->rtl_tcp, &out->rtl_tcp);
    archiver_state(a->archiver, &out->archive);
    trigger_run_status(&a->triggers, out);
    sensor_state(a->sensor, &out->nats);
    calibration_status_fill(out, a->tables.calibration, a->config->calibration.file);
}

static void hook_status(void *user, struct status *out)
{
    fill_status(user, out);
}

static int hook_apply(void *user, const struct settings *settings, struct reason *why)
{
    struct app *a = user;
    return acquisition_apply(a->acquisition, settings, why);
}

/* NULL before the acquisition has started. */
static struct radio_options *hook_radio(void *user)
{
    struct app *a = user;
    return a->acquisition ? acquisition_radio(a->acquisition) : NULL;
}

static int hook_replay(void *user, const struct replay_request *want, struct reason *why)
{
    struct app *a = user;
    return acquisition_replay(a->acquisition, want, why);
}

/* ---- starting --------------------------------------------------------------------------- */

/* At a reload the contents of the files may have changed. */
static int load_tables(struct app *a, struct reason *why)
{
    a->warned_calibration = false;
    return run_tables_load(&a->tables, a->config, why);
}

static int start_outputs(struct app *a, struct reason *why)
{
    const struct outputs_config config = {.config = a->config,
                                          .lines = a->lines,
                                          .active_calibration = a->tables.calibration,
                                          .references = a->references,
                                          .spurs = a->tables.spurs,
                                          .lossless = acquisition_lossless(a->config),
                                          .ended = wake_loop,
                                          .measured = wake_loop,
                                          .feed = a->measure_feed,
                                          .marks = a->event_marks,
                                          .user = a};
    return outputs_start(&a->outputs, &config, why);
}

static int start_recorder(struct app *a, struct reason *why)
{
    const struct recorder_config config = {.options = &a->config->record,
                                           .lossless = acquisition_lossless(a->config),
                                           .active_calibration = a->tables.calibration,
                                           .changed = wake_loop,
                                           .user = a};
    if (!a->config->record.folder)
        return 0;
    const int err = recorder_create(&a->recorder, &config, why);
    if (err == 0)
        iq_tap_chain(outputs_tap(a->outputs), recorder_tap(a->recorder));
    return err;
}

static void on_transmission(void *user, struct channel_transmission *t)
{
    struct app *a = user;
    named_channels_on_transmission(&a->named, t);
}

static int start_channels(struct app *a, struct reason *why)
{
    const struct channels_config config = {.options = &a->config->channels,
                                           .lossless = acquisition_lossless(a->config),
                                           .ready = wake_for_blocks,
                                           .transmission = on_transmission,
                                           .user = a};
    const int err = channels_create(&a->channels, &config, why);
    if (err == 0)
        iq_tap_chain(outputs_tap(a->outputs), channels_tap(a->channels));
    return err < 0 ? err : outputs_start_channel(a->outputs, a->channels, why);
}

static int start_audio(struct app *a, struct reason *why)
{
    const struct audio_config config = {.channels = a->channels,
                                        .lossless = acquisition_lossless(a->config),
                                        .ready = wake_for_audio,
                                        .user = a};
    return audio_create(&a->audio, &config, why);
}

static int start_archiver(struct app *a, struct reason *why)
{
    const struct archiver_config config = {.options = &a->config->archive,
                                           .lines = a->lines,
                                           .active_calibration = a->tables.calibration,
                                           .lossless = acquisition_lossless(a->config)};
    return config.options->folder ? archiver_start(&a->archiver, &config, why) : 0;
}

static json_t *describe_status(void *user, const struct status *now)
{
    (void)user;
    return status_to_json(now);
}

static void ignore_change(void *user)
{
    (void)user;
}

/* What the broker's calls are made on. */
static const struct services *offer_services(void *user)
{
    struct app *a = user;
    if (a->server)
        return server_services(a->server);
    a->no_references.changed = ignore_change;
    a->no_learning.config.radio = &a->control;
    a->services = (struct services){.radio = &a->control,
                                    .measure_thread = outputs_measure_thread(a->outputs),
                                    .channels = a->channels,
                                    .channel_set = &a->named.set,
                                    .audio = a->audio,
                                    .recorder = a->recorder,
                                    .triggers = a->triggers.triggers,
                                    .references = &a->no_references,
                                    .learning = &a->no_learning,
                                    .spurs = a->tables.spurs,
                                    .band_plan = &a->tables.band_plan,
                                    .status = describe_status};
    return &a->services;
}

static int start_control(struct app *a, struct reason *why)
{
    const struct radio_hooks hooks = {.user = a,
                                      .status = hook_status,
                                      .options = hook_radio,
                                      .apply = hook_apply,
                                      .replay = hook_replay};
    const int err =
        radio_control_init(&a->control, &hooks, a->config->server.lease_s,
                           a->config->server.enabled ? config_state_dir(a->config) : NULL);
    return err < 0 ? reason_set(why, err, "no memory for presets") : 0;
}

static int start_sensor(struct app *a, struct reason *why)
{
    const struct sensor_config config = {.config = a->config,
                                         .lines = a->lines,
                                         .measure_thread = outputs_measure_thread(a->outputs),
                                         .services = offer_services,
                                         .user = a};
    return a->config->nats.url ? sensor_start(&a->sensor, &config, why) : 0;
}

static int start_triggers(struct app *a, struct reason *why)
{
    const struct trigger_run_use use = {.config = a->config,
                                        .lines = a->lines,
                                        .outputs = a->outputs,
                                        .recorder = a->recorder,
                                        .sensor = a->sensor,
                                        .feed = a->measure_feed,
                                        .marks = a->event_marks,
                                        .lossless = acquisition_lossless(a->config),
                                        .wake = wake_loop,
                                        .user = a};
    return trigger_run_start(&a->triggers, &use, why);
}

static int start_named_channels(struct app *a, struct reason *why)
{
    const struct named_channels_use use = {.config = a->config,
                                           .channels = a->channels,
                                           .audio = a->audio,
                                           .outputs = a->outputs,
                                           .sensor = a->sensor,
                                           .recorder = a->recorder,
                                           .events = a->triggers.events,
                                           .log = a->triggers.log,
                                           .wake = wake_loop,
                                           .user = a};
    return named_channels_start(&a->named, &use, why);
}

static int start_server(struct app *a, struct reason *why)
{
    const struct server_hooks hooks = {.loop = &a->loop,
                                       .lines = a->lines,
                                       .measure_thread = outputs_measure_thread(a->outputs),
                                       .own_measure_thread = outputs_own_measure_thread(a->outputs),
                                       .active_calibration = a->tables.calibration,
                                       .references = a->references,
                                       .spurs = a->tables.spurs,
                                       .band_plan = &a->tables.band_plan,
                                       .spurs_file = a->tables.spurs_file,
                                       .spurs_own = a->tables.spurs_own,
                                       .channels = a->channels,
                                       .channel_set = &a->named.set,
                                       .audio = a->audio,
                                       .recorder = a->recorder,
                                       .triggers = a->triggers.triggers,
                                       .event_log = a->triggers.log,
                                       .detectors = 1U << a->config->output.detector_index,
                                       .lossless = acquisition_lossless(a->config),
                                       .control = &a->control,
                                       .archive = a->config->archive.folder};
    struct server_options options = a->config->server;
    if (!options.enabled)
        return 0;
    options.state_dir = config_state_dir(a->config);
    const int err = server_start(&a->server, &options, &hooks, why);
    if (err == 0)
        log_info("serving %s%s", server_url(a->server), server_note(a->server));
    return err;
}

static void describe_radio(void *user, struct rtl_tcp_radio *out)
{
    struct app *a = user;
    struct status now = {0};
    if (a->acquisition)
        acquisition_status(a->acquisition, &now);
    const struct tuning *t = &now.stream.tuning;
    *out = (struct rtl_tcp_radio){.center_hz = isfinite(t->center_hz) ? t->center_hz : 0,
                                  .rate_hz = t->rate_hz,
                                  .sweeps = a->acquisition && settings_sweeps(&now.settings)};
}

static int start_rtl_tcp(struct app *a, struct reason *why)
{
    const struct rtl_tcp_config config = {.loop = &a->loop,
                                          .listen = a->config->server.rtl_tcp,
                                          .channels = a->channels,
                                          .radio = describe_radio,
                                          .user = a};
    if (!config.listen)
        return 0;
    const int err = rtl_tcp_server_start(&a->rtl_tcp, &config, why);
    if (err == 0)
        log_info("serving rtl_tcp at %s", rtl_tcp_server_name(a->rtl_tcp));
    return err;
}

static double radio_center_hz(void *user)
{
    struct rtl_tcp_radio radio;
    describe_radio(user, &radio);
    return radio.center_hz;
}

static int start_rigctl(struct app *a, struct reason *why)
{
    const struct server_options *o = &a->config->server;
    struct rigctl_config config = {
        .loop = &a->loop,
        .listen = o->rigctl,
        .channel = {.set = a->named.set, .radio_hz = radio_center_hz, .user = a}};
    if (!config.listen)
        return 0;
    snprintf(config.channel.name, sizeof config.channel.name, "%s", o->rigctl_channel);
    const int err = rigctl_server_start(&a->rigctl, &config, why);
    if (err == 0)
        log_info("serving channel %s as a rig at %s", config.channel.name,
                 rigctl_server_name(a->rigctl));
    return err;
}

/* Changes old files, now that the source is open. */
static int begin_outputs(struct app *a, struct reason *why)
{
    const int err = summary_begin(&a->stats, why);
    return err < 0 ? err : outputs_start_writing(a->outputs, why);
}

/* Before any of them is opened, and perhaps made. */
static int open_stats(struct app *a, struct reason *why)
{
    const struct out_file_config file = output_file_config(a->config, OUTPUT_STATS);
    const int err = output_files_check(a->config, why);
    return err < 0 || !file.path ? err : summary_open(&a->stats, &file, why);
}

static int start_acquisition(struct app *a, struct reason *why)
{
    const struct acquisition_sinks sinks = {.lines = a->lines,
                                            .tap = outputs_tap(a->outputs),
                                            .active_calibration = a->tables.calibration};
    return acquisition_start(&a->acquisition, a->config, &sinks, why);
}

/* Systemd makes that of the service. A folder that cannot be written later is no reason to end. */
static int make_state_dir(const struct app *a, struct reason *why)
{
    const char *folder = a->config->server.state_dir;
    const int err = folder ? out_file_make_folder(folder, 0755) : 0;
    return err < 0 ? reason_set(why, err, "state-dir: %s: %s", folder, strerror(-err)) : 0;
}

/* Starts the readers first, so that they get the first line. */
static int start(struct app *a, struct reason *why)
{
    int err = open_stats(a, why);
    if (err == 0)
        err = line_ring_create(&a->lines, wake_loop, a);
    if (err == 0)
        err = run_tables_create(&a->tables);
    if (err == 0)
        err = load_tables(a, why);
    if (err == 0)
        err = make_state_dir(a, why);
    if (err == 0)
        err = reference_store_create(&a->references, config_state_dir(a->config));
    if (err == 0)
        err = measure_feed_create(&a->measure_feed);
    if (err == 0)
        err = event_marks_create(&a->event_marks, a->config->trigger_count > 0);
    if (err == 0)
        err = start_outputs(a, why);
    if (err == 0)
        err = start_recorder(a, why);
    if (err == 0)
        err = start_channels(a, why);
    if (err == 0)
        err = start_audio(a, why);
    if (err == 0)
        err = start_archiver(a, why);
    if (err == 0)
        err = start_control(a, why);
    if (err == 0)
        err = start_sensor(a, why); /* triggers send it their events */
    if (err == 0)
        err = start_triggers(a, why);
    if (err == 0)
        err = start_named_channels(a, why); /* their transmissions are events */
    if (err == 0)
        err = start_server(a, why);
    if (err == 0)
        err = start_rtl_tcp(a, why);
    if (err == 0)
        err = start_rigctl(a, why);
    if (err == 0)
        err = start_acquisition(a, why);
    if (err == 0)
        err = begin_outputs(a, why);
    if (err < 0 && !why->sentence[0])
        reason_set(why, err, "start: %s", strerror(-err));
    return err;
}

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
    calibration_status_warn(&status, a->tables.calibration, a->config->calibration.file, true,
                            &a->warned_calibration);
    if (status.dsp.n > 0)
        summary_log(&status);
    outputs_log_results(a->outputs);
    trigger_run_log(&a->triggers, !a->server);
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
    uv_close((uv_handle_t *)&a->wake_up, NULL);
    uv_close((uv_handle_t *)&a->blocks, NULL);
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
    channels_stop(a->channels, OUTPUT_PATIENCE_MS);
    named_channels_stop(&a->named);
    if (a->lines)
        line_ring_close(a->lines); /* also if acquisition never started */
    trigger_run_stop(&a->triggers, OUTPUT_PATIENCE_MS);
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
    rtl_tcp_server_stop(a->rtl_tcp);
    rigctl_server_stop(a->rigctl);
    close_handles(a);
}

/* True if every output has ended and every client has the last line. */
static bool readers_finished(struct app *a)
{
    if (!channels_finished(a->channels)) /* a transmission is an event */
        return false;
    if (trigger_run_ended(&a->triggers))
        outputs_end_events(a->outputs);
    return outputs_ended(a->outputs) && trigger_run_ended(&a->triggers) &&
           (!a->server || server_finished(a->server));
}

/* True if all readers of lines are outputs, and nobody reads these any more. */
static bool only_closed_outputs(struct app *a)
{
    return outputs_closed(a->outputs) && !a->server && !a->stats.wanted &&
           triggers_count(a->triggers.triggers) == 0;
}

static void fail(struct app *a, const char *message)
{
    if (a->exit_status == EXIT_SUCCESS)
        log_error("%s", message);
    a->exit_status = EXIT_FAILURE;
}

static void hold(struct app *a)
{
    struct reason why = {0};
    if (radio_control_pause(&a->control, &why) < 0)
        log_warn("a trigger cannot hold the replay: %s", why.sentence);
}

/* What events ask for. True: stop now. */
static bool take_actions(struct app *a)
{
    if (trigger_run_holds(&a->triggers))
        hold(a);
    return trigger_run_stops(&a->triggers);
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
    calibration_status_warn(&status, a->tables.calibration, a->config->calibration.file, false,
                            &a->warned_calibration);
    if (status.state == SOURCE_FAILED)
        fail(a, status.message);
    if (acquisition_ended(a->acquisition))
        channels_end(a->channels);
    if ((acquisition_ended(a->acquisition) && readers_finished(a)) || only_closed_outputs(a) ||
        take_actions(a))
        stop(a);
}

/* ---- events ----------------------------------------------------------------------------- */

static void on_wake_up(uv_async_t *wake_up)
{
    struct app *a = wake_up->data;
    if (a->stopping)
        return;
    if (a->server)
        server_on_lines(a->server);
    if (!a->server || server_drained(a->server))
        check_finished(a);
}

static void on_blocks(uv_async_t *blocks)
{
    const struct app *a = blocks->data;
    if (!a->stopping && a->server)
        server_on_blocks(a->server);
    if (!a->stopping)
        rtl_tcp_server_on_blocks(a->rtl_tcp);
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
static int apply_request(struct app *a, const struct settings *settings, struct reason *why)
{
    const bool wanted = measure_thread_wants_density(outputs_measure_thread(a->outputs)) ||
                        triggers_want_density(a->triggers.triggers);
    if (wanted == settings->density_wanted || (a->server && !wanted))
        return 0;
    return radio_control_make(&a->control, wanted, settings->detectors_unread, why);
}

/* What logrotate moved away is not written any more. A mistake in the file does not change that. */
static void reopen_outputs(struct app *a)
{
    struct reason why = {0};
    outputs_reopen(a->outputs);
    if (summary_reopen(&a->stats, &why) < 0)
        log_warn("%s", why.sentence);
}

static int check_config(struct config *fresh, struct reason *why)
{
    int err = measure_check_config(fresh, why);
    if (err == 0)
        err = trigger_check_config(fresh, why);
    return err < 0 ? err
                   : channel_setup_check_all(fresh->channel_texts, fresh->channel_count,
                                             fresh->file, audio_request_check_named, why);
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
    if (a->server)
        server_reload_tls(a->server);
    acquisition_status(a->acquisition, &status);
    int err = config_reload(a->config, &status.settings, &changes, check_config, &why);
    if (err == 0 && changes.applied[0])
        err = radio_control_reload(&a->control, &status.settings, &why);
    if (err == 0 && changes.measures)
        err = measure_thread_configure(outputs_measure_thread(a->outputs), a->config, &why);
    else if (err == 0)
        err = measure_thread_reread_files(outputs_measure_thread(a->outputs), a->config, &why);
    if (err == 0)
        err = triggers_configure(a->triggers.triggers, a->config, &why);
    if (err == 0)
        err = named_channels_configure(&a->named, &why);
    if (err == 0)
        err = apply_request(a, &status.settings, &why);
    if (err == 0)
        err = load_tables(a, &why);
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
        trigger_run_fire(&a->triggers);
}

static void on_tick(uv_timer_t *timer)
{
    struct app *a = timer->data;
    struct status status;
    acquisition_status(a->acquisition, &status);
    if (a->progress)
        terminal_show_progress(a->config, &status);
    if (a->sensor) {
        fill_status(a, &status);
        sensor_set_status(a->sensor, &status);
    }
    rtl_tcp_server_on_tick(a->rtl_tcp);
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
    a->wake_up.data = a->tick.data = a->on_int.data = a->on_term.data = a->on_hup.data = a;
    a->on_usr1.data = a->blocks.data = a;
    err = uv_async_init(&a->loop, &a->wake_up, on_wake_up);
    if (err == 0)
        err = uv_async_init(&a->loop, &a->blocks, on_blocks);
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
    wake_loop(a); /* a short recording may have ended already */
}

static void destroy(struct app *a)
{
    server_destroy(a->server);
    rtl_tcp_server_destroy(a->rtl_tcp);
    rigctl_server_destroy(a->rigctl);
    radio_control_finish(&a->control);
    acquisition_destroy(a->acquisition);
    trigger_run_destroy(&a->triggers);
    sensor_destroy(a->sensor);
    outputs_destroy(a->outputs); /* the dsp thread used its tap */
    measure_feed_destroy(a->measure_feed);
    event_marks_destroy(a->event_marks);
    named_channels_destroy(&a->named);
    audio_stop(a->audio);
    channels_destroy(a->channels);
    audio_destroy(a->audio); /* their thread woke it */
    recorder_destroy(a->recorder);
    archiver_destroy(a->archiver);
    summary_close(&a->stats);
    line_ring_destroy(a->lines);
    reference_store_destroy(a->references);
    run_tables_finish(&a->tables);
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
    err = start(&a, &why);
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
