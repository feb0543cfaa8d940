/* unix_time.h - converts UTC dates to nanoseconds since 1970 and back. Pure, any thread. */
#ifndef FFTD_DAEMON_BASE_UNIX_TIME_H
#define FFTD_DAEMON_BASE_UNIX_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct unix_date {
    int year, month, day;     /* month and day from 1 */
    int hour, minute, second; /* second 60 is a leap second */
    long nanosecond;
};

/* 0, or -EINVAL: no such date, or outside the years 1700 .. 2261 that 64 bits of ns hold. */
int unix_time_ns(const struct unix_date *date, int64_t *out);
/*
 * ISO 8601 as in SigMF, 2021-06-18T23:17:51[.163959]Z, and as programs write it into SigMF: with an
 * offset (+02:00, -0330, +02) or without a zone, which means UTC; with a blank or t instead of T;
 * with a decimal comma. 0, or -EINVAL.
 */
int unix_time_parse(const char *text, int64_t *out);

/*
 * What people may give as a time: such a date, or seconds since 1970, which may have a unit
 * ("-1h"). *is_date may be NULL. 0, or -EINVAL.
 */
int unix_time_read(const char *text, int64_t *out, bool *is_date);

/*
 * Sums of times from outside: of files, requests and messages. The first one ends at INT64_MIN and
 * INT64_MAX, which often stand for "open". The others end at UNIX_TIME_MOST, which is
 * in the year 2258, or before 1970 by as much: adding a few years to one does not overflow either.
 */
#define UNIX_TIME_MOST INT64_C(9100000000000000000)
int64_t unix_time_sum(int64_t time_ns, int64_t span_ns);
int64_t unix_time_after(int64_t time_ns, double seconds); /* NAN is 0 */
double unix_time_seconds(int64_t from_ns, int64_t to_ns); /* to_ns - from_ns */

struct unix_stamp {
    struct tm tm;
    int microseconds; /* 0 .. 999999 */
};

/* Rounds down, also before 1970. */
struct unix_stamp unix_time_stamp(int64_t time_ns);

/* strftime's text for `format`, then "." and six digits of microseconds. Returns `into`. */
enum { UNIX_TIME_TEXT = 64 };
const char *unix_time_text(int64_t time_ns, const char *format, char into[UNIX_TIME_TEXT]);
/* "2026-11-21T10:15:00.250000Z" */
const char *unix_time_iso(int64_t time_ns, char into[UNIX_TIME_TEXT]);

#endif
