/*
 * playback.h - the rows of an archive in order of time, each once. One thread; blocks on the disk.
 *
 * Of tiers that have the same time, the finest is read: so the newest rows are short, and rows from
 * before a tier's age come from the next coarser one. Several runs of fftd that wrote rows of the
 * same time follow one another: there, time goes back.
 */
#ifndef FFTD_DAEMON_ARCHIVE_READ_PLAYBACK_H
#define FFTD_DAEMON_ARCHIVE_READ_PLAYBACK_H

#include <stddef.h>

#include "daemon/archive/store/archive_find.h"

struct reason;
struct playback;

/*
 * text: as --replay-spectra gives it, "DIR,from=-1d,to=-1h,resolution=1s", with all keys optional:
 * two times, and the duration of the shortest rows. -errno with one line in *why.
 */
int playback_open(struct playback **out, const char *text, struct reason *why);
void playback_close(struct playback *p); /* NULL is fine */

/* From the start of its first row to the end of its last one. Both are fixed when it is opened. */
struct archive_interval playback_interval(const struct playback *p);
/* The next row is the first one that begins at this time or after it; of several runs, that of the
 * first run that has one. */
void playback_seek(struct playback *p, int64_t time_ns);
/* From the next one on, rows that begin outside of [from_ns, to_ns) are left out. */
void playback_limit(struct playback *p, struct archive_interval limit);

/* A row, and the facts that all rows of its block share; valid until the next call. */
struct playback_row {
    const struct archive_row *row;
    const struct archive_layout *layout;
    const char *facts;
    uint64_t period_ns;
};
/* 0, -ENODATA: there is no further row; -EIO, -ENOMEM. */
int playback_next(struct playback *p, struct playback_row *out);
/* The levels of the row that playback_next returned: once. -EBADMSG: its block is damaged. */
int playback_levels(struct playback *p, const struct block_levels *out);

#endif
