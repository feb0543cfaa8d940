/*
 * record_limits.h - the folder of recordings: its contents, and their deletion by its limits. Any
 * thread; all functions wait for the disk.
 */
#ifndef FFTD_DAEMON_RECORD_RECORD_LIMITS_H
#define FFTD_DAEMON_RECORD_RECORD_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/record/record_name.h"
#include "daemon/record/record_options.h"

struct reason;

struct record_file {
    char name[RECORD_NAME]; /* without suffix */
    bool complete;          /* it has metadata; false: it runs, or a crash ended it */
    bool orphan;            /* neither metadata nor a journal: not known to be a recording */
    uint64_t bytes;         /* of samples and metadata */
    uint64_t disk_bytes;    /* of these, without holes: what its deletion would free */
    int64_t end_s;          /* Unix time of its last change */
};

/* Makes the folder if it is not there. -errno with one line in *why: it cannot be used. */
int record_prepare_folder(const char *folder, struct reason *why);
/* The same without making it: whether prepare would succeed. */
int record_check_folder(const char *folder, struct reason *why);
/*
 * Completes the deletion of recordings that was interrupted: see record_delete. Done before
 * the folder is used.
 */
void record_finish_deletions(const char *folder);
/*
 * Renames the metadata to NAME.sigmf-gone, deletes the samples, then that file. Wherever a kill
 * interrupts it, record_finish_deletions() finishes it. -errno.
 */
int record_delete(const char *folder, const char *name);
/* All recordings of the folder, the oldest first. The caller frees *out. -errno. */
int record_list_files(const char *folder, struct record_file **out, size_t *count);
/* Of the last change of a recording's files. */
void record_set_time(const char *folder, const char *name, int64_t time_ns);
/* Unix time of the newest change of a recording; INT64_MIN: none. */
int64_t record_newest_ns(const char *folder);
/*
 * Deletes the oldest complete recordings until the rest meets max_bytes, and those older than
 * max_age_s, as the log says. now_ns is that of an age clock: files of a time before 2026, or more
 * than AGE_CLOCK_GAP_NS after it, were written while the clock of the computer was wrong, and get
 * this time. So the order is that of writing. Orphans are not counted, and stay: the limits would
 * delete good recordings in their place. Returns the bytes on the disk of the remaining recordings,
 * running ones included.
 */
uint64_t record_apply_limits(const struct record_options *o, int64_t now_ns);
/*
 * Opens a file of a complete recording, as recorder_open_file. No name leads out of the folder, and
 * no link is followed.
 */
int record_open(const char *folder, const char *file, uint64_t *bytes);
/* Bytes that the disk of the folder has free for us; UINT64_MAX: not known. */
uint64_t record_free_bytes(const char *folder);

#endif
