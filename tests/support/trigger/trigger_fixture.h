/*
 * trigger_fixture.h - triggers under test: samples in, through the dsp thread and the CPU engine,
 * events out.
 *
 * The samples are cf32 at FIXTURE_RATE around FIXTURE_CENTER; the first one is position and number
 * 0. Failures end the test.
 */
#ifndef FFTD_TESTS_SUPPORT_TRIGGER_TRIGGER_FIXTURE_H
#define FFTD_TESTS_SUPPORT_TRIGGER_TRIGGER_FIXTURE_H

#include "tests/support/cmocka_all.h"

#include "daemon/stream/settings.h"
#include "daemon/trigger/triggers.h"
#include "fft/iq.h"

enum {
    FIXTURE_RATE = 1000000,
    FIXTURE_CENTER = 100000000,
    FIXTURE_START_S = 5,
    FIXTURE_EVENTS = 4096
};

struct trigger_fixture {
    struct settings settings;
    uint64_t ring_bytes; /* 0: automatic */
    struct fft_iq *iq;   /* the recording */
    size_t count;

    struct event event[FIXTURE_EVENTS]; /* the results, by id */
    size_t events;
    struct triggers_state state;
    struct trigger_state one[4]; /* of each trigger */
};

/* n 256, overlap 50 %, rectangular window, 10 frames a line; `count` samples of silence. */
void trigger_fixture_begin(struct trigger_fixture *r, size_t count);
/* Adds a tone of amplitude a in bin `bin` (0: the centre) to the samples from..from + length - 1.
 */
void trigger_fixture_add_tone(struct trigger_fixture *r, double a, int bin, size_t from,
                              size_t length);
/* Arms the triggers of the list (NULL ends it; as in --trigger) and replays the recording. */
void trigger_fixture_run(struct trigger_fixture *r, const char *const *list);
void trigger_fixture_end(struct trigger_fixture *r);

struct trigger_setup *
trigger_fixture_setup(const char *line); /* as --trigger; a failure ends the test */

#endif
