/* app_triggers.c - the triggers of a run: their start, their commands and their summary. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/app_parts.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/measure/measure_setup.h"
#include "daemon/trigger/trigger_setup.h"

enum { EVENTS_LOGGED = 20 };

int app_check_config(struct config *fresh, struct reason *why)
{
    const int err = measure_check_config(fresh, why);
    return err < 0 ? err : trigger_check_config(fresh, why);
}

/* ---- recordings -------------------------------------------------------------------------- */

static uint64_t samples_of(double seconds, double rate_hz)
{
    return (uint64_t)llround(fmin(seconds * rate_hz, 1e18));
}

static bool is_recorded(const struct app *a, const struct event *e)
{
    return a->recorder && e->records && e->start != UINT64_MAX;
}

static struct record_annotation annotation_of(const struct event *e)
{
    struct record_annotation out = {.from = e->start, .to = e->end};
    if (isfinite(e->low_hz) && e->high_hz > 0) {
        out.low_hz = e->low_hz;
        out.high_hz = e->high_hz;
    }
    snprintf(out.label, sizeof out.label, "%s", e->trigger);
    snprintf(out.comment, sizeof out.comment, "event %llu, %s", (unsigned long long)e->id, e->type);
    return out;
}

/*
 * In the past: an event that has ended is recorded as a whole. One that outlasts what the ring
 * keeps is recorded from now on; its recording ends up to a line late.
 */
static void start_recording(struct app *a, struct event *e)
{
    const struct record_options *o = &a->config->record;
    const uint64_t pre = samples_of(o->pre_s, e->rate_hz);
    const struct record_annotation annotation = annotation_of(e);
    const struct record_request request = {
        .epoch = e->epoch,
        .from = e->start > pre ? e->start - pre : 0,
        .to = e->open ? RECORD_OPEN : e->end + samples_of(o->post_s, e->rate_hz),
        .label = e->trigger,
        .annotations = &annotation,
        .annotation_count = e->open ? 0 : 1};
    struct reason why = {0};
    if (recorder_start(a->recorder, &request, &e->recording, &why) < 0)
        log_warn("event %llu of %s is not recorded: %s", (unsigned long long)e->id, e->trigger,
                 why.sentence);
}

static void end_recording(struct app *a, const struct event *e)
{
    const struct record_annotation annotation = annotation_of(e);
    recorder_annotate(a->recorder, e->recording, &annotation);
    recorder_set_end(a->recorder, e->recording,
                     e->end + samples_of(a->config->record.post_s, e->rate_hz));
}

static void record_event(struct app *a, struct event *e)
{
    if (!is_recorded(a, e) || (e->open && !e->outlasts))
        return;
    if (e->recording == 0)
        start_recording(a, e);
    else
        end_recording(a, e);
}

/* ---- the trigger thread ------------------------------------------------------------------ */

static void send_webhook(struct app *a, const struct trigger_setup *setup, const struct event *e)
{
    json_t *json = setup->webhook ? event_to_json(e) : NULL;
    char *body = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(json);
    if (body)
        webhooks_push(a->webhooks, &(struct webhook){.url = setup->webhook,
                                                     .name = e->trigger,
                                                     .event = e->id,
                                                     .timeout_s = setup->webhook_timeout_s,
                                                     .body = body});
    free(body);
}

static void on_event(void *user, const struct trigger_setup *setup, struct event *e)
{
    struct app *a = user;
    record_event(a, e);
    if (!e->open)
        outputs_push_event(a->outputs, e);
    if (!(e->open && e->outlasts)) { /* not again when it is only known to outlast the ring */
        send_webhook(a, setup, e);
        sensor_push_event(a->sensor, e);
    }
    app_note_action(a, setup, e);
}

static void on_line(void *user, uint32_t epoch, uint64_t position, double rate_hz)
{
    const struct app *a = user;
    const uint64_t pre = samples_of(a->config->record.pre_s, rate_hz);
    if (a->recorder)
        recorder_keep(a->recorder, epoch, position > pre ? position - pre : 0);
}

static void on_change(void *user)
{
    struct app *a = user;
    event_log_wake(a->event_log);
    app_ring_bell(a);
}

/* ---- start, commands and end ------------------------------------------------------------- */

/* Without its database, fftd does all else. */
static void start_log(struct app *a)
{
    const char *folder = config_state_dir(a->config);
    const struct event_options *o = &a->config->events;
    const struct event_log_config config = {
        .folder = folder, .limits = {o->max, o->max_age_s}, .events = a->events};
    struct reason why = {0};
    if (folder && event_log_start(&a->event_log, &config, &why) < 0)
        log_error("%s: events are in memory only", why.sentence);
}

int app_start_triggers(struct app *a, struct reason *why)
{
    const bool lossless = acquisition_lossless(a->config);
    int err = event_store_create(&a->events);
    if (err == 0)
        err = webhooks_create(&a->webhooks, app_ring_bell, a);
    if (err == 0)
        err = iq_tap_create(&a->trigger_tap, lossless);
    if (err < 0)
        return err;
    start_log(a);
    iq_tap_chain(outputs_tap(a->outputs), a->trigger_tap);
    const struct triggers_config config = {.lines = a->lines,
                                           .tap = a->trigger_tap,
                                           .events = a->events,
                                           .feed = a->measure_feed,
                                           .marks = a->event_marks,
                                           .lossless = lossless,
                                           .pre_s = a->recorder ? a->config->record.pre_s : 0,
                                           .kept = a->recorder ? recorder_tap(a->recorder) : NULL,
                                           .on_event = on_event,
                                           .on_line = on_line,
                                           .changed = on_change,
                                           .ended = app_ring_bell,
                                           .user = a};
    if (a->config->measure_count == 0) /* the measure thread may start later */
        measure_feed_end(a->measure_feed);
    if (a->recorder && a->config->trigger_count > 0)
        recorder_keep(a->recorder, 0, 0); /* from the first sample on, before it comes */
    err = triggers_create(&a->triggers, &config);
    return err < 0 ? err : triggers_configure(a->triggers, a->config, why);
}

bool app_triggers_ended(const struct app *a)
{
    return triggers_ended(a->triggers) && webhooks_idle(a->webhooks);
}

void app_fire_triggers(const struct app *a)
{
    if (triggers_fire_external(a->triggers) == 0)
        log_warn("SIGUSR1: there is no trigger of the type external");
}

static void log_one(const struct app *a, size_t i)
{
    struct trigger_state state;
    char recordings[48] = "";
    triggers_one_state(a->triggers, i, &state);
    if (state.recordings > 0)
        snprintf(recordings, sizeof recordings, ", %llu recording%s",
                 (unsigned long long)state.recordings, state.recordings == 1 ? "" : "s");
    log_info("trigger %s: %llu event%s%s%s%s", triggers_setup(a->triggers, i)->text.name,
             (unsigned long long)state.events, state.events == 1 ? "" : "s", recordings,
             state.reason[0] ? "; " : "", state.reason);
}

/* The first events, with their time since the first sample. */
static void log_events(const struct app *a)
{
    static struct event events[EVENTS_LOGGED];
    const size_t count = event_store_list(
        a->events, &(struct event_filter){EVENT_FILTER_ALL, .limit = EVENTS_LOGGED}, events, NULL);
    const uint64_t all = event_store_count(a->events);
    for (size_t i = 0; i < count; i++) {
        const struct event *e = &events[i];
        char level[64] = "";
        if (isfinite(e->peak_dbfs))
            snprintf(level, sizeof level, ", %.1f dBFS at %.6f MHz", e->peak_dbfs,
                     e->peak_hz / 1e6);
        log_info("  %s at %.6f s for %.6f s%s%s", e->trigger, (double)e->first_sample / e->rate_hz,
                 e->duration_s, level, e->exact ? "" : ", not exact");
    }
    if (all > count)
        log_info("  and %llu more", (unsigned long long)(all - count));
}

static void log_webhooks(const struct app *a)
{
    struct webhooks_state state;
    webhooks_state(a->webhooks, &state);
    if (state.on)
        log_info("webhooks: %llu delivered, %llu dropped", (unsigned long long)state.delivered,
                 (unsigned long long)state.dropped);
}

void app_log_triggers(const struct app *a)
{
    struct triggers_state state;
    if (triggers_count(a->triggers) == 0)
        return;
    for (size_t i = 0; i < triggers_count(a->triggers); i++)
        log_one(a, i);
    log_webhooks(a);
    if (a->acquisition && !a->server)
        log_events(a);
    triggers_state(a->triggers, &state);
    if (state.missed > 0)
        log_warn("the triggers missed %llu lines", (unsigned long long)state.missed);
    if (state.without_iq > 0)
        log_warn("the samples of %llu lines with events were gone: these are not exact",
                 (unsigned long long)state.without_iq);
}

void app_destroy_triggers(struct app *a)
{
    triggers_destroy(a->triggers);
    event_log_destroy(a->event_log);
    webhooks_destroy(a->webhooks);
    event_store_destroy(a->events);
    iq_tap_destroy(a->trigger_tap);
}
