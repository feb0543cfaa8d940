/*
 * dsp.h - the dsp thread's state and steps. Internal to the pipeline; the dsp thread's alone.
 *
 * Work in flight is a short queue of steps. Batches finish in the engine's time; line ends and
 * segment ends wait in the queue for the batches before them, so that everything happens in the
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
    bool must;     /* line end: the next line cannot take these frames in */
    uint64_t end;  /* segment end: position behind its last sample */
    bool has_mark; /* segment end: `mark` begins the next one */
    struct iq_mark mark;
};

struct dsp {
    const struct dsp_thread_config *config;
    const atomic_bool *stop;
    _Atomic uint64_t *beat_ns;
    struct engine_runner analyser;

    struct epoch *epoch; /* NULL: between two */
    struct settings requested;
    struct settings active; /* what the plan at work was made for */
    char refused[160];      /* why that is not what is wanted; "": it is */
    uint64_t request_version;
    bool replan;            /* what is wanted changed: a new plan as soon as nothing is in flight */
    double seconds_before;  /* of samples, in the epochs before */
    uint64_t stop_position; /* UINT64_MAX: none */
    bool closing;           /* the epoch's last segment end is in the queue */
    bool over;              /* a limit is reached: no more steps */

    /* deciding: runs ahead of what is done */
    uint64_t next_frame;  /* position */
    uint64_t frames_left; /* in the line being cut */
    struct step steps[DSP_STEPS];
    uint64_t steps_in, steps_out;

    /* done: what the lines say */
    uint64_t covered;       /* position behind the last sample that was in a frame */
    uint64_t number_offset; /* stream sample number - position */
    struct tuning tuning;
    double gain_db;
    int64_t clock_ns; /* Unix time of sample number clock_number */
    uint64_t clock_number;
    bool gap;             /* a mark lies behind the last line */
    bool line_open;       /* the fold holds frames; then: */
    uint64_t line_first;  /* sample number of the first frame's first, */
    uint64_t line_end;    /* and behind the last frame's last */
    int64_t line_time_ns; /* of line_first */
    struct ledger ledger; /* produced is what is accounted for: seen + lost */
    struct ledger base;   /* the ledger when this epoch began */
    int error;
    const char *failed; /* what did, with an error */
};

void dsp_init(struct dsp *d, const struct dsp_thread_config *config, const atomic_bool *stop,
              _Atomic uint64_t *beat_ns);
void dsp_finish(struct dsp *d);

/* One step forward, waiting at most about 100 ms. False: there is no more to do. */
bool dsp_step(struct dsp *d);

/* It was stopped: publishes the open line and counts what nobody will analyse any more. */
void dsp_give_up(struct dsp *d);

/*
 * replan.c: a plan for what is wanted; nothing may be in flight. The frame grid begins anew at the
 * next frame's place. Where there is no memory for it the plan at work stays, `refused` says so,
 * and nothing is lost. new_stream: the one at work was for another stream. -errno: there is no
 * plan.
 */
int dsp_take_plan(struct dsp *d, bool new_stream);
/* A new plan waits until nothing is in flight, and for an epoch whose ring is large enough. */
void dsp_look_for_changes(struct dsp *d);
bool dsp_serves(const struct epoch *e, uint32_t n);

/*
 * line.c: publishes the open line. No free block: `must` waits for one (a new plan cannot go on
 * with the old fold), else the line stays open, is folded into the next and counted.
 */
void dsp_end_line(struct dsp *d, bool must);

#endif
