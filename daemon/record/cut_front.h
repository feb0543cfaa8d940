/*
 * cut_front.h - the part of a cut that sees every sample: conversion, shift and first filter.
 *
 * A sample's phase follows from its number, and an output from the samples under its filter: fronts
 * that begin at different outputs of a segment compute the same ones. One thread each.
 */
#ifndef FFTD_DAEMON_RECORD_CUT_FRONT_H
#define FFTD_DAEMON_RECORD_CUT_FRONT_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/record/cut_reader.h"
#include "daemon/record/cut_stage.h"

enum { CUT_TURNS = 2048 };

/* The shift of a segment; shared by its fronts. */
struct cut_shift {
    uint64_t step; /* phase from one sample to the next, in parts of 2^-64 turns */
    double scale;
    float re[CUT_TURNS], im[CUT_TURNS]; /* the factors of samples 0, 1, ... of CUT_TURNS */
};

/* turns: of the phase, from one sample to the next. scale: of a sample in raw units. */
void cut_shift_init(struct cut_shift *s, double turns, double scale);

struct cut_front {
    const struct cut_shift *shift;
    cut_shift_loop *convert;
    uint32_t sample_bytes;
    uint64_t number; /* of the next sample */
    bool filters;    /* false: no stage */
    struct cut_stage stage;
    unsigned char block[8 * CUT_STAGE_BLOCK]; /* samples that were read */
};

/* Samples of a push: those of the reader, or of the memory at raw; both NULL: zeros. */
struct cut_input {
    const unsigned char *raw; /* of the push's first sample */
    const struct cut_reader *reader;
    size_t at, count; /* the samples */
};

/* stage NULL: none. -ENOMEM; finish also after a failure. */
int cut_front_init(struct cut_front *f, const struct cut_stage_plan *stage,
                   const struct cut_shift *shift, enum fft_iq_format format,
                   const struct cut_loops *loops);
void cut_front_finish(struct cut_front *f);
/* The next sample has this number, and is the first one of the first output. */
void cut_front_begin(struct cut_front *f, uint64_t number);
/* The number of outputs of a push of `count` samples. */
size_t cut_front_outputs(const struct cut_front *f, size_t count);
/* Returns the number of outputs, written to re and im. *taken: fewer if the reader has fewer. */
size_t cut_front_push(struct cut_front *f, const struct cut_input *in, float *re, float *im,
                      size_t *taken);

#endif
