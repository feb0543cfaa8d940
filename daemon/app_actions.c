/* app_actions.c - what a trigger does with the run: it holds a replay, or stops fftd. */
#include "daemon/app_parts.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"

/* On the trigger thread. A hold comes with the beginning of an event, a stop with its end. */
void app_note_action(struct app *a, const struct trigger_setup *setup, const struct event *e)
{
    unsigned long long none = 0;
    if (setup->then == THEN_HOLD && !(e->open && e->outlasts) &&
        atomic_exchange(&a->held_event, e->id) != e->id)
        atomic_store(&a->hold, true);
    if (setup->then != THEN_STOP || e->open)
        return;
    atomic_store(&a->last_recording, e->recording);
    atomic_compare_exchange_strong(&a->last_event, &none, e->id);
}

static void hold(struct app *a)
{
    struct status status;
    struct reason why = {0};
    acquisition_status(a->acquisition, &status);
    status.replay_wanted.paused = true;
    if (acquisition_replay(a->acquisition, &status.replay_wanted, &why) < 0)
        log_warn("a trigger cannot hold the replay: %s", why.sentence);
}

static bool is_recorded(const struct app *a)
{
    struct record_info info;
    const uint64_t id = atomic_load(&a->last_recording);
    return !a->recorder || id == 0 || !recorder_find(a->recorder, id, &info) ||
           info.state != RECORD_RUNS;
}

bool app_take_actions(struct app *a)
{
    struct event e;
    const uint64_t last = atomic_load(&a->last_event);
    if (atomic_exchange(&a->hold, false))
        hold(a);
    if (last == 0 || !is_recorded(a))
        return false;
    if (event_store_find(a->events, last, &e))
        log_info("trigger %s: stopping after event %llu", e.trigger, (unsigned long long)e.id);
    return true;
}
