/*
 * reference.h - a stored trace, and arithmetic of other traces against it. Immutable, shared by
 * threads.
 *
 * Power is linear, 1.0 = 0 dBFS, bin n/2 is at the centre, as in a line.
 *
 * A reference applies to a line with the same RBW (within 1 %: noise in a bin depends on it) whose
 * bins all lie on the reference's axis, to half a bin. With the same centre, rate and size bin k
 * meets bin k. Otherwise the reference is interpolated linearly in power between its two bins
 * nearest to the line's.
 */
#ifndef FFTD_DAEMON_LINE_REFERENCE_REFERENCE_H
#define FFTD_DAEMON_LINE_REFERENCE_REFERENCE_H

#include <stdatomic.h>

#include "daemon/line/line.h"

enum {
    REFERENCES_MAX = 32,
    REFERENCE_BINS_MAX = 1 << 20,
    REFERENCE_NAME = 41,
    REFERENCE_REASON = 160
};

enum reference_math {
    MATH_NONE,
    MATH_MINUS,    /* the power A - B, at least 0: a signal without its background */
    MATH_RELATIVE, /* the ratio A / B, in dB the difference of two levels; 0 where B is 0 */
    MATHS
};

/* In the order of the enum. */
#define MATH_NAMES "none, minus, relative"

struct reference {
    atomic_uint refs;
    char name[REFERENCE_NAME];
    int64_t time_ns;   /* of the newest line's first sample */
    char detector[16]; /* names: "mean", "max-hold" */
    char trace[24];
    uint64_t lines; /* combined in it */
    double center_hz, rate_hz, gain_db, enbw_bins;
    uint32_t n, hop;
    char window[32];
    bool simulated, rate_assumed;
    float power[]; /* [n] */
};

/* What a trace of lines is, other than the newest of them. */
struct reference_source {
    const char *name, *detector, *trace;
    uint64_t lines;
    const struct line *line; /* the newest */
    const float *power;      /* [line->n] */
};

/* With one user. -ENOMEM; -E2BIG: more than REFERENCE_BINS_MAX bins. */
int reference_create(struct reference **out, const struct reference_source *source);
/* The same, for n bins; the caller fills everything but `refs` and `n`. NULL: no memory. */
struct reference *reference_allocate(uint32_t n);
struct reference *reference_ref(struct reference *r); /* NULL gives NULL */
void reference_unref(struct reference *r);            /* NULL is fine */

/*
 * Replaces power[line->n] of a trace of `line` by its difference from, or ratio to, the reference.
 * -ERANGE with one line in reason: it does not apply; power is as it was.
 */
int reference_apply(const struct reference *r, enum reference_math math, const struct line *line,
                    float *power, struct reason *why);

int reference_math_index(const char *name); /* -1: none */
const char *reference_math_name(enum reference_math math);

#endif
