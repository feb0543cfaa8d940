/*
 * spur_learning.c - learns the spurs of the radio while fftd runs.
 *
 * The loop adds lines up. A thread of the pool finds what stands above the noise and writes the
 * file; then the list is read again.
 */
#include "daemon/api/collect/spur_learning.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/base/unix_time.h"
#include "daemon/calibration/spur_search_file.h"
#include "daemon/status/calibration_status.h"
#include "daemon/stream/settings.h"

static void end(struct spur_learning *l)
{
    spur_search_finish(&l->search);
    l->search = (struct spur_search){0};
    l->adding = l->writing = false;
    l->tried = true;
    l->time_ns = clock_unix_ns();
    if (l->err < 0 && !l->why.sentence[0])
        reason_set(&l->why, l->err, "%s", strerror(-l->err));
    if (l->err < 0)
        log_warn("learning spurs: %s", l->why.sentence);
    else
        log_info("%zu new lines are %g dB above the noise floor", l->added, l->threshold_db);
}

/* ---- the file, on a thread of the pool -------------------------------------------------- */

static void on_pool(uv_work_t *work)
{
    struct spur_learning *l = work->data;
    struct text rows = {0};
    const struct spur_search_file file = {.path = l->config.file,
                                          .own = l->config.own,
                                          .threshold_db = l->threshold_db,
                                          .radio = l->radio};
    l->err = spur_search_file_add(&l->search, &file, &rows, &l->added, &l->why);
    text_finish(&rows);
}

static void on_done(uv_work_t *work, int status)
{
    struct spur_learning *l = work->data;
    (void)status;
    if (l->err == 0 && l->added > 0)
        l->err = spurs_load(l->config.spurs, l->config.file, l->config.own, &l->why);
    end(l);
}

static void write_file(struct spur_learning *l)
{
    l->adding = false;
    l->writing = true;
    l->work.data = l;
    const int err = uv_queue_work(l->config.loop, &l->work, on_pool, on_done);
    if (err < 0) {
        l->err = err;
        end(l);
    }
}

/* ---- lines ------------------------------------------------------------------------------ */

void spur_learning_on_line(struct spur_learning *l, const struct line *line)
{
    if (!l->adding)
        return;
    l->err = line->dwells ? reason_set(&l->why, -EINVAL, "a sweep began while lines were learnt")
                          : spur_search_add(&l->search, line, &l->why);
    l->seconds += (double)line->sample_count / line->tuning.rate_hz;
    if (l->err < 0)
        end(l);
    else if (l->seconds >= l->duration_s)
        write_file(l);
}

/* ---- requests --------------------------------------------------------------------------- */

int spur_learning_begin(struct spur_learning *l, const struct spur_learning_wanted *wanted,
                        struct reason *why)
{
    struct status now;
    radio_control_status(l->config.radio, &now);
    if (!l->config.loop)
        return reason_set(why, -EINVAL,
                          "with --listen none, fftd learns no spurs while it runs: start it with "
                          "--learn-spurs");
    if (!l->config.file)
        return reason_set(why, -EINVAL,
                          "there is no file to keep spurs in: start fftd with --spurs FILE or "
                          "--state-dir DIR");
    if (settings_sweeps(&now.settings))
        return reason_set(why, -EINVAL, "spurs cannot be learnt in a sweep");
    if (l->adding || l->writing)
        return reason_set(why, -ENOBUFS, "spurs are being learnt already");
    *l = (struct spur_learning){.config = l->config,
                                .duration_s = wanted->duration_s,
                                .threshold_db = wanted->threshold_db,
                                .adding = true};
    status_radio_name(&now, l->radio, sizeof l->radio);
    return 0;
}

json_t *spur_learning_progress_json(const struct spur_learning *l)
{
    if (!l->adding && !l->writing)
        return json_null();
    return json_pack("{sf sf}", "seconds", l->seconds, "wanted", l->duration_s);
}

json_t *spur_learning_result_json(const struct spur_learning *l)
{
    char time[UNIX_TIME_TEXT];
    if (!l->tried)
        return json_null();
    unix_time_iso(l->time_ns, time);
    return json_pack("{ss sI so}", "time", time, "added", (json_int_t)(l->err < 0 ? 0 : l->added),
                     "error", l->err < 0 ? text_to_json(l->why.sentence) : json_null());
}

void spur_learning_finish(struct spur_learning *l)
{
    spur_search_finish(&l->search);
}
