/*
 * options.h - the command line of fft-bench.
 */
#ifndef FFTD_BENCH_OPTIONS_H
#define FFTD_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/versus.h"
#include "fft/fft.h"

enum { MAX_SIZES = 32 };

enum verb { VERB_SPECTRUM, VERB_TRANSFORM, VERB_PLAN, VERB_DAEMON, VERBS };

/* A size such as "4K" or "512x512"; each gives one row of results. */
struct shape {
    uint32_t rank, n[FFT_TRANSFORM_MAX_RANK];
};

/*
 * Where the transforms' arrays fit: in the second-level cache, in memory, or either by their size.
 */
enum working_set { WORKING_SET_AUTO, WORKING_SET_CACHE, WORKING_SET_MEMORY };

struct options {
    enum verb verb;
    const char *engine, *isa, *engine_options;
    const char *list; /* the sizes as text */
    struct shape sizes[MAX_SIZES];
    uint32_t count, threads;
    enum versus versus;
    bool patient, quick, json;
    bool explain; /* plan */

    /* spectrum */
    uint32_t hop; /* 0: half of n */
    enum fft_iq_format format;
    unsigned detectors;       /* FFT_DETECTOR_ bits */
    uint32_t columns, levels; /* of density; 0: off */

    /* transform */
    enum fft_transform_type type;
    enum fft_transform_scale scale;
    enum working_set working_set;
    bool in_place;

    /* daemon */
    const char *fftd; /* program; "": the one in the folder of this program */
    double rate_hz;
    uint32_t seconds, measurements;
    uint32_t channels_open, channels_armed;
    double channel_rate_hz;
    bool no_viewer;
    char *const *rest; /* more arguments of fftd, NULL last */
};

/* 0; 1: --help was given; -EINVAL, with one line on standard error. */
int options_parse(struct options *o, int argc, char **argv);
void options_help(void);

const char *options_type_name(enum fft_transform_type type);                /* "forward" */
const char *options_scale_name(enum fft_transform_scale scale);             /* "root-n" */
const char *options_detector_names(unsigned bits, char *text, size_t size); /* "mean,max" */

#endif
