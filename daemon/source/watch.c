/* watch.c - ages of beats, pauses of the process, and abandoned threads. */
#include "daemon/source/watch.h"

static const uint64_t pause_ns = 2000000000, forgive_ns = 3600000000000;

bool watch_finds_stuck(struct watch *w, uint64_t now_ns, uint64_t beat_ns, uint64_t patience_ns)
{
    if (w->tick_ns && now_ns - w->tick_ns > pause_ns)
        w->resumed_ns = now_ns;
    w->tick_ns = now_ns;
    const uint64_t since_ns = beat_ns > w->resumed_ns ? beat_ns : w->resumed_ns;
    return now_ns > since_ns && now_ns - since_ns >= patience_ns;
}

bool watch_abandon(struct watch *w, uint64_t now_ns)
{
    if (w->abandoned > 0 && now_ns - w->abandoned_ns >= forgive_ns)
        w->abandoned = 0;
    w->abandoned_ns = now_ns;
    return ++w->abandoned >= WATCH_MAX_ABANDONED;
}
