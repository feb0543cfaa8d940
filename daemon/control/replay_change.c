/* replay_change.c - the keys of a replay that a call changes. */
#include "daemon/control/replay_change.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/option/rows.h"

static int check_speed(const char *text)
{
    double speed;
    if (si_parse_unit(text, SI_PLAIN, &speed) < 0)
        return -EINVAL;
    const bool full = fpclassify(speed) == FP_ZERO;
    return full || (speed >= REPLAY_SPEED_MIN && speed <= REPLAY_SPEED_MAX) ? 0 : -EINVAL;
}

#define OPTION_OF struct replay_request
/* An empty text is no time. */
#define SECONDS(member) NUMBER(member, "0"), .unit = SI_SECONDS, RANGE(0, 1e9), .missing = NAN

const struct config_option replay_keys[] = {
    {"replay", "paused", FLAG(paused), .help = "Whether the replay is paused"},
    {"replay", "loop", FLAG(loop), .help = "Whether the part starts again after its end"},
    {"replay", "speed", NUMBER(speed, "1"), .unit = SI_PLAIN, .missing = NAN, .check = check_speed,
     .expected = "a number from 0.1 to 16, or 0: as fast as possible",
     .help = "Speed of the replay; 1 is that of the recording"},
    {"replay", "position", SECONDS(seek_s),
     .help = "Where the replay continues, from the start of the recording"},
    {"replay", "from", SECONDS(from_s), .help = "Start of the part that is replayed"},
    {"replay", "to", SECONDS(to_s), .help = "End of that part; 0 is the end of the recording"},
    {0},
};

void replay_change_apply(const struct replay_change *change, struct replay_request *request)
{
    for (size_t i = 0; replay_keys[i].key; i++) {
        const struct config_option *o = &replay_keys[i];
        if (!(change->fields & 1U << i))
            continue;
        memcpy((char *)request + o->offset, (const char *)&change->values + o->offset, o->size);
        request->seeks += o->offset == offsetof(struct replay_request, seek_s);
    }
}
