/*
 * dsp_rig.h - a dsp thread under test: counter-coded samples in, lines out.
 *
 * The probe engine records the sample numbers that it saw. So the samples themselves prove that
 * none is lost, not the ledger under test. A test may pass another engine in the limits. Failures
 * end the test.
 */
#ifndef FFTD_TESTS_SUPPORT_DSP_DSP_RIG_H
#define FFTD_TESTS_SUPPORT_DSP_DSP_RIG_H

#include "tests/support/cmocka_all.h"

#include <uv.h>

#include "daemon/dsp/dsp_thread.h"
#include "tests/support/dsp/probe_engine.h"

enum { RATE = 1000000 };

struct dsp_rig {
    struct exchange *exchange;
    struct line_ring *lines;
    struct line_reader reader;
    struct dsp_thread *pipeline;
    struct epoch *epoch; /* the one being written */
    struct settings settings;
    uint32_t number; /* of the next sample */
    uint32_t block;
    struct line *last; /* held */
    uint64_t lines_seen, frames, gaps;
    uint64_t fewest, most; /* frames in a line, of those before the last */
};

static const struct dsp_thread_config no_limits;

struct settings dsp_rig_settings(void); /* 10 frames of 256 samples per line, 50 % overlap */
void dsp_rig_start(struct dsp_rig *b, const struct settings *w, bool lossless,
                   const struct dsp_thread_config *limits);
/* Takes the published lines; with wait, until the dsp thread closed the ring. */
void dsp_rig_take_lines(struct dsp_rig *b, bool wait);
void dsp_rig_write(struct dsp_rig *b, uint32_t count); /* also takes lines */
/* A device that lost samples skips their numbers. */
void dsp_rig_lose(struct dsp_rig *b, enum loss cause, uint32_t samples);
void dsp_rig_wait_for_frames(struct dsp_rig *b, uint64_t frames);
void dsp_rig_end_epoch(struct dsp_rig *b);
void dsp_rig_push_epoch(struct dsp_rig *b,
                        bool lossless);          /* the next one; start pushes the first */
struct ledger dsp_rig_finish(struct dsp_rig *b); /* after the last sample */
void dsp_rig_conserves(const struct dsp_rig *b, const struct ledger *ledger);
void dsp_rig_clean_up(struct dsp_rig *b);

#endif
