/* resource_recordings.c - recordings: the list, one of them, new ones, and their end. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"

enum { LISTED = 100 };

static const char off[] = "recordings are off: start fftd with --record DIR";

/* ---- as JSON ---------------------------------------------------------------------------- */

static json_t *recording_to_json(const struct record_info *i)
{
    static const char *const states[] = {"running", "done", "failed"};
    char start[UNIX_TIME_TEXT] = "";
    if (i->name[0] && i->start_ns != RECORD_UNDATED)
        unix_time_iso(i->start_ns, start);
    json_t *o = json_pack("{sI ss ss so ss}", "id", (json_int_t)i->id, "state", states[i->state],
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

static int get_all(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct recorder *r = call->on->recorder;
    (void)why;
    return api_answer(reply, json_pack("{sb so so}", "enabled", r != NULL, "recordings",
                                       r ? list_runs(r) : json_array(), "files",
                                       r ? list_files(r) : json_array()));
}

/* False: the text is no number of a recording. */
static bool parse_id(const char *text, uint64_t *id)
{
    char *end;
    errno = 0;
    *id = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && text[0] >= '1' && text[0] <= '9';
}

static int get_one(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    uint64_t id;
    struct record_info info;
    if (!call->on->recorder || !parse_id(call->name, &id) ||
        !recorder_find(call->on->recorder, id, &info))
        return reason_set(why, -ENOENT, "there is no such recording");
    return api_answer(reply, recording_to_json(&info));
}

/* ---- starting and stopping -------------------------------------------------------------- */

/* What a client says of a recording that is to start. */
struct wanted {
    double pre_s, duration_s; /* 0: none, until it is stopped */
    char from[40];            /* a time; "": not given */
    double low_hz, high_hz;   /* of a band; both, or neither */
    char label[RECORD_LABEL];
};

static const struct config_option keys[] = {
    {"recordings", "pre", .kind = OPTION_NUMBER, OPTION_FIELD(struct wanted, pre_s),
     .fallback = "0", .unit = SI_SECONDS, .max = 1e9,
     .help = "Time before the request to include, as far back as the ring reaches"},
    {"recordings", "duration", .kind = OPTION_NUMBER, OPTION_FIELD(struct wanted, duration_s),
     .fallback = "0", .unit = SI_SECONDS, .max = 1e9,
     .help = "Duration after the request, or after from; 0 records until it is stopped"},
    {"recordings", "from", .kind = OPTION_LABEL, OPTION_FIELD(struct wanted, from), .fallback = "",
     .expected = "a time as 2026-11-21T10:15:00.5Z, or seconds since 1970",
     .help = "Time of the first sample. Cannot be combined with pre"},
    {"recordings", "low", .kind = OPTION_NUMBER, OPTION_FIELD(struct wanted, low_hz),
     .fallback = "0", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Lower edge of the band to record; without low and high, all samples are recorded"},
    {"recordings", "high", .kind = OPTION_NUMBER, OPTION_FIELD(struct wanted, high_hz),
     .fallback = "0", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Upper edge of the band to record"},
    {"recordings", "label", .kind = OPTION_LABEL, OPTION_FIELD(struct wanted, label),
     .fallback = "", .expected = "a text of at most 63 bytes",
     .help = "Label in the metadata of the recording"},
    {0},
};

static int read_time(const char *text, int64_t *ns, struct reason *why)
{
    bool is_date;
    const int err = unix_time_read(text, ns, &is_date);
    return err == 0 && (is_date || *ns >= 0)
               ? 0
               : reason_key(why, -EINVAL, "from", "from: \"%s\" is not %s", text, keys[2].expected);
}

static int check(const struct wanted *w, const json_t *values, struct reason *why)
{
    const bool low = api_values_have(values, "low"), high = api_values_have(values, "high");
    if (w->from[0] && w->pre_s > 0)
        return reason_key(why, -EINVAL, "from", "from and pre cannot be given together");
    if (low != high || (low && !(w->low_hz < w->high_hz)))
        return reason_key(why, -EINVAL, "low", "low, high: a band needs both, and high above low");
    return 0;
}

static uint64_t samples_in(double seconds, double rate_hz)
{
    return seconds * rate_hz < 9e18 ? (uint64_t)llround(seconds * rate_hz) : RECORD_OPEN;
}

static int start(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct wanted w = {0};
    struct status now;
    uint64_t id = 0;
    int64_t from_ns = 0;
    if (!call->on->recorder)
        return reason_set(why, -ENOENT, "%s", off);
    int err = api_values_read(call->values, keys, &w, why);
    if (err == 0)
        err = check(&w, call->values, why);
    if (err == 0 && w.from[0])
        err = read_time(w.from, &from_ns, why);
    if (err < 0)
        return err;
    radio_control_status(call->on->radio, &now);
    const double rate_hz = now.stream.tuning.rate_hz;
    const struct record_request request = {
        .epoch = RECORD_NEWEST,
        .relative = !w.from[0],
        .timed = w.from[0],
        .from_ns = from_ns,
        .duration_s = w.duration_s,
        .band = {.low_hz = w.low_hz, .high_hz = w.high_hz},
        .from = samples_in(w.pre_s, rate_hz),
        .to = w.duration_s > 0 ? samples_in(w.duration_s, rate_hz) : RECORD_OPEN,
        .label = w.label};
    err = recorder_start(call->on->recorder, &request, &id, why);
    if (err < 0)
        return err;
    snprintf(reply->made, sizeof reply->made, "%llu", (unsigned long long)id);
    return api_answer(reply, json_pack("{sI}", "id", (json_int_t)id));
}

static int stop(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    uint64_t id;
    (void)reply;
    if (!call->on->recorder)
        return reason_set(why, -ENOENT, "%s", off);
    if (!parse_id(call->name, &id) || recorder_stop(call->on->recorder, id) < 0)
        return reason_set(why, -ENOENT, "there is no running recording of this id");
    return 0;
}

const struct api_resource api_recordings = {
    .path = "/api/v1/recordings",
    .tag = "recordings",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_all, "The newest recordings, and the files of all", .keys = NULL},
        {API_POST, API_OPERATE, start, "Starts a recording", .keys = keys,
         .example = "{\"pre\": \"10ms\", \"duration\": \"50ms\"}"},
        {0},
    }};

const struct api_resource api_recording = {
    .path = "/api/v1/recordings/",
    .tag = "recordings",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_one, "One recording by its number", .keys = NULL},
        {API_DELETE, API_OPERATE, stop, "Stops a running recording", .keys = NULL},
        {0},
    }};
