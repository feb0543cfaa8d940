/* event_allowance.c - counts the bytes that recordings of events take in an hour. */
#include "daemon/record/recorder/event_allowance.h"

#include <math.h>

#include "daemon/base/log.h"

static const double hour_ns = 3600e9;

uint64_t event_allowance_take(struct event_allowance *a, uint64_t per_hour, int64_t time_ns,
                              uint64_t wanted, uint64_t least)
{
    if (per_hour == 0)
        return wanted;
    const double passed_ns = (double)time_ns - (double)a->at_ns;
    if (passed_ns > 0) { /* a clock that was set back gives nothing */
        a->used = fmax(0, a->used - (double)per_hour * passed_ns / hour_ns);
        a->at_ns = time_ns;
    }
    const uint64_t left = a->used < (double)per_hour ? per_hour - (uint64_t)a->used : 0;
    const uint64_t taken = wanted < left ? wanted : left;
    if (taken < least) {
        a->refused++;
        return 0;
    }
    a->used += (double)taken;
    return taken;
}

void event_allowance_give_back(struct event_allowance *a, uint64_t bytes)
{
    a->used = fmax(0, a->used - (double)bytes);
}

void event_allowance_log(const struct event_allowance *a, uint64_t per_hour)
{
    if (a->recorded > 0)
        log_info("recordings of events: %llu, with %llu bytes", (unsigned long long)a->recorded,
                 (unsigned long long)a->bytes);
    if (a->refused > 0)
        log_warn("%llu events are not recorded: record-events-max allows %llu bytes an hour",
                 (unsigned long long)a->refused, (unsigned long long)per_hour);
}
