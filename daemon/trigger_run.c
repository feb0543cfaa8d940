/* trigger_run.c - what events cause: rows, recordings, requests, messages, a hold, the end of a
 * run. */
#include "daemon/trigger_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/base/json.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/trigger/trigger_setup.h"

enum { EVENTS_LOGGED = 20 };

/* ---- recordings -------------------------------------------------------------------------- */

static uint64_t samples_of(double seconds, double rate_hz)
{
    return (uint64_t)llround(fmin(seconds * rate_hz, 1e18));
}

static bool is_recorded(const struct trigger_run *t, const struct event *e)
{
    return t->use.recorder && e->records && e->start != UINT64_MAX;
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
static void start_recording(struct trigger_run *t, struct event *e)
{
    const struct record_options *o = &t->use.config->record;
    const uint64_t pre = samples_of(o->pre_s, e->rate_hz);
    const struct record_annotation annotation = annotation_of(e);
    const struct record_request request = {
        .epoch = e->epoch,
        .from = e->start > pre ? e->start - pre : 0,
        .to = e->open ? RECORD_OPEN : e->end + samples_of(o->post_s, e->rate_hz),
        .label = e->trigger,
        .annotations = &annotation,
        .annotation_count = e->open ? 0 : 1,
        .of_event = true,
        .event_ns = e->time_ns};
    struct reason why = {0};
    const int err = recorder_start(t->use.recorder, &request, &e->recording, &why);
    if (err < 0 && err != -EDQUOT) /* the recorder counts these */
        log_warn("event %llu of %s is not recorded: %s", (unsigned long long)e->id, e->trigger,
                 why.sentence);
}

static void end_recording(struct trigger_run *t, const struct event *e)
{
    const struct record_annotation annotation = annotation_of(e);
    recorder_annotate(t->use.recorder, e->recording, &annotation);
    recorder_set_end(t->use.recorder, e->recording,
                     e->end + samples_of(t->use.config->record.post_s, e->rate_hz));
}

static void record_event(struct trigger_run *t, struct event *e)
{
    if (!is_recorded(t, e) || (e->open && !e->outlasts))
        return;
    if (e->recording == 0)
        start_recording(t, e);
    else
        end_recording(t, e);
}

/* ---- the trigger thread ------------------------------------------------------------------ */

static void send_webhook(struct trigger_run *t, const struct trigger_setup *setup,
                         const struct event *e)
{
    json_t *json = setup->webhook ? event_to_json(e) : NULL;
    char *body = json_text(json, JSON_COMPACT);
    json_decref(json);
    if (body)
        webhooks_push(t->webhooks, &(struct webhook){.url = setup->webhook,
                                                     .name = e->trigger,
                                                     .event = e->id,
                                                     .timeout_s = setup->webhook_timeout_s,
                                                     .body = body});
    free(body);
}

/* On the trigger thread. A hold comes with the beginning of an event, a stop with its end. */
static void note_action(struct trigger_run *t, const struct trigger_setup *setup,
                        const struct event *e)
{
    unsigned long long none = 0;
    if (setup->then == THEN_HOLD && !(e->open && e->outlasts) &&
        atomic_exchange(&t->held_event, e->id) != e->id)
        atomic_store(&t->hold, true);
    if (setup->then != THEN_STOP || e->open)
        return;
    atomic_store(&t->last_recording, e->recording);
    atomic_compare_exchange_strong(&t->last_event, &none, e->id);
}

static void on_event(void *user, const struct trigger_setup *setup, struct event *e)
{
    struct trigger_run *t = user;
    record_event(t, e);
    if (!e->open)
        outputs_push_event(t->use.outputs, e);
    if (!(e->open && e->outlasts)) { /* not again when it is only known to outlast the ring */
        send_webhook(t, setup, e);
        sensor_push_event(t->use.sensor, e);
    }
    note_action(t, setup, e);
}

static void on_line(void *user, uint32_t epoch, uint64_t position, double rate_hz)
{
    const struct trigger_run *t = user;
    const uint64_t pre = samples_of(t->use.config->record.pre_s, rate_hz);
    if (t->use.recorder)
        recorder_keep(t->use.recorder, epoch, position > pre ? position - pre : 0);
}

static void on_change(void *user)
{
    struct trigger_run *t = user;
    event_log_wake(t->log);
    t->use.wake(t->use.user);
}

/* ---- start, commands and end ------------------------------------------------------------- */

/* Without its database, fftd does all else. */
static void start_log(struct trigger_run *t)
{
    const char *folder = config_state_dir(t->use.config);
    const struct event_options *o = &t->use.config->events;
    const struct event_log_config config = {
        .folder = folder, .limits = {o->max, o->max_age_s}, .events = t->events};
    struct reason why = {0};
    if (folder && event_log_start(&t->log, &config, &why) < 0)
        log_error("%s: events are in memory only", why.sentence);
}

static void on_end(void *user)
{
    const struct trigger_run *t = user;
    t->use.wake(t->use.user);
}

int trigger_run_start(struct trigger_run *t, const struct trigger_run_use *use, struct reason *why)
{
    const bool lossless = use->lossless;
    t->use = *use;
    int err = event_store_create(&t->events);
    if (err == 0)
        err = webhooks_create(&t->webhooks, t->use.wake, t->use.user);
    if (err == 0)
        err = iq_tap_create(&t->tap, lossless);
    if (err < 0)
        return err;
    start_log(t);
    iq_tap_chain(outputs_tap(t->use.outputs), t->tap);
    const struct triggers_config config = {
        .lines = t->use.lines,
        .tap = t->tap,
        .events = t->events,
        .feed = t->use.feed,
        .marks = t->use.marks,
        .lossless = lossless,
        .pre_s = t->use.recorder ? t->use.config->record.pre_s : 0,
        .kept = t->use.recorder ? recorder_tap(t->use.recorder) : NULL,
        .on_event = on_event,
        .on_line = on_line,
        .changed = on_change,
        .ended = on_end,
        .user = t};
    if (t->use.config->measure_count == 0) /* the measure thread may start later */
        measure_feed_end(t->use.feed);
    if (t->use.recorder && t->use.config->trigger_count > 0)
        recorder_keep(t->use.recorder, 0, 0); /* from the first sample on, before it comes */
    err = triggers_create(&t->triggers, &config);
    err = err < 0 ? err : triggers_configure(t->triggers, t->use.config, why);
    if (err == 0)
        trigger_warn_idle(t->use.config, NULL); /* the first line warns of bands */
    return err;
}

static bool recording_ended(const struct trigger_run *t)
{
    struct record_info info;
    const uint64_t id = atomic_load(&t->last_recording);
    return !t->use.recorder || id == 0 || !recorder_find(t->use.recorder, id, &info) ||
           info.state != RECORD_RUNS;
}

bool trigger_run_holds(struct trigger_run *t)
{
    return atomic_exchange(&t->hold, false);
}

bool trigger_run_stops(const struct trigger_run *t)
{
    struct event e;
    const uint64_t last = atomic_load(&t->last_event);
    if (last == 0 || !recording_ended(t))
        return false;
    if (event_store_find(t->events, last, &e))
        log_info("trigger %s: stopping after event %llu", e.trigger, (unsigned long long)e.id);
    return true;
}

void trigger_run_stop(struct trigger_run *t, int patience_ms)
{
    triggers_stop(t->triggers);
    event_log_stop(t->log);
    webhooks_stop(t->webhooks, patience_ms);
}

void trigger_run_status(const struct trigger_run *t, struct status *out)
{
    triggers_state(t->triggers, &out->triggers);
    event_log_state(t->log, &out->event_log);
    webhooks_state(t->webhooks, &out->webhooks);
}

bool trigger_run_ended(const struct trigger_run *t)
{
    return triggers_ended(t->triggers) && webhooks_idle(t->webhooks);
}

void trigger_run_fire(const struct trigger_run *t)
{
    if (triggers_fire_external(t->triggers) == 0)
        log_warn("SIGUSR1: there is no trigger of the type external");
}

static void log_one(const struct trigger_run *t, size_t i)
{
    struct trigger_state state;
    char recordings[48] = "";
    triggers_one_state(t->triggers, i, &state);
    if (state.recordings > 0)
        snprintf(recordings, sizeof recordings, ", %llu recording%s",
                 (unsigned long long)state.recordings, state.recordings == 1 ? "" : "s");
    log_info("trigger %s: %llu event%s%s%s%s", triggers_setup(t->triggers, i)->text.name,
             (unsigned long long)state.events, state.events == 1 ? "" : "s", recordings,
             state.reason[0] ? "; " : "", state.reason);
}

/* The first events, with their time since the first sample. */
static void log_events(const struct trigger_run *t)
{
    static struct event events[EVENTS_LOGGED];
    const size_t count = event_store_list(
        t->events, &(struct event_filter){EVENT_FILTER_ALL, .limit = EVENTS_LOGGED}, events, NULL);
    const uint64_t all = event_store_count(t->events);
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

static void log_webhooks(const struct trigger_run *t)
{
    struct webhooks_state state;
    webhooks_state(t->webhooks, &state);
    if (state.on)
        log_info("webhooks: %llu delivered, %llu dropped", (unsigned long long)state.delivered,
                 (unsigned long long)state.dropped);
}

void trigger_run_log(const struct trigger_run *t, bool with_events)
{
    struct triggers_state state;
    if (triggers_count(t->triggers) == 0)
        return;
    for (size_t i = 0; i < triggers_count(t->triggers); i++)
        log_one(t, i);
    log_webhooks(t);
    if (with_events)
        log_events(t);
    triggers_state(t->triggers, &state);
    if (state.missed > 0)
        log_warn("the triggers missed %llu lines", (unsigned long long)state.missed);
    if (state.without_iq > 0)
        log_warn("the samples of %llu lines with events were gone: these are not exact",
                 (unsigned long long)state.without_iq);
}

void trigger_run_destroy(struct trigger_run *t)
{
    triggers_destroy(t->triggers);
    event_log_destroy(t->log);
    webhooks_destroy(t->webhooks);
    event_store_destroy(t->events);
    iq_tap_destroy(t->tap);
}
