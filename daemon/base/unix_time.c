/* unix_time.c - calendar arithmetic in UTC, without the time zones of the C library. */
#include "daemon/base/unix_time.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/si.h"

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

static int64_t days_before_year(int year)
{
    const int64_t past = year - 1;
    return past * 365 + past / 4 - past / 100 + past / 400;
}

/* A leap second and a zone can carry a date of the last year, or the first, out of the range. */
static int range_check(int64_t time_ns)
{
    const int64_t first_s = -8520336000, end_s = 9214646400; /* 1700-01-01, 2262-01-01 */
    const bool inside = time_ns >= first_s * 1000000000 && time_ns < end_s * 1000000000;
    return inside ? 0 : -EINVAL;
}

int unix_time_ns(const struct unix_date *d, int64_t *out)
{
    if (d->year < 1700 || d->year > 2261 || d->month < 1 || d->month > 12 || d->day < 1 ||
        d->day > days_in(d->year, d->month))
        return -EINVAL;
    if (d->hour < 0 || d->hour > 23 || d->minute < 0 || d->minute > 59 || d->second < 0 ||
        d->second > 60 || d->nanosecond < 0 || d->nanosecond > 999999999)
        return -EINVAL;
    int64_t days = days_before_year(d->year) - days_before_year(1970) + d->day - 1;
    for (int month = 1; month < d->month; month++)
        days += days_in(d->year, month);
    const int64_t seconds = ((days * 24 + d->hour) * 60 + d->minute) * 60 + d->second;
    *out = seconds * 1000000000 + d->nanosecond;
    return range_check(*out);
}

/* Parses exactly `count` digits and one character of `ends`; "": any. -1: something else. */
static int take_number(const char **text, int count, const char *ends)
{
    int value = 0;
    for (int i = 0; i < count; i++, ++*text) {
        if (**text < '0' || **text > '9')
            return -1;
        value = 10 * value + (**text - '0');
    }
    if (!*ends)
        return value;
    return **text && strchr(ends, *(*text)++) ? value : -1;
}

/* Parses ".163959", ignoring digits after the ninth. -1: no digit. */
static long take_fraction(const char **text)
{
    long value = 0, unit = 100000000;
    const size_t digits = strspn(++*text, "0123456789");
    for (size_t i = 0; i < digits; i++, unit /= 10)
        value += unit * ((*text)[i] - '0');
    *text += digits;
    return digits ? value : -1;
}

/* Parses "Z", "+02:00", "-0330", "+02" or "", which stands for UTC, up to the end of the text. */
static int take_zone(const char *text, int *minutes)
{
    *minutes = 0;
    if (strcmp(text, "") == 0 || strcasecmp(text, "Z") == 0)
        return 0;
    if (*text != '+' && *text != '-')
        return -EINVAL;
    const int sign = *text++ == '-' ? -1 : 1, hours = take_number(&text, 2, "");
    text += *text == ':';
    const int rest = *text ? take_number(&text, 2, "") : 0;
    if (hours < 0 || hours > 23 || rest < 0 || rest > 59 || *text || text[-1] == ':')
        return -EINVAL;
    *minutes = sign * (hours * 60 + rest);
    return 0;
}

int unix_time_parse(const char *text, int64_t *out)
{
    static const struct {
        int digits;
        const char *ends;
    } parts[] = {{4, "-"}, {2, "-"}, {2, "Tt "}, {2, ":"}, {2, ":"}, {2, ""}};
    int values[6], minutes = 0;
    for (int i = 0; i < 6; i++) {
        values[i] = take_number(&text, parts[i].digits, parts[i].ends);
        if (values[i] < 0)
            return -EINVAL;
    }
    const long fraction = *text == '.' || *text == ',' ? take_fraction(&text) : 0;
    if (fraction < 0 || take_zone(text, &minutes) < 0)
        return -EINVAL;
    const struct unix_date date = {.year = values[0],
                                   .month = values[1],
                                   .day = values[2],
                                   .hour = values[3],
                                   .minute = values[4],
                                   .second = values[5],
                                   .nanosecond = fraction};
    const int err = unix_time_ns(&date, out);
    if (err < 0)
        return err;
    *out -= (int64_t)minutes * 60 * 1000000000;
    return range_check(*out);
}

int unix_time_read(const char *text, int64_t *out, bool *is_date)
{
    const double longest_s = 9e9; /* int64_t has nanoseconds of 292 years */
    const bool date = unix_time_parse(text, out) == 0;
    double seconds = 0;
    if (is_date)
        *is_date = date;
    if (date)
        return 0;
    if (si_parse_unit(text, SI_SECONDS, &seconds) < 0 || !(fabs(seconds) <= longest_s))
        return -EINVAL;
    *out = llround(seconds * 1e9);
    return 0;
}

static int64_t bounded(int64_t time_ns)
{
    return time_ns > UNIX_TIME_MOST    ? UNIX_TIME_MOST
           : time_ns < -UNIX_TIME_MOST ? -UNIX_TIME_MOST
                                       : time_ns;
}

int64_t unix_time_sum(int64_t time_ns, int64_t span_ns)
{
    int64_t sum;
    return !__builtin_add_overflow(time_ns, span_ns, &sum) ? sum
           : span_ns < 0                                   ? INT64_MIN
                                                           : INT64_MAX;
}

int64_t unix_time_after(int64_t time_ns, double seconds)
{
    const double ns = isnan(seconds) ? 0 : seconds * 1e9, most = 9.2e18;
    return bounded(unix_time_sum(time_ns, llround(fmax(fmin(ns, most), -most))));
}

double unix_time_seconds(int64_t from_ns, int64_t to_ns)
{
    int64_t ns;
    if (__builtin_sub_overflow(to_ns, from_ns, &ns))
        return ((double)to_ns - (double)from_ns) * 1e-9;
    return (double)ns * 1e-9;
}

struct unix_stamp unix_time_stamp(int64_t time_ns)
{
    const int64_t us = time_ns / 1000 - (time_ns % 1000 < 0);
    int64_t rest = us % 1000000;
    rest += rest < 0 ? 1000000 : 0;
    const time_t seconds = (time_t)((us - rest) / 1000000);
    struct unix_stamp s = {.microseconds = (int)rest};
    gmtime_r(&seconds, &s.tm);
    return s;
}

const char *unix_time_text(int64_t time_ns, const char *format, char into[UNIX_TIME_TEXT])
{
    const struct unix_stamp s = unix_time_stamp(time_ns);
    const size_t length = strftime(into, UNIX_TIME_TEXT, format, &s.tm);
    snprintf(into + length, UNIX_TIME_TEXT - length, ".%06d", s.microseconds);
    return into;
}

const char *unix_time_iso(int64_t time_ns, char into[UNIX_TIME_TEXT])
{
    char time[UNIX_TIME_TEXT];
    snprintf(into, UNIX_TIME_TEXT, "%.62sZ", unix_time_text(time_ns, "%Y-%m-%dT%H:%M:%S", time));
    return into;
}
