/* resource_channels.c - the channels that are open, and those that have a name. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/api/keys_json.h"
#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/audio/audio.h"
#include "daemon/base/json.h"
#include "daemon/channel/named/channel_set.h"

/* ---- audio ---------------------------------------------------------------------------------- */

/* What a station says of itself. Names and texts are "" until they are known. */
static json_t *rds_to_json(const struct demod_rds_station *s)
{
    char pi[8];
    snprintf(pi, sizeof pi, "%04X", (unsigned)s->pi & 0xffff);
    json_t *rds = json_pack("{ss ss ss sb so so so}", "pi", pi, "name", s->name, "text", s->text,
                            "traffic", s->traffic, "groups", count_to_json(s->groups), "blocks",
                            count_to_json(s->blocks), "bad_blocks", count_to_json(s->bad_blocks));
    if (s->programme_type >= 0)
        json_object_set_new(rds, "programme_type", json_integer(s->programme_type));
    if (s->time_s != 0) {
        json_object_set_new(rds, "time", number_to_json((double)s->time_s));
        json_object_set_new(rds, "utc_offset_minutes", json_integer(s->offset_minutes));
    }
    return rds;
}

/* What the demodulator knows. */
static json_t *report_to_json(const struct demod_report *r)
{
    const struct {
        const char *name;
        double value;
    } figures[] = {{"level_dbfs", r->level_dbfs},
                   {"snr_db", r->snr_db},
                   {"noise_db", r->noise_db},
                   {"offset_hz", r->offset_hz},
                   {"deviation_hz", r->deviation_hz},
                   {"depth", r->depth},
                   {"tone_hz", r->tone_hz},
                   {"pilot", r->pilot},
                   {"gain_db", r->gain_db}};
    json_t *report = json_pack("{sb sb}", "stereo", r->stereo, "locked", r->locked);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (isfinite(figures[i].value))
            json_object_set_new(report, figures[i].name, number_to_json(figures[i].value));
    if (r->rds.pi >= 0)
        json_object_set_new(report, "rds", rds_to_json(&r->rds));
    return report;
}

static json_t *audio_to_json(const struct audio_info *i)
{
    const struct audio_figures *f = &i->figures;
    const char *channel = i->request.channel;
    return json_pack("{ss so so si so so so so so so}", "mode", i->request.demod.ops->name,
                     "channel", channel[0] ? json_string(channel) : json_null(), "audio_rate_hz",
                     number_to_json(i->plan.audio_rate_hz), "audio_channels",
                     (int)i->plan.audio_channels, "listeners", count_to_json(i->listeners),
                     "encodings", count_to_json(i->encodings), "level_dbfs",
                     number_to_json(f->level_dbfs), "frames", count_to_json(f->frames), "missing",
                     count_to_json(f->missing), "report", report_to_json(&f->report));
}

struct audio_infos {
    struct audio_info *info;
    size_t count;
};

static struct audio_infos list_audio(struct audio *a)
{
    struct audio_state state;
    struct audio_infos all = {0};
    audio_state(a, &state);
    all.info = state.receivers > 0 ? calloc(state.receivers, sizeof *all.info) : NULL;
    const size_t count = all.info ? audio_list(a, all.info, state.receivers) : 0;
    all.count = count < state.receivers ? count : state.receivers;
    return all;
}

/* null: the channel gives samples. */
static json_t *find_audio(const struct audio_infos *all, uint64_t channel)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->info[i].channel == channel)
            return audio_to_json(&all->info[i]);
    return json_null();
}

/* ---- channels ------------------------------------------------------------------------------- */

static json_t *channel_to_json(const struct channel_info *i, const struct audio_infos *audio)
{
    char squelch[40];
    squelch_format(&i->request.squelch, squelch, sizeof squelch);
    return json_pack(
        "{so so ss so so so so so sb so so so ss sb so so so so}", "id", count_to_json(i->id),
        "name", i->name[0] ? json_string(i->name) : json_null(), "state",
        channel_state_name(i->state), "message", text_to_json(i->message), "center_hz",
        number_to_json(i->request.center_hz), "rate_hz", number_to_json(i->request.rate_hz),
        "width_hz", number_to_json(2 * i->pass_hz), "stop_hz", number_to_json(i->stop_hz), "cut",
        i->cut, "samples", count_to_json(i->samples), "level_dbfs", number_to_json(i->level_dbfs),
        "noise_dbfs", number_to_json(i->noise_dbfs), "squelch", squelch, "squelch_open",
        i->squelch_open, "transmissions", count_to_json(i->transmissions), "audio",
        find_audio(audio, i->id), "mode", i->mode[0] ? json_string(i->mode) : json_null(),
        "passband_hz", number_to_json(i->passband_hz));
}

static json_t *list(struct channels *c, struct audio *a)
{
    json_t *all = json_array();
    struct channels_state state;
    const struct audio_infos audio = list_audio(a);
    channels_state(c, &state);
    const size_t most = state.open + state.named;
    struct channel_info *info = c && most > 0 ? calloc(most, sizeof *info) : NULL;
    const size_t count = info ? channels_list(c, info, most) : 0;
    for (size_t i = 0; i < count && i < most; i++)
        json_array_append_new(all, channel_to_json(&info[i], &audio));
    free(info);
    free(audio.info);
    return all;
}

static json_t *all_to_json(const struct services *on)
{
    struct channels_state state;
    channels_state(on->channels, &state);
    return json_pack("{so so so so so}", "max", count_to_json(state.most), "opened_total",
                     count_to_json(state.opened_total), "missed", count_to_json(state.missed),
                     "block_s", number_to_json(state.block_s), "channels",
                     list(on->channels, on->audio));
}

static int get_all(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)why;
    return api_answer(reply, all_to_json(call->on));
}

static uint64_t version(const struct services *on)
{
    struct channels_state state;
    channels_state(on->channels, &state);
    return state.version + 1;
}

/* ---- named ones ------------------------------------------------------------------------- */

static const char unknown[] = "there is no such channel";

static struct channel_set *set_of(const struct api_call *call)
{
    return call->on->channel_set ? *call->on->channel_set : NULL;
}

/* False: there is none of this name. */
static bool find(const struct api_call *call, size_t *i)
{
    const struct channel_set *s = set_of(call);
    *i = channel_set_find(s, call->name);
    return *i < channel_set_count(s);
}

static int get_one(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    size_t i;
    struct channel_info info;
    if (!find(call, &i))
        return reason_set(why, -ENOENT, "%s", unknown);
    const struct option_family family = channel_family();
    const struct option_type type = channel_type();
    channel_info(channel_set_channel(set_of(call), i), &info);
    const struct audio_infos audio = list_audio(call->on->audio);
    json_t *channel = channel_to_json(&info, &audio);
    free(audio.info);
    if (channel)
        json_object_set_new(
            channel, "keys",
            keys_to_json(&channel_set_setup(set_of(call), i)->text, &family, &type));
    return api_answer(reply, channel);
}

static int set(const struct api_call *call, const struct option_text *text, struct reason *why)
{
    return channel_set_put(set_of(call), text, why);
}

static int put(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    size_t i;
    if (!set_of(call))
        return reason_set(why, -ENOTSUP, "there are no channels: this fftd has no samples");
    const int err = keys_put(call, reply, !find(call, &i), set, why);
    return err < 0 ? err : get_one(call, reply, why);
}

static int remove_one(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    const int err = set_of(call) ? channel_set_remove(set_of(call), call->name) : -ENOENT;
    (void)reply;
    return err == -ENOENT ? reason_set(why, err, "%s", unknown) : err;
}

static const struct api_state topic = {
    .about =
        "when a channel came, went or changed its state, as when a transmission begins or ends",
    .version = version,
    .state = all_to_json};

const struct api_resource api_channels = {
    .path = "/api/v1/channels",
    .tag = "channels",
    .methods =
        (const struct api_method[]){
            {API_GET, API_WATCH, get_all, "The channels that are open, and the named ones",
             .keys = NULL},
            {0},
        },
    .topic = &topic};

const struct api_resource api_channel = {
    .path = "/api/v1/channels/",
    .tag = "channels",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_one, "A named channel, with its keys", .keys = NULL},
        {API_PUT, API_OPERATE, put,
         "Opens a named channel, or replaces it: the keys of a section [channel NAME]",
         .any_key = true,
         .example = "{\"center\": \"100M\", \"rate\": \"25k\", \"squelch\": \"6\"}"},
        {API_DELETE, API_OPERATE, remove_one, "Closes a named channel", .keys = NULL},
        {0},
    }};
