/* replay.c - checks what control asks of a replay. */
#include "daemon/stream/replay.h"

#include <errno.h>

#include "daemon/base/reason.h"

uint64_t replay_left_out(const struct replay_state *r)
{
    if (r->samples == 0)
        return 0;
    const uint64_t end = r->end < r->samples ? r->end : r->samples; /* a pipe has no end yet */
    return r->samples - (end > r->first ? end - r->first : 0);
}

static double seconds(const struct replay_state *now, uint64_t samples)
{
    return (double)samples / now->rate_hz;
}

static int check_part(const struct replay_state *now, const struct replay_request *want,
                      struct reason *why)
{
    const double all_s = seconds(now, now->samples);
    if (want->to_s > 0 && want->to_s - want->from_s < 1 / now->rate_hz)
        return reason_key(why, -EINVAL, "to", "to: %.10g s is not after from, %.10g s", want->to_s,
                          want->from_s);
    if (now->samples && want->from_s > all_s - 1 / now->rate_hz)
        return reason_key(why, -EINVAL, "from",
                          "from: %.10g s is not within the recording of %.10g s", want->from_s,
                          all_s);
    return 0;
}

static int check_seek(const struct replay_state *now, const struct replay_request *want,
                      struct reason *why)
{
    double end_s = now->samples ? seconds(now, now->samples) : 1e9;
    if (want->to_s > 0 && want->to_s < end_s)
        end_s = want->to_s;
    if (want->seek_s >= want->from_s && want->seek_s < end_s)
        return 0;
    return reason_key(why, -EINVAL, "position",
                      "position: %.10g s is not within the part from %.10g s to %.10g s",
                      want->seek_s, want->from_s, end_s);
}

int replay_check(const struct replay_state *now, const struct replay_request *want,
                 struct reason *why)
{
    if (!now->active)
        return reason_set(why, -ENOTSUP, "the source replays no recording");
    if (!now->controllable)
        return reason_set(why, -ENOTSUP,
                          "this replay runs as fast as the readers accept, and cannot be "
                          "controlled: start it with realtime");
    const bool seeks = want->seeks != now->seeks, loops = want->loop && !now->loop;
    if (!now->seekable && (seeks || loops))
        return reason_key(why, -ENOTSUP, seeks ? "position" : "loop",
                          "%s: the recording is not a regular file", seeks ? "position" : "loop");
    const int err = check_part(now, want, why);
    return err < 0 || !seeks ? err : check_seek(now, want, why);
}
