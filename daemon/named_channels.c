/* named_channels.c - transmissions as events and recordings. */
#include "daemon/named_channels.h"

#include <stdio.h>
#include <string.h>

#include "daemon/audio/audio.h"
#include "daemon/audio/audio_request.h"
#include "daemon/base/log.h"
#include "daemon/stream/tuning.h"

/* ---- the thread of the channels ------------------------------------------------------------ */

static struct event event_of(const struct channel_transmission *t)
{
    struct event e = {.id = t->event,
                      .type = "channel",
                      .open = !t->ended,
                      .epoch = t->epoch,
                      .start = t->start,
                      .end = t->end,
                      .first_sample = t->first_sample,
                      .time_ns = t->time_ns,
                      .duration_s = t->duration_s,
                      .uncertainty_s = t->block_s,
                      .low_hz = t->center_hz - t->pass_hz,
                      .high_hz = t->center_hz + t->pass_hz,
                      .peak_dbfs = t->level_dbfs,
                      .peak_hz = t->center_hz,
                      .center_hz = t->stream_center_hz,
                      .rate_hz = t->stream_rate_hz};
    memcpy(e.trigger, t->name, sizeof e.trigger);
    return e;
}

void named_channels_on_transmission(struct named_channels *n, struct channel_transmission *t)
{
    if (!n->use.events)
        return;
    struct event e = event_of(t);
    if (t->ended)
        event_store_update(n->use.events, &e);
    else
        event_store_add(n->use.events, &e);
    t->event = e.id;
    if (t->ended)
        outputs_push_event(n->use.outputs, &e);
    sensor_push_event(n->use.sensor, &e);
    event_log_wake(n->use.log);
    n->use.wake(n->use.user);
}

void named_channels_on_block(struct named_channels *n)
{
    channel_recorder_wake(n->recorder);
}

/* ---- start and end -------------------------------------------------------------------------- */

int named_channels_configure(struct named_channels *n, struct reason *why)
{
    const struct config *c = n->use.config;
    return n->set ? channel_set_configure(n->set, c->channel_texts, c->channel_count, c->file, why)
                  : 0;
}

static void on_opened(void *user, const struct channel_setup *s, struct channel *x)
{
    const struct named_channels *n = user;
    if (s->record == CHANNEL_RECORD_NO)
        return;
    if (n->recorder)
        channel_recorder_add(n->recorder, s->text.name, s->rate_hz, s->max_duration_s,
                             channel_output_of(x));
    else
        log_limited(LOG_PRIORITY_WARN,
                    "channel %s: its transmissions are not recorded without --record",
                    s->text.name);
}

static void on_changed(void *user, const char *name, const struct channel_setup *now, bool moved)
{
    const struct named_channels *n = user;
    char about[64], hint[64], text[96];
    if (now && tuning_center_lacks_unit(now->center_hz, hint, sizeof hint)) {
        snprintf(about, sizeof about, "channel %s", name);
        snprintf(text, sizeof text, "its center is %s", hint);
        log_capped(about, text);
    }
    audio_channel_moved(n->use.audio, name, moved ? now : NULL);
}

int named_channels_start(struct named_channels *n, const struct named_channels_use *use,
                         struct reason *why)
{
    const struct channel_set_config config = {.channels = use->channels,
                                              .records = use->recorder,
                                              .check = audio_request_check_named,
                                              .opened = on_opened,
                                              .changed = on_changed,
                                              .user = n};
    n->use = *use;
    int err = use->recorder
                  ? channel_recorder_create(&n->recorder, &use->config->record, use->recorder)
                  : 0;
    if (err == 0)
        err = channel_set_create(&n->set, &config);
    return err < 0 ? err : named_channels_configure(n, why);
}

void named_channels_stop(struct named_channels *n)
{
    channel_recorder_destroy(n->recorder);
    n->recorder = NULL;
}

void named_channels_destroy(struct named_channels *n)
{
    channel_set_destroy(n->set);
    n->set = NULL;
    named_channels_stop(n);
}
