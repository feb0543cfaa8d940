/* recording.h - one recording: its thread and the data that the recorder shares with it. */
#ifndef FFTD_DAEMON_RECORD_RECORDER_RECORDING_H
#define FFTD_DAEMON_RECORD_RECORDER_RECORDING_H

#include <uv.h>

#include "daemon/record/disk/disk_ring.h"
#include "daemon/record/record_options.h"
#include "daemon/record/record_request.h"
#include "daemon/stream/epoch/iq_feed.h"

struct age_clock;
struct event_allowance;
struct active_calibration;
struct reason;

struct recording {
    struct recording *next; /* an older one */
    uv_thread_t thread;
    bool joined; /* the recorder's: the thread was joined */

    /* immutable, except that the thread uses the feed */
    const struct record_options *options;
    struct age_clock *clock;                       /* the recorder's */
    struct active_calibration *active_calibration; /* NULL: levels are dBFS */
    void (*changed)(void *user);
    void *user;
    bool lossless;
    struct stream stream;
    struct epoch *epoch;    /* held until the thread ends; NULL: a past one, in the disk ring */
    struct iq_feed feed;    /* of the epoch */
    struct disk_ring *disk; /* NULL: none */
    uint64_t run;           /* the epoch's, in the disk ring */
    uint64_t from;          /* as requested */
    uint64_t context;       /* samples before and after, which the filters of a band need */
    struct record_band band;

    uv_mutex_t *lock; /* the recorder's */
    /* under lock */
    struct event_allowance *allowance; /* the recorder's, of the recording of an event; or NULL */
    struct record_info info;           /* info.to is where it ends */
    struct record_annotation *annotations;
    size_t annotation_count, annotations_written;
    bool ended;
};

/*
 * Sets which samples a request means, and what they are, of a recording that has what its owner
 * shares. The newest samples are those of x->epoch (NULL: there are none); of a request whose time
 * is in the disk ring alone, it drops the epoch. -EINVAL, -ENOENT with one line in *why; -ENOMEM.
 */
int recording_begin(struct recording *x, const struct record_request *q, struct reason *why);
/* The thread's function; `arg` is the recording. */
void recording_run(void *arg);
/* With the lock held: where a running recording ends now, if it is stopped. */
uint64_t recording_end_now(const struct recording *x);
void recording_free(struct recording *x); /* its thread has ended, or never started */

#endif
