/*
 * dsp.h - the state and the steps of the dsp thread. Internal to the room; the dsp thread only.
 *
 * Work in flight is a short queue of steps. The engine finishes batches in its own time. Line ends
 * and segment ends wait in the queue for the batches before them, so that all effects follow the
 * order of the samples.
 */
#ifndef FFTD_DAEMON_DSP_DSP_H
#define FFTD_DAEMON_DSP_DSP_H

#include "daemon/dsp/dsp_thread.h"
#include "daemon/dsp/engine_runner.h"
#include "daemon/line/line_ring.h"
#include "daemon/stream/epoch.h"

enum { DSP_STEPS = 32 };

enum step_kind { STEP_BATCH, STEP_LINE_END, STEP_SEGMENT_END };

struct step {
    enum step_kind kind;
    bool must;                   /* line end: the frames cannot be folded into the next line */
    uint64_t end;                /* segment end: position after its last sample */
    uint64_t fresh_at;           /* batch: position of its first sample that no batch before had */
    struct fft_iq_levels levels; /* batch: of these samples */
    bool has_mark;               /* segment end: `mark` starts the next one */
    struct iq_mark mark;
};

struct dsp {
    const struct dsp_thread_config *config;
    const atomic_bool *stop;
    _Atomic uint64_t *beat_ns;
    struct engine_runner runner;

    struct epoch *epoch; /* NULL: between two epochs */
    struct settings requested;
    struct settings active; /* the settings of the active plan */
    char refused[224];      /* why active differs from requested; "": it does not */
    uint64_t request_version;
    bool replan;            /* the request changed: make a new plan when nothing is in flight */
    double seconds_before;  /* of samples in earlier epochs */
    uint64_t stop_position; /* UINT64_MAX: none */
    bool closing;           /* the last segment end of the epoch is in the queue */
    bool over;              /* a limit is reached or a step failed: no more steps */

    /* cutting: ahead of the finished steps */
    uint64_t next_frame;  /* position */
    uint64_t checked;     /* position after the last sample that fft_iq_check has seen */
    uint64_t frames_left; /* in the line being cut */
    struct step steps[DSP_STEPS];
    uint64_t steps_in, steps_out;

    /* finished: what the lines report */
    uint64_t covered;       /* position after the last sample that was in a frame */
    uint64_t number_offset; /* stream sample number - position */
    struct tuning tuning;
    double gain_db;
    int64_t clock_ns; /* Unix time of sample number clock_number */
    uint64_t clock_number;
    bool gap;               /* a mark follows the last line */
    bool line_open;         /* the fold holds frames; the next four are valid */
    uint64_t line_first;    /* number of the first frame's first sample */
    uint64_t line_position; /* of that sample in the ring; UINT64_MAX: a loss is within the line */
    uint64_t line_end;      /* number after the last frame's last sample */
    int64_t line_time_ns;   /* of line_first */
    struct ledger ledger;   /* produced is seen + lost: pending samples are not in it */
    struct ledger base;     /* the ledger at the start of this epoch */
    int error;
    const char *failed; /* what failed, with an error */
};

void dsp_init(struct dsp *d, const struct dsp_thread_config *config, const atomic_bool *stop,
              _Atomic uint64_t *beat_ns);
void dsp_finish(struct dsp *d);

/* Does one step; waits at most about 100 ms. False: the work is finished. */
bool dsp_step(struct dsp *d);

/* For a stop: publishes the open line and counts the samples that will not be analysed. */
void dsp_abort(struct dsp *d);

/*
 * replan.c: makes a plan for the request and activates it; nothing may be in flight. The frame grid
 * restarts at the next frame. Without memory for the plan, the active one stays, `refused` says so,
 * and no sample is lost. new_stream: the active plan was made for another stream. -errno: there is
 * no plan.
 */
int dsp_apply_request(struct dsp *d, bool new_stream);
/* Reads a new request and sets `replan`, unless the ring of this epoch is too small for it. */
void dsp_check_request(struct dsp *d);

/*
 * check.c: a step for the batch up to `end`, with the counts of the samples that are in a batch for
 * the first time. Invalid ones are 0 from then on. The second function adds the counts to the
 * ledger when the batch is done.
 */
struct step dsp_check_samples(struct dsp *d, uint64_t end);
void dsp_count_levels(struct dsp *d, const struct step *step);

/*
 * line.c: publishes the open line. Without a free block, `must` waits for one, because a new plan
 * cannot use the old fold. Otherwise the line stays open, is folded into the next, and is counted.
 */
void dsp_end_line(struct dsp *d, bool must);

#endif
