/*
 * learn.c - learns the spurs of the radio while fftd runs: POST /api/v1/spurs.
 *
 * The loop adds lines up. A thread of the pool finds what stands above the noise and writes the
 * file; then the list is read again.
 */
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
#include "daemon/calibration/learning_file.h"
#include "daemon/server/internal.h"
#include "daemon/status/calibration_status.h"
#include "daemon/stream/settings.h"

struct spur_learning {
    struct server *server;
    struct learning learning;
    double duration_s, threshold_db; /* as requested */
    double seconds;                  /* of the lines so far */
    char radio[64];
    bool adding, writing; /* lines; the file */
    uv_work_t work;

    /* of the newest attempt that has ended */
    bool tried;
    int64_t time_ns;
    size_t added;
    int err;
    char error[512];
};

static void end(struct spur_learning *l)
{
    learning_finish(&l->learning);
    l->learning = (struct learning){0};
    l->adding = l->writing = false;
    l->tried = true;
    l->time_ns = clock_unix_ns();
    if (l->err < 0 && !l->error[0])
        reason_set(l->error, sizeof l->error, l->err, "%s", strerror(-l->err));
    if (l->err < 0)
        log_warn("learning spurs: %s", l->error);
    else
        log_info("%zu new lines are %g dB above the noise floor", l->added, l->threshold_db);
}

/* ---- the file, on a thread of the pool -------------------------------------------------- */

static void on_pool(uv_work_t *work)
{
    struct spur_learning *l = work->data;
    struct text rows = {0};
    const struct learning_file file = {.path = l->server->hooks.spurs_file,
                                       .own = l->server->hooks.spurs_own,
                                       .threshold_db = l->threshold_db,
                                       .radio = l->radio};
    l->err = learning_file_add(&l->learning, &file, &rows, &l->added, l->error, sizeof l->error);
    text_finish(&rows);
}

static void on_done(uv_work_t *work, int status)
{
    struct spur_learning *l = work->data;
    (void)status;
    if (l->err == 0 && l->added > 0)
        l->err = spurs_load(l->server->hooks.spurs, l->server->hooks.spurs_file,
                            l->server->hooks.spurs_own, l->error, sizeof l->error);
    end(l);
}

static void write_file(struct spur_learning *l)
{
    l->adding = false;
    l->writing = true;
    l->work.data = l;
    const int err = uv_queue_work(l->server->hooks.loop, &l->work, on_pool, on_done);
    if (err < 0) {
        l->err = err;
        end(l);
    }
}

/* ---- lines ------------------------------------------------------------------------------ */

void learn_on_line(struct server *s, const struct line *line)
{
    struct spur_learning *l = s->learning;
    if (!l || !l->adding)
        return;
    l->err = line->dwells ? reason_set(l->error, sizeof l->error, -EINVAL,
                                       "a sweep began while lines were learnt")
                          : learning_add(&l->learning, line, l->error, sizeof l->error);
    l->seconds += (double)line->sample_count / line->tuning.rate_hz;
    if (l->err < 0)
        end(l);
    else if (l->seconds >= l->duration_s)
        write_file(l);
}

/* ---- requests --------------------------------------------------------------------------- */

int learn_request_add(void *user, const char *key, const char *value, char *error,
                      size_t error_size)
{
    struct learn_request *w = user;
    const bool duration = strcmp(key, "duration") == 0;
    if (!duration && strcmp(key, "threshold") != 0)
        return reason_set(error, error_size, -EINVAL, "%s: unknown: there are duration, threshold",
                          key);
    double *into = duration ? &w->duration_s : &w->threshold_db;
    const double low = duration ? 0.1 : 3, high = duration ? 60 : 100;
    if (si_parse_unit(value, duration ? SI_SECONDS : SI_DB, into) < 0 ||
        !(*into >= low && *into <= high))
        return reason_set(error, error_size, -EINVAL,
                          "%s: bad value '%s': expected a number from %g to %g", key, value, low,
                          high);
    return 0;
}

int server_learn_spurs(struct server *s, const struct learn_request *w, char *error,
                       size_t error_size)
{
    struct status now;
    server_update_status(s, &now);
    if (!s->hooks.spurs_file)
        return reason_set(error, error_size, -EINVAL,
                          "there is no file to keep spurs in: start fftd with --spurs FILE or "
                          "--state-dir DIR");
    if (settings_sweeps(&now.settings))
        return reason_set(error, error_size, -EINVAL, "spurs cannot be learnt in a sweep");
    if (!s->learning && !(s->learning = calloc(1, sizeof *s->learning)))
        return -ENOMEM;
    struct spur_learning *l = s->learning;
    if (l->adding || l->writing)
        return reason_set(error, error_size, -ENOBUFS, "spurs are being learnt already");
    *l = (struct spur_learning){
        .server = s, .duration_s = w->duration_s, .threshold_db = w->threshold_db, .adding = true};
    status_radio_name(&now, l->radio, sizeof l->radio);
    return 1;
}

/* {"seconds", "wanted"} while spurs are being learnt. */
json_t *learn_progress_json(const struct server *s)
{
    const struct spur_learning *l = s->learning;
    if (!l || !(l->adding || l->writing))
        return json_null();
    return json_pack("{sf sf}", "seconds", l->seconds, "wanted", l->duration_s);
}

/* {"time", "added", "error"} of the newest attempt that has ended. */
json_t *learn_result_json(const struct server *s)
{
    const struct spur_learning *l = s->learning;
    char time[UNIX_TIME_TEXT];
    if (!l || !l->tried)
        return json_null();
    unix_time_iso(l->time_ns, time);
    return json_pack("{ss sI so}", "time", time, "added", (json_int_t)(l->err < 0 ? 0 : l->added),
                     "error", l->err < 0 ? text_to_json(l->error) : json_null());
}

void learn_finish(struct server *s)
{
    if (s->learning)
        learning_finish(&s->learning->learning);
    free(s->learning);
}
