/* wishes.c - asks who reads density and the sample detector, and requests a plan with them. */
#include "daemon/server/wishes.h"
#include "daemon/base/reason.h"

#include <string.h>

#include "daemon/api/reference_takes.h"
#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/http/internal.h"

static const uint64_t forget_ns = 60000000000, linger_ns = 5000000000;

static unsigned viewed_detectors(const struct client *c)
{
    unsigned detectors = 0;
    for (unsigned slot = 0; slot < FEED_SLOTS; slot++) {
        const struct feed_slot *of = &c->feed.slot[slot];
        if (of->view && !(of->trace && of->trace->percent > 0))
            detectors |= 1U << feed_slot_detector(of);
    }
    return detectors;
}

static bool is_sample_wanted(const struct server *s)
{
    const uint64_t asked = s->wishes.asked_ns;
    unsigned detectors = s->hooks.detectors | measurer_detectors(s->hooks.measurer) |
                         measurer_detectors(s->hooks.own_measurer) |
                         reference_takes_detectors(&s->references);
    for (const struct client *c = s->clients; c; c = c->next)
        detectors |= viewed_detectors(c);
    return (detectors & FFT_DETECTOR_SAMPLE) || (asked > 0 && clock_now_ns() - asked < forget_ns);
}

/* Whether it is made: from the first reader on, until a while after the last one. */
static bool lingers(bool wanted, bool now, uint64_t *read_ns)
{
    if (wanted)
        *read_ns = clock_now_ns();
    return wanted || (now && clock_now_ns() - *read_ns < linger_ns);
}

void wishes_update(struct server *s)
{
    struct status now;
    struct reason why = {0};
    const struct settings *w = &now.settings;
    struct wishes *wishes = &s->wishes;
    server_update_status(s, &now);
    const bool samples = !(w->detectors_unread & FFT_DETECTOR_SAMPLE);
    const bool density = lingers(density_is_wanted(s), w->density_wanted, &wishes->density_ns);
    const bool sample = lingers(is_sample_wanted(s), samples, &wishes->sample_ns);
    if (density == w->density_wanted && sample == samples)
        return;
    const int err =
        radio_control_make(s->hooks.control, density, sample ? 0 : FFT_DETECTOR_SAMPLE, &why);
    if (err < 0 && !wishes->refused)
        log_warn("density or the detector sample: %s",
                 why.sentence[0] ? why.sentence : strerror(-err));
    wishes->refused = err < 0;
}

bool wishes_ask_detector(struct server *s, unsigned index)
{
    const struct line *line = s->feed.latest;
    if (!detector_is_on_demand(index))
        return true;
    s->wishes.asked_ns = clock_now_ns();
    wishes_update(s);
    return line && line->detectors & 1U << index;
}
