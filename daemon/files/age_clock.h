/*
 * age_clock.h - the time from which the ages of stored things count. A clock of the computer that
 * is wrong deletes nothing.
 *
 * Unix time is believed as it is only while the system says that it is synchronised: adjtimex
 * without STA_UNSYNC, or systemd's /run/systemd/timesync/synchronized of this boot, either with a
 * time of its own that agrees. Otherwise ages count from the earlier one of
 *
 *     Unix time, unless it is from before 2026, which no right clock says
 *     the newest that is known from earlier runs, plus the time that this process has run
 *
 * The newest that is known is in the file AGE_CLOCK_FILE of the folder: the time from which ages
 * counted last, and Unix time then. The latter is believed if it is ahead by at most
 * AGE_CLOCK_GAP_NS: for so long a computer may have been off. A longer gap does not count, so
 * things are deleted later than they might be. Without a file it is the newest thing that is
 * stored, and without one Unix time at the start.
 *
 * What is stored carries the time of age_clock_stamp_ns: Unix time, unless it goes back or is far
 * ahead; then the latter of the two above. So nothing seems to be older than it is. The first time
 * that Unix time jumps, or is not credible, is logged.
 */
#ifndef FFTD_DAEMON_FILES_AGE_CLOCK_H
#define FFTD_DAEMON_FILES_AGE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define AGE_CLOCK_FILE   ".fftd-clock"
#define AGE_CLOCK_GAP_NS (INT64_C(31) * 86400 * 1000000000)
/* 2026-01-01: a computer whose battery is empty starts before it */
#define AGE_CLOCK_FIRST_NS (INT64_C(1767225600) * 1000000000)

struct age_clock;

/* The clocks that it reads. Tests have their own. */
struct age_clock_source {
    int64_t (*unix_ns)(void);
    int64_t (*running_ns)(void);           /* CLOCK_BOOTTIME: goes on while the computer sleeps */
    bool (*synchronised)(int64_t unix_ns); /* the system says so, and means this time */
};
extern const struct age_clock_source age_clock_system;

/*
 * folder: of the things, for the file; it must exist when times are asked for. newest_ns: of the
 * newest thing in it, INT64_MIN if there is none or it is not known. Reads the file. -ENOMEM.
 */
int age_clock_create(struct age_clock **out, const char *folder, int64_t newest_ns,
                     const struct age_clock_source *source);
void age_clock_destroy(struct age_clock *c); /* renews the file; NULL is fine */

/* Any thread. Both may wait for the disk: the file is renewed every ten minutes. */
int64_t age_clock_now_ns(struct age_clock *c);   /* ages count from it */
int64_t age_clock_stamp_ns(struct age_clock *c); /* for data stored now */

#endif
