/*
 * record_rig.h - a recorder under test: an epoch of counter-coded samples, written by the test,
 * which also stands in for the dsp thread.
 *
 * Sample number k is the 32-bit value k, lost ones included. So the file itself proves position and
 * order. Failures end the test.
 */
#ifndef FFTD_TESTS_RECORD_RECORD_RIG_H
#define FFTD_TESTS_RECORD_RECORD_RIG_H

#include "tests/support/cmocka_all.h"

#include <jansson.h>

#include "daemon/record/recorder.h"

enum { RIG_RATE = 1000000, RIG_RING = 1 << 18 /* samples */, RIG_BLOCK = 5000 };
#define RIG_TIME_NS INT64_C(1795169700000000000) /* 2026-11-20T10:15:00Z */

struct record_rig {
    char folder[64];
    struct record_options options;
    struct recorder *recorder;
    struct epoch *epoch;
    uint64_t position, lost;
};

void record_rig_start(struct record_rig *b, bool lossless);
void record_rig_begin_epoch(struct record_rig *b, bool lossless);
void record_rig_write(struct record_rig *b, uint32_t samples); /* and lets dsp pass */
void record_rig_lose(struct record_rig *b, enum loss cause, uint32_t samples);
void record_rig_end_epoch(struct record_rig *b);
/* Waits until it ended. */
struct record_info record_rig_await(struct record_rig *b, uint64_t id);
/* The data of a recording; the caller frees it. */
uint32_t *record_rig_samples(const struct record_rig *b, const char *name, size_t *count);
json_t *record_rig_meta(const struct record_rig *b, const char *name);   /* NULL: there is none */
size_t record_rig_count(const struct record_rig *b, const char *suffix); /* files of the folder */
void record_rig_clean_up(struct record_rig *b);

#endif
