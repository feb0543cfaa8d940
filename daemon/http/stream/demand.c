/* demand.c - asks who reads density and the sample detector, and requests a plan with them. */
#include "daemon/http/stream/demand.h"

#include <string.h>

#include "daemon/api/collect/reference_takes.h"
#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/client/feed.h"
#include "daemon/control/radio_control.h"
#include "daemon/measure/measure_thread.h"
#include "daemon/status/status.h"
#include "daemon/stream/settings.h"
#include "daemon/trigger/triggers.h"

static const uint64_t forget_ns = 60000000000, linger_ns = 5000000000;

static bool was_asked(uint64_t asked_ns)
{
    return asked_ns > 0 && clock_now_ns() - asked_ns < forget_ns;
}

/* Whether density and the sample detector are wanted. */
static void find_readers(const struct demand *w, bool *density, bool *sample)
{
    unsigned detectors;
    *density = feed_wants_density(w->feed, &detectors) || w->subscribers > 0 ||
               measure_thread_wants_density(w->measure_thread) ||
               measure_thread_wants_density(w->own_measure_thread) ||
               reference_takes_want_density(w->references) ||
               (w->triggers && triggers_want_density(w->triggers)) ||
               was_asked(w->density_asked_ns);
    detectors |= w->detectors | measure_thread_detectors(w->measure_thread) |
                 measure_thread_detectors(w->own_measure_thread) |
                 reference_takes_detectors(w->references);
    *sample = (detectors & FFT_DETECTOR_SAMPLE) || was_asked(w->sample_asked_ns);
}

/* Whether it is made: from the first reader on, until a while after the last one. */
static bool lingers(bool wanted, bool now, uint64_t *read_ns)
{
    if (wanted)
        *read_ns = clock_now_ns();
    return wanted || (now && clock_now_ns() - *read_ns < linger_ns);
}

void demand_update(struct demand *w)
{
    struct status now;
    struct reason why = {0};
    bool density, sample;
    const struct settings *is = &now.settings;
    radio_control_status(w->control, &now);
    find_readers(w, &density, &sample);
    density = lingers(density, is->density_wanted, &w->density_ns);
    sample = lingers(sample, !(is->detectors_unread & FFT_DETECTOR_SAMPLE), &w->sample_ns);
    if (density == is->density_wanted && sample == !(is->detectors_unread & FFT_DETECTOR_SAMPLE))
        return;
    const int err = radio_control_make(w->control, density, sample ? 0 : FFT_DETECTOR_SAMPLE, &why);
    if (err < 0 && !w->refused)
        log_warn("density or the detector sample: %s",
                 why.sentence[0] ? why.sentence : strerror(-err));
    w->refused = err < 0;
}

bool demand_ask_detector(struct demand *w, unsigned index)
{
    if (!detector_is_on_demand(index))
        return true;
    w->sample_asked_ns = clock_now_ns();
    demand_update(w);
    return w->feed->latest && w->feed->latest->detectors & 1U << index;
}

bool demand_ask_density(struct demand *w)
{
    w->density_asked_ns = clock_now_ns();
    demand_update(w);
    return w->feed->latest && w->feed->latest->hits;
}

const char *demand_refuse_density(const struct demand *w)
{
    struct status now;
    radio_control_status(w->control, &now);
    return settings_sweeps(&now.settings) ? "a sweep has no density: each column would have the "
                                            "frames of its dwell only"
                                          : NULL;
}
