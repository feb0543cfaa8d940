/*
 * dsp_fixture.h - a dsp thread under test: counter-coded samples in, lines out.
 *
 * The probe engine records the sample numbers that it saw. So the samples themselves prove that
 * none is lost, not the ledger under test. A test may pass another engine in the limits. Failures
 * end the test.
 */
#ifndef FFTD_TESTS_SUPPORT_DSP_DSP_FIXTURE_H
#define FFTD_TESTS_SUPPORT_DSP_DSP_FIXTURE_H

#include "tests/support/cmocka_all.h"

#include <uv.h>

#include "daemon/dsp/dsp_thread.h"
#include "tests/support/dsp/probe_engine.h"

enum { RATE = 1000000 };

struct dsp_fixture {
    struct exchange *exchange;
    struct line_ring *lines;
    struct line_reader reader;
    struct dsp_thread *pipeline;
    struct epoch *epoch; /* the one being written */
    struct settings settings;
    uint32_t number; /* of the next sample */
    uint32_t block;
    struct line *last; /* a reference */
    uint64_t lines_seen, frames, gaps;
    uint64_t fewest, most; /* frames in a line, of those before the last */
};

static const struct dsp_thread_config no_limits;

struct settings dsp_fixture_settings(void); /* 10 frames of 256 samples per line, 50 % overlap */
void dsp_fixture_start(struct dsp_fixture *b, const struct settings *w, bool lossless,
                       const struct dsp_thread_config *limits);
/* Takes the published lines; with wait, until the dsp thread closed the ring. */
void dsp_fixture_take_lines(struct dsp_fixture *b, bool wait);
void dsp_fixture_write(struct dsp_fixture *b, uint32_t count); /* also takes lines */
/* A device that lost samples skips their numbers. */
void dsp_fixture_lose(struct dsp_fixture *b, enum loss cause, uint32_t samples);
void dsp_fixture_wait_for_frames(struct dsp_fixture *b, uint64_t frames);
void dsp_fixture_end_epoch(struct dsp_fixture *b);
void dsp_fixture_push_epoch(struct dsp_fixture *b,
                            bool lossless);              /* the next one; start pushes the first */
struct ledger dsp_fixture_finish(struct dsp_fixture *b); /* after the last sample */
void dsp_fixture_conserves(const struct dsp_fixture *b, const struct ledger *ledger);
void dsp_fixture_clean_up(struct dsp_fixture *b);

#endif
