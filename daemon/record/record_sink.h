/*
 * record_sink.h - writes samples of a stream, or of a band of it, into SigMF pairs.
 *
 * The caller passes the marks and the samples between them. Each mark begins a capture. A mark
 * after which samples are missing also starts the filters of a band anew. The first sample written
 * is that of position `from`, the last one is before `limit`: samples of up to `reach` positions
 * before and after are the context that the filters of a band need. One thread; functions wait for
 * the disk.
 */
#ifndef FFTD_DAEMON_RECORD_RECORD_SINK_H
#define FFTD_DAEMON_RECORD_RECORD_SINK_H

#include "daemon/record/record_box.h"
#include "daemon/record/record_meta.h"
#include "daemon/record/record_options.h"
#include "daemon/record/record_pair.h"

struct reason;

struct record_sink_config {
    const struct record_options *options; /* outlive the sink, like stream and label */
    const struct stream *stream;
    const char *label;
    struct record_band band; /* not set: samples as they are */
    unsigned workers;        /* that cut the band, as in ddc.h */
    uint64_t from;
    struct active_calibration *active_calibration; /* NULL: levels are dBFS */
};

struct record_sink {
    struct record_sink_config config;
    uint64_t limit; /* set by the caller, also later */
    uint64_t reach;
    uint32_t factor, sample_bytes;
    struct record_box *box;
    struct record_pair pair;  /* a name: it is open */
    struct iq_mark mark;      /* of the segment */
    bool capture_pending;     /* a capture starts at `capture_at` */
    uint64_t capture_at;      /* position */
    bool outside;             /* the segment lacks the band */
    struct record_moment at;  /* of the newest capture */
    bool started;             /* `at` is valid */
    uint64_t missing_pending; /* before the next capture */
    uint64_t position, next;  /* of the next sample taken, and of the next one written */
    /* of all pairs */
    int64_t start_ns;
    double center_hz; /* of the first sample */
    uint64_t samples, missing, lost[LOSS_CAUSES];
};

/* -EINVAL, -ENOMEM. Finish also after a failure. */
int record_sink_init(struct record_sink *s, const struct record_sink_config *config);
void record_sink_finish(struct record_sink *s);

/*
 * The next sample has this position. mark: what is known there. anew: samples are missing before
 * it, or it is the first.
 */
int record_sink_mark(struct record_sink *s, const struct iq_mark *mark, uint64_t position,
                     bool anew);
/* Positions [from, to) are not to be had. */
void record_sink_miss(struct record_sink *s, uint64_t from, uint64_t to);
/* raw: changed if it has invalid samples. */
int record_sink_write(struct record_sink *s, void *raw, uint64_t count);
/*
 * Of a band: takes up to DDC_BLOCK samples that its workers read, at positions from that of the
 * next sample on. *taken: fewer than `count` if the reader has fewer.
 */
int record_sink_pull(struct record_sink *s, const struct ddc_reader *reader, size_t count,
                     size_t *taken);
/* The segment has ended: completes everything that depends on its samples. */
int record_sink_end_segment(struct record_sink *s);
/* Ends the pair, if there is one; more samples begin the next. */
int record_sink_end_pair(struct record_sink *s, const char *end, struct reason *why);

#endif
