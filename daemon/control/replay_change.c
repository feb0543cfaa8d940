/* replay_change.c - reads what a call changes in a replay. */
#include "daemon/control/replay_change.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/base/text.h"

static const struct {
    const char *name;
    bool is_flag;
    enum si_unit unit;
    double min, max; /* 0 is always allowed */
    size_t offset;
    const char *expected;
} fields[] = {
    {"paused", .is_flag = true, .offset = offsetof(struct replay_request, paused),
     .expected = "true or false"},
    {"loop", .is_flag = true, .offset = offsetof(struct replay_request, loop),
     .expected = "true or false"},
    {"speed", .unit = SI_PLAIN, .min = REPLAY_SPEED_MIN, .max = REPLAY_SPEED_MAX,
     .offset = offsetof(struct replay_request, speed),
     .expected = "a number from 0.1 to 16, or 0: as fast as possible"},
    {"position", .unit = SI_SECONDS, .max = 1e9, .offset = offsetof(struct replay_request, seek_s),
     .expected = "a number of seconds from 0 to 1e9"},
    {"from", .unit = SI_SECONDS, .max = 1e9, .offset = offsetof(struct replay_request, from_s),
     .expected = "a number of seconds from 0 to 1e9"},
    {"to", .unit = SI_SECONDS, .max = 1e9, .offset = offsetof(struct replay_request, to_s),
     .expected = "a number of seconds from 0 to 1e9; 0 is the end"},
};
enum { FIELDS = sizeof fields / sizeof fields[0], POSITION = 3 };

static size_t find_field(const char *name)
{
    size_t i = 0;
    while (i < FIELDS && strcmp(fields[i].name, name) != 0)
        i++;
    return i;
}

static bool *flag_of(struct replay_request *r, size_t field)
{
    return (bool *)((char *)r + fields[field].offset);
}

static double *number_of(struct replay_request *r, size_t field)
{
    return (double *)((char *)r + fields[field].offset);
}

static bool in_range(size_t field, double value)
{
    return !(value < 0 || value > 0) || (value >= fields[field].min && value <= fields[field].max);
}

/* The name comes from the client: it is quoted, so that the reason stays one line. */
static int refuse_name(const char *name, struct reason *why)
{
    char excerpt[JSON_EXCERPT];
    json_t *quoted = json_string(name);
    const int err =
        reason_key(why, -EINVAL, name, "%s: expected paused, loop, speed, position, from or to",
                   value_excerpt(quoted, excerpt));
    json_decref(quoted);
    return err;
}

int replay_change_add(struct replay_change *change, const char *name, const char *text,
                      struct reason *why)
{
    const size_t i = find_field(name);
    double number = 0;
    if (i == FIELDS)
        return refuse_name(name, why);
    if (change->fields & 1U << i)
        return reason_key(why, -EINVAL, name, "%s: given twice", name);
    bool on = false;
    if (fields[i].is_flag
            ? flag_parse(text, &on) < 0
            : si_parse_unit(text, fields[i].unit, &number) < 0 || !in_range(i, number))
        return reason_key(why, -EINVAL, name, "%s: expected %s", name, fields[i].expected);
    if (fields[i].is_flag)
        *flag_of(&change->values, i) = on;
    else
        *number_of(&change->values, i) = number;
    change->fields |= 1U << i;
    return 0;
}

void replay_change_apply(const struct replay_change *change, struct replay_request *request)
{
    struct replay_request values = change->values;
    for (size_t i = 0; i < FIELDS; i++) {
        if (!(change->fields & 1U << i))
            continue;
        if (fields[i].is_flag)
            *flag_of(request, i) = *flag_of(&values, i);
        else
            *number_of(request, i) = *number_of(&values, i);
    }
    request->seeks += (change->fields >> POSITION) & 1U;
}
