/* recordings.c - recordings for clients: the list, one, starting and stopping them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/base/unix_time.h"
#include "daemon/server/internal.h"

const char server_recordings_path[] = "/api/v1/recordings";
const char server_recording_path[] = "/api/v1/recordings/";

enum { LISTED = 100 };

static const char off[] = "recordings are off: start fftd with --record DIR";

/* ---- GET -------------------------------------------------------------------------------- */

static const char *state_name(enum record_state state)
{
    static const char *const names[] = {"running", "done", "failed"};
    return names[state];
}

static json_t *recording_to_json(const struct record_info *i)
{
    char start[UNIX_TIME_TEXT] = "";
    if (i->name[0] && i->start_ns != RECORD_UNDATED)
        unix_time_iso(i->start_ns, start);
    json_t *o =
        json_pack("{sI ss ss so ss}", "id", (json_int_t)i->id, "state", state_name(i->state),
                  "name", i->name, "label", text_to_json(i->label), "end", i->end);
    json_t *figures = json_pack(
        "{ss so so sI sI sI sI sI}", "start", start, "center_hz", number_to_json(i->center_hz),
        "rate_hz", number_to_json(i->rate_hz), "samples", (json_int_t)i->samples, "bytes",
        (json_int_t)i->samples * i->sample_bytes, "missing", (json_int_t)i->missing, "lost",
        (json_int_t)i->lost, "behind", (json_int_t)i->behind);
    if (o && figures)
        json_object_update(o, figures);
    json_decref(figures);
    return o;
}

static json_t *list_runs(struct recorder *r)
{
    json_t *list = json_array();
    struct record_info *info = calloc(LISTED, sizeof *info);
    const size_t all = info ? recorder_list(r, info, LISTED) : 0;
    for (size_t i = 0; i < all && i < LISTED; i++)
        json_array_append_new(list, recording_to_json(&info[i]));
    free(info);
    return list;
}

static json_t *list_files(struct recorder *r)
{
    size_t count;
    json_t *list = json_array();
    struct record_file *files = recorder_files(r, &count);
    for (size_t i = count; i-- > 0;)
        json_array_append_new(list,
                              json_pack("{ss sI sb}", "name", files[i].name, "bytes",
                                        (json_int_t)files[i].bytes, "complete", files[i].complete));
    free(files);
    return list;
}

void answer_recordings(struct server *s, const struct request *r, struct answer *a)
{
    struct recorder *recorder = s->hooks.recorder;
    (void)r;
    answer_json(s,
                json_pack("{sb so so}", "enabled", recorder != NULL, "recordings",
                          recorder ? list_runs(recorder) : json_array(), "files",
                          recorder ? list_files(recorder) : json_array()),
                JSON_REAL_PRECISION(15), a);
}

/* False: the text is no number of a recording. */
static bool parse_id(const char *text, uint64_t *id)
{
    char *end;
    errno = 0;
    *id = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && text[0] >= '1' && text[0] <= '9';
}

void answer_recording(struct server *s, const struct request *r, struct answer *a)
{
    uint64_t id;
    struct record_info info;
    const char *text = r->path + strlen(server_recording_path);
    if (s->hooks.recorder && parse_id(text, &id) && recorder_find(s->hooks.recorder, id, &info))
        answer_json(s, recording_to_json(&info), JSON_REAL_PRECISION(15), a);
    else
        answer_text(a, 404, "%s: there is no such recording\n", r->path);
}

/* ---- starting and stopping -------------------------------------------------------------- */

static int add_seconds(const char *key, const char *value, double *into, char *error,
                       size_t error_size)
{
    double seconds;
    if (si_parse_unit(value, SI_SECONDS, &seconds) < 0 || !(seconds >= 0) || seconds > 1e9)
        return reason_set(error, error_size, -EINVAL, "%s: expected seconds from 0 to 1G", key);
    *into = seconds;
    return 0;
}

static int add_hertz(const char *key, const char *value, double *into, char *error,
                     size_t error_size)
{
    if (si_parse_unit(value, SI_HZ, into) < 0)
        return reason_set(error, error_size, -EINVAL, "%s: expected a frequency", key);
    return 0;
}

int record_change_add(void *user, const char *key, const char *value, char *error,
                      size_t error_size)
{
    struct record_change *c = user;
    if (strcmp(key, "pre") == 0)
        return add_seconds(key, value, &c->pre_s, error, error_size);
    if (strcmp(key, "duration") == 0)
        return add_seconds(key, value, &c->duration_s, error, error_size);
    if (strcmp(key, "low") == 0)
        return add_hertz(key, value, &c->low_hz, error, error_size);
    if (strcmp(key, "high") == 0)
        return add_hertz(key, value, &c->high_hz, error, error_size);
    if (strcmp(key, "from") == 0)
        return record_change_read_time(value, c) == 0
                   ? 0
                   : reason_set(error, error_size, -EINVAL,
                                "from: expected a time as 2026-11-21T10:15:00.5Z, or in seconds "
                                "since 1970");
    if (strcmp(key, "label") != 0)
        return reason_set(error, error_size, -EINVAL,
                          "a key is unknown: expected from, low, high, pre, duration or label");
    if (strlen(value) >= sizeof c->label)
        return reason_set(error, error_size, -EINVAL, "label: more than %zu bytes",
                          sizeof c->label - 1);
    snprintf(c->label, sizeof c->label, "%s", value);
    return 0;
}

static uint64_t samples_in(double seconds, double rate_hz)
{
    return seconds * rate_hz < 9e18 ? (uint64_t)llround(seconds * rate_hz) : RECORD_OPEN;
}

int server_start_recording(struct server *s, const struct record_change *change, uint64_t *id,
                           char *error, size_t error_size)
{
    struct status now;
    if (!s->hooks.recorder)
        return reason_set(error, error_size, -ENOENT, "%s", off);
    server_update_status(s, &now);
    const double rate_hz = now.stream.tuning.rate_hz;
    const struct record_request request = {
        .epoch = RECORD_NEWEST,
        .relative = !change->timed,
        .timed = change->timed,
        .from_ns = change->from_ns,
        .duration_s = change->duration_s,
        .band = {.low_hz = change->low_hz, .high_hz = change->high_hz},
        .from = samples_in(change->pre_s, rate_hz),
        .to = change->duration_s > 0 ? samples_in(change->duration_s, rate_hz) : RECORD_OPEN,
        .label = change->label};
    return recorder_start(s->hooks.recorder, &request, id, error, error_size);
}

int server_stop_recording(struct server *s, uint64_t id, char *error, size_t error_size)
{
    if (!s->hooks.recorder)
        return reason_set(error, error_size, -ENOENT, "%s", off);
    if (recorder_stop(s->hooks.recorder, id) < 0)
        return reason_set(error, error_size, -ENOENT, "there is no running recording of this id");
    return 0;
}

int server_remove_recording(struct server *s, const char *text, char *error, size_t error_size)
{
    uint64_t id;
    return server_stop_recording(s, parse_id(text, &id) ? id : 0, error, error_size);
}
