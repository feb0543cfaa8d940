/* file_source.h - data that all parts of the file source share. Only the source thread uses it. */
#ifndef FFTD_DAEMON_SOURCE_FILE_FILE_SOURCE_H
#define FFTD_DAEMON_SOURCE_FILE_FILE_SOURCE_H

#include "daemon/format/recording/sigmf_meta.h"
#include "daemon/source/file/half_band.h"
#include "daemon/source/file/recording_source.h"
#include "daemon/source/pacer.h"

enum { FILE_BLOCK = 4096 }; /* samples that are converted at once */

struct file {
    struct recording recording;
    struct pacer pacer;
    size_t segment; /* the one being read */
    uint64_t left;  /* samples left in it; RECORDING_TO_END: until the pipe ends */
    uint64_t total; /* samples so far, through all loops */
    /* Bytes of the pipe before the next read: an incomplete sample, or a few to look at. */
    uint8_t partial[RECORDING_NEXT_MAX + SIGMF_CHANNELS_MAX * IQ_SAMPLE_BYTES_MAX];
    size_t partial_bytes;
    uint8_t *bytes;         /* [FILE_BLOCK] samples of all channels; NULL: read as they are */
    struct half_band *real; /* of real samples, else NULL */
};

/*
 * transport.c: where in the recording the source is, and the requests of control. start: goes to
 * the first sample of the part, or refuses it with one line in s->error. next_segment: after the
 * last sample of one that has a next one. end: starts the part again, or -ENODATA; -ETIMEDOUT: it
 * stays at its end until control goes on.
 */
int file_start_replay(struct source *s);
void file_next_segment(struct source *s);
int file_end_part(struct source *s);
void file_control_replay(struct source *s, const struct replay_request *want);
/* Of the newest anchor. Without a known time, the time of a sample is its position. */
int64_t file_anchor_time(const struct source *s);

#endif
