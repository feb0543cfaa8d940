/* app_start.c - starts the parts of the daemon, readers first. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/app_parts.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/control/choices.h"
#include "daemon/files/out_file.h"
#include "daemon/format/band_plan_file.h"
#include "daemon/measure/measure_setup.h"
#include "daemon/output/output_files.h"
#include "daemon/status/calibration_status.h"
#include "daemon/status/status_json.h"

/* ---- what the server asks for ------------------------------------------------------------ */

void app_status(struct app *a, struct status *out)
{
    *out = (struct status){0};
    if (a->acquisition)
        acquisition_status(a->acquisition, out);
    outputs_state(a->outputs, out);
    recorder_sum(a->recorder, &out->record);
    archiver_state(a->archiver, &out->archive);
    triggers_state(a->triggers, &out->triggers);
    event_log_state(a->event_log, &out->event_log);
    webhooks_state(a->webhooks, &out->webhooks);
    sensor_state(a->sensor, &out->nats);
    calibration_status_fill(out, a->calibrator, a->config->calibration.file);
}

static void hook_status(void *user, struct status *out)
{
    app_status(user, out);
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

/* Keeps the old plan if the new one has a mistake. */
static int load_band_plan(struct app *a, struct reason *why)
{
    struct band_plan fresh;
    const int err = band_plan_files_read(&fresh, a->config->server.band_plan, why);
    if (err < 0)
        return err;
    if (fresh.left_out[0])
        log_warn("band-plan: %s", fresh.left_out);
    band_plan_finish(&a->band_plan);
    a->band_plan = fresh;
    return 0;
}

/* Without a file in the configuration, learnt spurs are kept in the state directory. */
static const char *spurs_file(struct app *a)
{
    const char *folder = config_state_dir(a->config);
    if (a->config->calibration.spurs_file || !folder)
        return a->config->calibration.spurs_file;
    snprintf(a->spurs_file, sizeof a->spurs_file, "%s/spurs.txt", folder);
    return a->spurs_file;
}

/*
 * The one of the configuration must be there and right. The learnt one is fftd's own: damage to it
 * is no reason not to start. It stays as it is, and nothing is added to it.
 */
static int load_spurs(struct app *a, struct reason *why)
{
    const char *file = spurs_file(a);
    const bool own = !a->config->calibration.spurs_file;
    struct reason inner = {0};
    if (!own || !file)
        return spurs_load(a->spurs, file, own, why);
    const int err = spurs_load(a->spurs, file, own, &inner);
    if (err < 0 && err != -ENOENT && err != -ENOTDIR)
        log_warn("learnt spurs are left out: %s", inner.sentence);
    return err < 0 ? spurs_load(a->spurs, NULL, own, why) : 0;
}

/* At a reload the contents of the files may have changed. */
int app_load_tables(struct app *a, struct reason *why)
{
    const struct calibration_options *o = &a->config->calibration;
    a->warned_calibration = false;
    int err = calibrator_load(a->calibrator, o->file, (enum level_unit)o->unit_index, why);
    if (err == 0)
        err = load_band_plan(a, why);
    return err < 0 ? err : load_spurs(a, why);
}

static int start_outputs(struct app *a, struct reason *why)
{
    const struct outputs_config config = {.config = a->config,
                                          .lines = a->lines,
                                          .calibrator = a->calibrator,
                                          .references = a->references,
                                          .spurs = a->spurs,
                                          .lossless = acquisition_lossless(a->config),
                                          .ended = app_ring_bell,
                                          .measured = app_ring_bell,
                                          .feed = a->measure_feed,
                                          .marks = a->event_marks,
                                          .user = a};
    return outputs_start(&a->outputs, &config, why);
}

static int start_recorder(struct app *a, struct reason *why)
{
    const struct recorder_config config = {.options = &a->config->record,
                                           .lossless = acquisition_lossless(a->config),
                                           .calibrator = a->calibrator,
                                           .changed = app_ring_bell,
                                           .user = a};
    if (!a->config->record.folder)
        return 0;
    const int err = recorder_create(&a->recorder, &config, why);
    if (err == 0)
        iq_tap_chain(outputs_tap(a->outputs), recorder_tap(a->recorder));
    return err;
}

static int start_archiver(struct app *a, struct reason *why)
{
    const struct archiver_config config = {.options = &a->config->archive,
                                           .lines = a->lines,
                                           .calibrator = a->calibrator,
                                           .lossless = acquisition_lossless(a->config)};
    return config.options->folder ? archiver_start(&a->archiver, &config, why) : 0;
}

/* A request of the broker. */
static int change_settings(void *user, const struct setting_change *change, struct reason *why)
{
    struct app *a = user;
    if (!a->acquisition)
        return reason_set(why, -EAGAIN, "the radio is not open yet");
    return radio_control_change(&a->control, change, NULL, why);
}

static json_t *offer_choices(void *user)
{
    struct radio_options *radio = hook_radio(user);
    json_t *choices = choices_to_json(radio);
    radio_options_drop(radio);
    return choices;
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
                                    .measurer = outputs_measurer(a->outputs),
                                    .recorder = a->recorder,
                                    .triggers = a->triggers,
                                    .references = &a->no_references,
                                    .learning = &a->no_learning,
                                    .spurs = a->spurs,
                                    .band_plan = &a->band_plan,
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
                                         .measurer = outputs_measurer(a->outputs),
                                         .apply = change_settings,
                                         .choices = offer_choices,
                                         .services = offer_services,
                                         .user = a};
    return a->config->nats.url ? sensor_start(&a->sensor, &config, why) : 0;
}

static int start_server(struct app *a, struct reason *why)
{
    const struct server_hooks hooks = {.loop = &a->loop,
                                       .lines = a->lines,
                                       .measurer = outputs_measurer(a->outputs),
                                       .own_measurer = outputs_own_measurer(a->outputs),
                                       .calibrator = a->calibrator,
                                       .references = a->references,
                                       .spurs = a->spurs,
                                       .band_plan = &a->band_plan,
                                       .spurs_file = spurs_file(a),
                                       .spurs_own = !a->config->calibration.spurs_file,
                                       .recorder = a->recorder,
                                       .triggers = a->triggers,
                                       .event_log = a->event_log,
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
    const struct acquisition_sinks sinks = {
        .lines = a->lines, .tap = outputs_tap(a->outputs), .calibrator = a->calibrator};
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
int app_start(struct app *a, struct reason *why)
{
    int err = open_stats(a, why);
    if (err == 0)
        err = line_ring_create(&a->lines, app_ring_bell, a);
    if (err == 0)
        err = calibrator_create(&a->calibrator);
    if (err == 0)
        err = spurs_create(&a->spurs);
    if (err == 0)
        err = app_load_tables(a, why);
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
        err = start_archiver(a, why);
    if (err == 0)
        err = start_control(a, why);
    if (err == 0)
        err = start_sensor(a, why); /* triggers tell it their events */
    if (err == 0)
        err = app_start_triggers(a, why);
    if (err == 0)
        err = start_server(a, why);
    if (err == 0)
        err = start_acquisition(a, why);
    if (err == 0)
        err = begin_outputs(a, why);
    if (err < 0 && !why->sentence[0])
        reason_set(why, err, "start: %s", strerror(-err));
    return err;
}
