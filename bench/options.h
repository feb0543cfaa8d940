/*
 * options.h - the command line of fft-bench.
 */
#ifndef FFTD_BENCH_OPTIONS_H
#define FFTD_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "fft/iq.h"

enum { MAX_SIZES = 32 };

struct options {
    const char *engine, *isa;
    uint32_t sizes[MAX_SIZES], count;
    uint32_t hop; /* 0: half of n */
    uint32_t threads;
    enum iq_format format;
    bool vs_fftw, patient, json;
};

/* 0; 1: the help was asked for; or -EINVAL, with one line on standard error. */
int options_parse(struct options *o, int argc, char **argv);
void options_help(void);

#endif
