/* calendar_condition.c - the condition "calendar": the samples are of a time of day. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/option/option.h"
#include "daemon/trigger/condition/condition.h"

enum { CALENDAR_TEXT = 16, DAY_S = 86400 };

struct calendar {
    char text[CALENDAR_TEXT]; /* "HH:MM" or "HH:MM:SS", UTC */
    double duration_s, every_s;
    int64_t offset_ns, duration_ns, every_ns;
};

/* A number of two digits that is at most `most`, or -EINVAL. */
static int two_digits(const char *at, int most)
{
    if (at[0] < '0' || at[0] > '9' || at[1] < '0' || at[1] > '9')
        return -EINVAL;
    const int number = 10 * (at[0] - '0') + at[1] - '0';
    return number <= most ? number : -EINVAL;
}

/* Seconds since midnight; < 0: the text is no time of day. */
static int parse(const char *text)
{
    const size_t length = strlen(text);
    const bool has_seconds = length == 8;
    if ((length != 5 && !has_seconds) || text[2] != ':' || (has_seconds && text[5] != ':'))
        return -EINVAL;
    const int hour = two_digits(text, 23), minute = two_digits(text + 3, 59);
    const int second = has_seconds ? two_digits(text + 6, 59) : 0;
    return hour < 0 || minute < 0 || second < 0 ? -EINVAL : hour * 3600 + minute * 60 + second;
}

static int check_text(const char *text)
{
    return !*text || parse(text) >= 0 ? 0 : -EINVAL;
}

static const struct config_option options[] = {
    {"calendar", "calendar", .kind = OPTION_LABEL, OPTION_FIELD(struct calendar, text),
     .fallback = "", .metavar = "HH:MM[:SS]",
     .expected = "a time of day in UTC as in 06:30 or 23:59:30", .check = check_text,
     .help = "The time of day, in UTC, at which the condition begins"},
    {"calendar", "duration", .kind = OPTION_NUMBER, OPTION_FIELD(struct calendar, duration_s),
     .fallback = "1 min", .metavar = "SECONDS", .unit = SI_SECONDS, .min = 0.001, .max = DAY_S,
     .help = "How long it lasts"},
    {"calendar", "every", .kind = OPTION_NUMBER, OPTION_FIELD(struct calendar, every_s),
     .fallback = "24 h", .metavar = "SECONDS", .unit = SI_SECONDS, .min = 1, .max = DAY_S,
     .help = "From one beginning to the next, as 1h or 15min; it divides a day"},
};

static int check(const void *state, struct reason *why)
{
    const struct calendar *s = state;
    const double times = DAY_S / s->every_s;
    if (!s->text[0])
        return reason_key(why, -EINVAL, "calendar",
                          "calendar: is missing: a time of day in UTC as in 06:30");
    if (fabs(times - round(times)) > 1e-9)
        return reason_key(why, -EINVAL, "every", "every: %g s do not divide a day", s->every_s);
    if (!(s->duration_s < s->every_s))
        return reason_key(why, -EINVAL, "duration",
                          "duration: expected less than every, which is %g s", s->every_s);
    return 0;
}

static int prepare(void *state, const struct line *line, struct reason *why)
{
    struct calendar *s = state;
    (void)line;
    (void)why;
    s->offset_ns = parse(s->text) * 1000000000LL;
    s->duration_ns = llround(s->duration_s * 1e9);
    s->every_ns = llround(s->every_s * 1e9);
    return 0;
}

/* Nanoseconds since the last beginning; also before 1970. */
static int64_t since_beginning(const struct calendar *s, int64_t time_ns)
{
    const int64_t since = (time_ns - s->offset_ns) % s->every_ns;
    return since < 0 ? since + s->every_ns : since;
}

/* A frame is of the time of its first sample. */
static uint64_t decide(const void *state, const struct line *line, uint64_t first, bool *met,
                       struct condition_hit *hit)
{
    const struct calendar *s = state;
    const double frame_ns = line->hop * 1e9 / line_sample_rate_hz(line);
    const int64_t time_ns = unix_time_after(line->time_ns, (double)first * frame_ns * 1e-9);
    const int64_t since = since_beginning(s, time_ns);
    *met = since < s->duration_ns;
    if (*met && hit)
        *hit = (struct condition_hit){.last = line->n - 1, .peak = NAN};
    const int64_t left = (*met ? s->duration_ns : s->every_ns) - since;
    const double frames = ceil((double)left / frame_ns);
    const uint64_t rest = line->frames - first;
    return frames < (double)rest ? (uint64_t)fmax(frames, 1) : rest;
}

const struct condition_ops condition_calendar = {
    .name = "calendar",
    .about = "The time of day of the samples",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct calendar),
    .check = check,
    .prepare = prepare,
    .decide = decide,
};
