/*
 * channel_pipeline.h - an epoch's samples, from the IQ ring through the bank to the outputs of
 * channels. For the thread of channels.c, which shares its channels with it.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_PIPELINE_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_PIPELINE_H

#include <uv.h>

#include "daemon/channel/channel_bank.h"
#include "daemon/channel/channel_info.h"
#include "daemon/channel/channel_output.h"
#include "daemon/channel/channel_past.h"
#include "daemon/channel/channel_resampler.h"
#include "daemon/channel/channel_squelch.h"
#include "daemon/stream/epoch/epoch.h"
#include "daemon/stream/epoch/iq_feed.h"

struct channels;

struct channel {
    struct channels *owner;
    struct channel_output *output;

    /* under the lock of the channels */
    struct channel *next; /* a newer one */
    struct channel_info info;
    bool closed;      /* by its user, or all are: the thread ends it */
    bool released;    /* by its user: the thread frees it */
    bool removed;     /* then: it is in no pipeline any more */
    unsigned readers; /* of a named one, which is not freed before they leave */

    /* the thread's */
    struct channel *active; /* the next one that it serves */
    struct channel_filter filter;
    struct channel_shape shape;
    struct channel_squelch squelch;
    double level_dbfs, noise_dbfs; /* of the newest block; NAN: not known */
    bool squelch_open;             /* in it */
    struct channel_past *past;     /* of an armed one, in this pipeline; NULL: it is not armed */
    uint64_t past_bytes;
    uint64_t transmission;               /* the newest one; 0: none yet */
    bool transmits;                      /* it goes on */
    struct channel_transmission facts;   /* of this one, of a named channel */
    uint64_t delivered;                  /* samples */
    struct channel_resampler *resampler; /* NULL: its rate needs none */
    bool tried;                          /* it was added to this pipeline, or refused */
    bool ended;                          /* its output is closed: no stream follows */
    bool resampling;                     /* the resampler has begun in this segment */
    uint64_t made;                       /* outputs of the resampler in this segment */
    double center_hz;                    /* that it is tuned to */
    bool moved;                          /* to elsewhere, before the next block */
};

/* Of an epoch. */
struct channel_pipeline {
    struct epoch *epoch; /* a reference */
    struct channel_grid grid;
    struct channel_bank *bank;
    struct iq_feed feed;
    unsigned char *buffer;   /* [grid.n] samples as they are */
    uint64_t start, number;  /* of the segment: position and sample number of its first sample */
    double stream_center_hz; /* in the segment */
    bool begun;              /* a segment is going on */
    bool fresh;              /* no sample of it was read yet */
    bool resumes;            /* no segment is in progress, but an earlier one was */
    bool ends;               /* nobody else reads the stream: it is read up to `end` */
    uint64_t end;
    uint64_t missed;           /* samples that were overwritten, since the start of the pipeline */
    uint64_t transformed;      /* blocks of channels, likewise */
    void (*ready)(void *user); /* (optional) channels have new blocks */
    bool delivered;            /* some have blocks for which `ready` was not called yet */
    /* (optional) a transmission of a named channel has begun, or ended */
    void (*transmission)(void *user, struct channel_transmission *t);
    void *user;
    uint64_t *version; /* under the lock of the channels: grows when one changes its state */
    uint64_t past_bytes, past_most; /* of all channels; that they may take */
};

/*
 * lossless: the ring waits. past_most: bytes that armed channels may keep. Takes over the
 * reference, also on failure.
 */
int channel_pipeline_init(struct channel_pipeline *p, struct epoch *e, bool lossless,
                          uint64_t past_most, struct reason *why);
void channel_pipeline_finish(struct channel_pipeline *p);
/* Adds a channel that was not tried. Refusals are in its info. */
void channel_pipeline_add(struct channel_pipeline *p, struct channel *x, uv_mutex_t *lock);
void channel_pipeline_remove(struct channel_pipeline *p, struct channel *x);
/*
 * Reads the samples for one block, waiting at most timeout_ms. Returns true at the end of the
 * epoch. first: list of the channels to serve. ends: the analysis has ended; only samples already
 * in the ring follow.
 */
bool channel_pipeline_step(struct channel_pipeline *p, struct channel *first, bool ends,
                           uv_mutex_t *lock, int timeout_ms);

#endif
