/*
 * record_fixture.h - a recorder under test: an epoch of counter-coded samples, written by the test,
 * which also stands in for the dsp thread.
 *
 * Sample number k is the 32-bit value k, lost ones included. So the file itself proves position and
 * order. Failures end the test.
 */
#ifndef FFTD_TESTS_RECORD_RECORD_FIXTURE_H
#define FFTD_TESTS_RECORD_RECORD_FIXTURE_H

#include "tests/support/cmocka_all.h"

#include <jansson.h>

#include "daemon/record/recorder/recorder.h"

enum { FIXTURE_RATE = 1000000, FIXTURE_RING = 1 << 18 /* samples */, FIXTURE_BLOCK = 5000 };
#define FIXTURE_TIME_NS INT64_C(1795169700000000000) /* 2026-11-20T10:15:00Z */

struct record_fixture {
    char folder[64];
    struct record_options options;
    struct recorder *recorder;
    struct epoch *epoch;
    uint64_t position, lost;
};

void record_fixture_start(struct record_fixture *b, bool lossless);
void record_fixture_begin_epoch(struct record_fixture *b, bool lossless);
void record_fixture_write(struct record_fixture *b, uint32_t samples); /* and lets dsp pass */
void record_fixture_lose(struct record_fixture *b, enum loss cause, uint32_t samples);
void record_fixture_end_epoch(struct record_fixture *b);
/* Waits until it ended. */
struct record_info record_fixture_await(struct record_fixture *b, uint64_t id);
/* The data of a recording; the caller frees it. */
uint32_t *record_fixture_samples(const struct record_fixture *b, const char *name, size_t *count);
json_t *record_fixture_meta(const struct record_fixture *b,
                            const char *name); /* NULL: there is none */
size_t record_fixture_count(const struct record_fixture *b,
                            const char *suffix); /* files of the folder */
void record_fixture_clean_up(struct record_fixture *b);

#endif
