/* recorder_private.h - the recorder as its own files see it. */
#ifndef FFTD_DAEMON_RECORD_RECORDER_PRIVATE_H
#define FFTD_DAEMON_RECORD_RECORDER_PRIVATE_H

#include "daemon/record/disk/disk_writer.h"
#include "daemon/record/recording.h"

struct reason;

struct recorder {
    struct recorder_config config;
    struct age_clock *clock; /* of the recordings in the folder */
    struct iq_tap *tap;
    struct iq_tap *disk_tap;
    struct disk_ring *disk; /* NULL: none */
    struct disk_writer *disk_writer;
    struct iq_tap *all_tap; /* holds the samples that options->all has not joined yet */
    uv_thread_t keeper;
    bool has_keeper;
    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    struct recording *newest;
    size_t count;
    uint64_t ids;
    struct record_totals forgotten; /* recordings that are not in the list any more */
    uint32_t next_epoch;            /* for options->all: the first one that is not recorded yet */
    struct record_file *files;      /* of the folder */
    size_t file_count;
    bool stop;
};

/* As recorder_start, in an epoch that is held; takes the hold, also on a failure. */
int recorder_start_in(struct recorder *r, struct epoch *e, const struct record_request *q,
                      uint64_t *id, struct reason *why);
/* Where a running recording ends now, if it is stopped. */
uint64_t recorder_end_now(const struct recording *x);
/* recorder_disk.c: the disk ring, if the options have one. */
int recorder_start_disk(struct recorder *r, struct reason *why);
void recorder_sum_disk(struct recorder *r, struct record_totals *out);
/*
 * Whether a time lies before the newest epoch (NULL: there is none), and the disk ring has it: then
 * *piece has the samples of that time, or the first ones after it.
 */
bool recorder_find_past(struct recorder *r, const struct epoch *newest, int64_t time_ns,
                        struct disk_piece *piece, uint64_t *position);
void recorder_stop_disk(struct recorder *r);
void recorder_free_recording(struct recording *x);

#endif
