/*
 * recorder.h - records ranges of the IQ ring, or a band of them, as SigMF pairs, each on a thread
 * of its own.
 *
 * A recording is a range of positions of one epoch, [from, to). `from` may lie in the past: what
 * the ring still has is recorded, the rest is counted as missing. `to` may lie in the future, or be
 * RECORD_OPEN: then recorder_stop, a limit or the end of the epoch ends it. RECORDINGS_AT_ONCE may
 * run at once and may overlap. Their threads have a low priority, so that the analysis loses no
 * sample while the processors are busy.
 *
 * In real time a recording never delays the writer. Samples that the ring overwrites before they
 * are read are missing in the file: they are counted, and a capture with its own sample number
 * follows them. The disk may therefore stall for as long as the ring lasts: one second of samples,
 * unless --ring-size sets more. In a lossless replay the writer waits for recordings, and nothing
 * is missing.
 *
 * With a disk ring (disk_ring.h), a recording may start at any sample in it, also before the newest
 * epoch and in an earlier run of fftd.
 *
 * Files of DIR, of one recording:
 *
 *     NAME.sigmf-data   the samples as the stream delivered them
 *     NAME.sigmf-part   while it runs: a journal, from which record_repair makes the metadata
 *     NAME.sigmf-meta   from its end on, in place of the journal
 *
 * Any thread may call any function, except where a comment names the thread. None of them waits for
 * the disk, except create, finish, destroy and open_file.
 */
#ifndef FFTD_DAEMON_RECORD_RECORDER_RECORDER_H
#define FFTD_DAEMON_RECORD_RECORDER_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/figure/figure.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_options.h"
#include "daemon/record/record_request.h"
#include "daemon/stream/epoch/iq_tap.h"

struct reason;
struct active_calibration;
struct recorder;

struct recorder_config {
    const struct record_options *options;          /* outlive the recorder */
    bool lossless;                                 /* replay: the writer waits */
    struct active_calibration *active_calibration; /* (optional) outlives the recorder */
    /*
     * (optional) Any thread of the recorder, with no lock held: a recording started, changed its
     * annotations or ended.
     */
    void (*changed)(void *user);
    void *user;
};

/*
 * Repairs recordings that a crash interrupted, applies the limits, and starts. -errno with one line
 * in *why: the folder cannot be used.
 */
int recorder_create(struct recorder **out, const struct recorder_config *config,
                    struct reason *why);
/*
 * Ends all recordings with the samples in the ring, and waits for their files. No call but
 * recorder_list, recorder_find and recorder_destroy may follow. False: one ended before its time.
 * NULL is fine.
 */
bool recorder_finish(struct recorder *r);
/* Finishes first. After the dsp thread has ended, which uses the tap. NULL is fine. */
void recorder_destroy(struct recorder *r);

/* The tap through which the dsp thread announces epochs. The recorder owns it. */
struct iq_tap *recorder_tap(struct recorder *r);

/*
 * Starts a recording. 0 and *id; or, with one line in reason: -ENOENT: no such epoch; -EINVAL: the
 * range is empty, or the stream lacks the band at its start, or its time is not known; -ENOSPC:
 * less than the minimum is free on the disk; -EMFILE: RECORDINGS_AT_ONCE run; -ENOMEM, -EAGAIN.
 */
int recorder_start(struct recorder *r, const struct record_request *request, uint64_t *id,
                   struct reason *why);
/* Moves the end of a running recording. Before the newest sample: there it ends. -ENOENT. */
int recorder_set_end(struct recorder *r, uint64_t id, uint64_t to);
/* Ends a recording at the newest sample. -ENOENT: none such runs. */
int recorder_stop(struct recorder *r, uint64_t id);
/*
 * Of a recording of an event that another part writes: whether record-events-max allows this many
 * bytes more at this Unix time. first: they begin it. 0, or -EDQUOT, which is counted and logged.
 */
int recorder_allow(struct recorder *r, int64_t time_ns, uint64_t bytes, bool first);
/* Adds an annotation to a running recording. -ENOENT, -ENOMEM. */
int recorder_annotate(struct recorder *r, uint64_t id, const struct record_annotation *a);

/*
 * In a lossless replay: samples of this epoch from `position` on stay in the ring until the next
 * call moves the position forward, so that a recording can start in the past. Keeping more than the
 * ring has stops the replay: call it for every line. In real time it does nothing.
 */
void recorder_keep(struct recorder *r, uint32_t epoch, uint64_t position);

/* Copies at most `most` recordings of this run, newest first; returns how many there are. */
size_t recorder_list(struct recorder *r, struct record_info *out, size_t most);
/*
 * The recordings in the folder, oldest first, as they were at most a second ago. The caller frees
 * them. NULL: none, or no memory.
 */
struct record_file *recorder_files(struct recorder *r, size_t *count);
/*
 * Opens a file of a complete recording for reading, as "NAME.sigmf-data". Waits for the disk.
 * Returns the file descriptor and its size, -ENOENT: there is none, -EBUSY: the recording has not
 * ended, or another -errno.
 */
int recorder_open_file(const struct recorder *r, const char *file, uint64_t *bytes);
void recorder_sum(struct recorder *r, struct record_totals *out); /* NULL: off */
/* Of struct record_totals: the metrics of recordings; the JSON and the metrics of the disk ring. */
extern const struct figure record_figures[], disk_figures[];
/* False: none. */
bool recorder_find(struct recorder *r, uint64_t id, struct record_info *out);

#endif
