/* check_config.c - opens what the configuration names, and reports the first that fails. */
#include "daemon/check_config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/archive/read/playback.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/out_file.h"
#include "daemon/http/http_server.h"
#include "daemon/http/service/http_server_check.h"
#include "daemon/hub/serve/hub_run.h"
#include "daemon/nats/link_broker.h"
#include "daemon/output/output_files.h"
#include "daemon/record/record_limits.h"
#include "daemon/source/source.h"
#include "daemon/stream/epoch/epoch.h"
#include "daemon/stream/sweep.h"
#include "daemon/trigger/trigger_setup.h"
#include "fft/fft.h"

static int check_engine_named(const struct config *c, const char *name, struct reason *why)
{
    struct fft_engine *engine = NULL;
    char inner[400] = "";
    struct fft_engine_config choice = config_engine(c);
    choice.name = name;
    const int err = fft_engine_open(&engine, &choice, inner, sizeof inner);
    fft_engine_close(engine);
    if (err == 0)
        return 0;
    return reason_set(why, err, "engine %s: %s", name, inner[0] ? inner : strerror(-err));
}

/* "auto" passes over an engine that refuses its options: that one is asked by name. */
static int check_engine(const struct config *c, struct reason *why)
{
    struct reason inner = {0};
    const int err = check_engine_named(c, c->engine.name, why);
    if (err < 0 || strcmp(c->engine.name, "auto") != 0)
        return err;
    if (c->engine.options && check_engine_named(c, "opencl", &inner) == -EINVAL)
        return reason_set(why, -EINVAL, "%s", inner.sentence);
    if (strcmp(c->engine.isa, "auto") != 0 && check_engine_named(c, "cpu", &inner) < 0)
        return reason_set(why, -EINVAL, "%s", inner.sentence);
    return 0;
}

/* A pipe is left alone: its samples could not be read again. */
static bool is_pipe(const char *path)
{
    struct stat st;
    return path && (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && S_ISFIFO(st.st_mode)));
}

/* Triggers whose bands are not in the lines that will be made. plan: of a sweep, or zeroed. */
static int warn_triggers(const struct config *c, const struct settings *settings,
                         const struct tuning *tuning, const struct sweep_plan *plan)
{
    const bool sweeps = plan->bins > 0;
    const struct line_shape shape = {.n = sweeps ? plan->bins : settings->n,
                                     .detectors = FFT_DETECTOR_MAX | FFT_DETECTOR_MIN};
    const bool known = isfinite(tuning->center_hz) && tuning->rate_hz > 0;
    struct line *line = known || sweeps ? line_create(&shape) : NULL;
    if (!line && (known || sweeps))
        return -ENOMEM;
    if (line) {
        line->tuning = *tuning;
        line->usable_percent = settings->usable_percent;
        line->enbw_bins = 1;
        line->hop = settings->n;
        line->frames = 1;
    }
    if (line && sweeps) {
        line->tuning.center_hz = sweep_span_center_hz(plan);
        line->tuning.rate_hz = sweep_span_hz(plan);
    }
    trigger_warn_idle(c, line);
    line_destroy(line);
    return 0;
}

static int check_source(const struct config *c, struct reason *why)
{
    struct source *source = NULL;
    struct playback *playback = NULL;
    if (c->replay_spectra) {
        const int err = playback_open(&playback, c->replay_spectra, why);
        playback_close(playback);
        return err;
    }
    const struct source_ops *ops = source_find(&c->source);
    if (!ops)
        return reason_set(why, -ENODEV, "source '%s' is not in this build", c->source.source);
    struct settings settings = c->settings;
    if (ops->list || is_pipe(c->source.replay)) { /* a source with devices opens one */
        settings.n = settings_fft_size(&settings, settings.tuning.rate_hz);
        return warn_triggers(c, &settings, &settings.tuning, &(struct sweep_plan){0});
    }
    int err = source_create(&source, ops, &c->source, why);
    if (err == 0) {
        settings.n = settings_fft_size(&settings, source->stream.tuning.rate_hz);
        const struct epoch_config ring = {.n = settings.n,
                                          .ring_bytes = c->source.ring_bytes,
                                          .lossless = !c->source.realtime,
                                          .settings = &settings};
        err = epoch_check(&source->stream, &ring, why);
    }
    if (err == 0) {
        struct sweep_plan plan;
        const struct sweep_radio radio = {settings.n, source->stream.tuning.rate_hz,
                                          sweep_usable_share(&settings)};
        err = sweep_plan_init(&plan, &settings, &radio, why);
        if (err == 0)
            err = warn_triggers(c, &settings, &source->stream.tuning, &plan);
    }
    source_destroy(source);
    return err;
}

/* Where it is not there, it will be made. */
static int check_state_dir(const char *folder, struct reason *why)
{
    struct stat st;
    int err = folder && stat(folder, &st) < 0 ? -errno : 0;
    if (err == -ENOENT)
        err = out_file_check_folder(folder);
    else if (err == 0 && folder && !S_ISDIR(st.st_mode))
        err = -ENOTDIR;
    return err < 0 ? reason_set(why, err, "state-dir: %s: %s", folder, strerror(-err)) : 0;
}

static int check_radio(const struct config *config, struct reason *why)
{
    int err = check_source(config, why);
    if (err == 0)
        err = output_files_check(config, why);
    if (err == 0 && config->record.folder)
        err = record_check_folder(config->record.folder, why);
    if (err == 0)
        err = check_state_dir(config->server.state_dir, why);
    if (err == 0 && config->server.enabled)
        err = http_server_check(&config->server, why);
    if (err == 0 && config->nats.url)
        err = link_check(&config->nats, why);
    return err < 0 ? err : check_engine(config, why);
}

int check_config(const struct config *config)
{
    struct reason why = {0};
    const int err = config->nats.hub ? hub_check(config, &why) : check_radio(config, &why);
    if (err < 0) {
        log_error("%s", why.sentence);
        return EXIT_FAILURE;
    }
    return puts("ok") >= 0 && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
