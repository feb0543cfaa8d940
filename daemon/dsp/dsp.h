/*
 * dsp.h - the state and the steps of the dsp thread. Internal to the room; the dsp thread only.
 *
 * Work in flight is a short queue of steps. The engine finishes batches in its own time. Line ends
 * and segment ends wait in the queue for the batches before them, so that all effects follow the
 * order of the samples.
 */
#ifndef FFTD_DAEMON_DSP_DSP_H
#define FFTD_DAEMON_DSP_DSP_H

#include "daemon/dsp/dsp_status.h"
#include "daemon/dsp/dsp_thread_config.h"
#include "daemon/dsp/engine_runner.h"
#include "daemon/dsp/front_end.h"
#include "daemon/dsp/peak_meter.h"
#include "daemon/line/line_ring.h"
#include "daemon/stream/epoch/epoch.h"

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

/* The sweep that is being received: dwell.c. */
struct sweep_state {
    uint32_t dwell;               /* the newest that gave frames; valid if `open` */
    uint64_t stay_frames;         /* of this dwell since it began */
    bool open;                    /* the panorama has frames; the next four are valid */
    bool kept;                    /* of an earlier sweep too, for which no block was free */
    uint64_t first, end;          /* sample number of the first sample; number after the last */
    int64_t time_ns;              /* of `first` */
    uint64_t before;              /* `first` of the sweep before; UINT64_MAX: there was none */
    uint64_t samples, incomplete; /* dsp_status.h */
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
    char rate_limit[160];   /* why lines come slower than requested; "": they do not */
    uint64_t request_version;
    bool replan;              /* the request changed: a new plan follows */
    bool prepared;            /* it can begin, when nothing is in flight */
    struct settings upcoming; /* the newest request; valid if awaits_ring */
    bool awaits_ring;         /* once its plan is made, the source begins its epoch */
    double seconds_before;    /* of samples in earlier epochs */
    uint64_t stop_position;   /* UINT64_MAX: none */
    bool closing;             /* the last segment end of the epoch is in the queue */
    bool over;                /* a limit is reached or a step failed: no step follows */

    /* cutting: ahead of the finished steps */
    uint64_t next_frame;  /* position */
    uint64_t checked;     /* position after the last sample that a batch had */
    uint64_t line_frames; /* of the line being cut */
    uint64_t frames_left; /* of them */
    uint64_t lines_begun; /* since the frame grid (re)started */
    struct front_end front_end;
    struct peak_meter peak;
    struct front_end_figures last_figures; /* of the last epoch, once it has ended */
    double last_headroom_db;
    struct step steps[DSP_STEPS];
    uint64_t steps_in, steps_out;

    /* finished: what the lines report */
    uint64_t covered;       /* position after the last sample that was in a frame */
    uint64_t number_offset; /* stream sample number - position */
    struct tuning tuning;
    double gain_db;
    int64_t clock_ns; /* Unix time of sample number clock_number */
    uint64_t clock_number;
    struct line_anchor anchor;
    bool gap;               /* a mark follows the last line */
    bool line_open;         /* the fold has frames; the next five are valid */
    uint64_t line_first;    /* number of the first frame's first sample */
    uint64_t line_position; /* of that sample in the ring; UINT64_MAX: a loss is within the line */
    uint64_t line_end;      /* number after the last frame's last sample */
    int64_t line_time_ns;   /* of line_first */
    struct line_anchor line_anchor;        /* of line_first */
    struct fft_correction line_correction; /* of the first batch, if the plan is `corrected` */
    struct sweep_state sweep;
    struct ledger ledger; /* produced is seen + lost: pending samples are not in it */
    struct ledger base;   /* the ledger at the start of this epoch */
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
/*
 * Reads a new request and sets `replan`, unless the ring of this epoch is too small for it. In real
 * time the plan is made while the active one runs, if the engine can; `prepared` says when it is
 * there.
 */
void dsp_check_request(struct dsp *d);

/*
 * sample_check.c: a step for the batch up to `end`. Counts floats when they are in a batch for the
 * first time; invalid ones are 0 from then on. The engine counts the clipped samples of other
 * formats. The second function adds the counts to the ledger when the batch is done.
 */
struct step dsp_check_samples(struct dsp *d, uint64_t end);
void dsp_count_levels(struct dsp *d, const struct step *step);

/*
 * correct.c: forgets the estimates of the receiver's errors; renews them from the samples that
 * sample_check.c has just seen, and sets the correction of the next batch.
 */
void dsp_restart_correction(struct dsp *d, double rate_hz);
void dsp_correct_samples(struct dsp *d, const struct step *step);
struct fft_correction dsp_line_correction(const struct dsp *d); /* of the line, full scale 1.0 */
struct front_end_figures dsp_front_end_figures(const struct dsp *d);
double dsp_headroom_db(const struct dsp *d); /* peak_meter.h */

/*
 * dsp_line.c: publishes the open line. Without a free block, `must` waits for one, because a new
 * plan cannot use the old fold. Otherwise the line stays open, is folded into the next, and is
 * counted.
 */
void dsp_end_line(struct dsp *d, bool must);
/* The line that is cut next follows the one before; or it is the first one of the frame grid. */
void dsp_begin_line(struct dsp *d);
void dsp_restart_lines(struct dsp *d);
/* Parts of dsp_end_line: a block or NULL; the description of the open line; the end of a filled
 * one. */
struct line *dsp_acquire_line(struct dsp *d, bool wait);
void dsp_describe_line(const struct dsp *d, struct line *line);
void dsp_publish_line(struct dsp *d, struct line *line);

/*
 * dwell.c, in a sweep instead of dsp_end_line: adds the open line to the panorama. The end of the
 * last dwell publishes a line of the whole span, if every dwell gave frames. `must`: no more frames
 * of this dwell follow. Without a free block the next sweep is combined with this one, and the line
 * counts as folded.
 */
void dsp_end_dwell(struct dsp *d, bool must);
void dsp_restart_sweep(struct dsp *d); /* a new plan has an empty panorama */

#endif
