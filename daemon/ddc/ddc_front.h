/*
 * ddc_front.h - the part of a down-converter that sees every sample: conversion, shift and first
 * filter.
 *
 * A sample's phase follows from its number, and an output from the samples under its filter: fronts
 * that begin at different outputs of a segment compute the same ones. One thread each.
 */
#ifndef FFTD_DAEMON_DDC_DDC_FRONT_H
#define FFTD_DAEMON_DDC_DDC_FRONT_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/ddc/ddc_reader.h"
#include "daemon/ddc/ddc_stage.h"

enum { DDC_TURNS = 2048 };

/* The shift of a segment; shared by its fronts. */
struct ddc_shift {
    uint64_t step; /* phase from one sample to the next, in parts of 2^-64 turns */
    double scale;
    float re[DDC_TURNS], im[DDC_TURNS]; /* the factors of samples 0, 1, ... of DDC_TURNS */
};

/* Zeroed at first. Moves hz to 0. scale: of a raw sample. */
void ddc_shift_init(struct ddc_shift *s, double hz, double rate_hz, double scale);

struct ddc_front {
    const struct ddc_shift *shift;
    ddc_shift_loop *convert;
    uint32_t sample_bytes;
    uint64_t number; /* of the next sample */
    bool filters;    /* false: no stage */
    struct ddc_stage stage;
    unsigned char block[8 * DDC_STAGE_BLOCK]; /* samples that were read */
};

/* Samples of a push: those of the reader, or of the memory at raw; both NULL: zeros. */
struct ddc_input {
    const unsigned char *raw; /* of the push's first sample */
    const struct ddc_reader *reader;
    size_t at, count; /* the samples */
};

/* stage NULL: none. -ENOMEM; finish also after a failure. */
int ddc_front_init(struct ddc_front *f, const struct ddc_stage_plan *stage,
                   const struct ddc_shift *shift, enum fft_iq_format format,
                   const struct ddc_loops *loops);
void ddc_front_finish(struct ddc_front *f);
/* The next sample has this number, and is the first one of the first output. */
void ddc_front_begin(struct ddc_front *f, uint64_t number);
/* The number of outputs of a push of `count` samples. */
size_t ddc_front_outputs(const struct ddc_front *f, size_t count);
/* Returns the number of outputs, written to re and im. *taken: fewer if the reader has fewer. */
size_t ddc_front_push(struct ddc_front *f, const struct ddc_input *in, float *re, float *im,
                      size_t *taken);

#endif
