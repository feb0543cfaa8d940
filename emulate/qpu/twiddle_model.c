/* twiddle_model.c - runs the recurrences of each pass, and adds up errors along the two paths. */
#include "emulate/qpu/twiddle_model.h"

#include <assert.h>
#include <math.h>

enum { LANES = 16, MAX_CHAINS = 64 };

/* A recurrence for exp(-2 pi i at), advanced by `step` circles at a time. */
struct chain {
    float re, im, sine, versine;
    double at, step;
};

struct error {
    double re, im;
};

/* Moments of the errors of one path through one pass, over all outputs. */
struct moments {
    double count, re, im, square;
};

static const double pi = 3.14159265358979323846;

static float toward_zero(double x)
{
    const float nearest = (float)x;
    return fabs((double)nearest) > fabs(x) ? nextafterf(nearest, 0) : nearest;
}

static float product(float a, float b)
{
    return toward_zero((double)a * (double)b);
}

static void start(struct chain *c, double at, double step)
{
    const double half = sin(pi * step);
    *c = (struct chain){(float)cos(2 * pi * at),
                        (float)-sin(2 * pi * at),
                        (float)-sin(2 * pi * step),
                        (float)(2 * half * half),
                        at,
                        step};
}

/* cos -= a cos + b sin, sin -= a sin - b cos: a = 2 sin^2(d/2), b = sin d. */
static void advance(struct chain *c)
{
    const double a = (double)product(c->re, c->versine) + (double)product(c->im, c->sine);
    const double b = (double)product(c->im, c->versine) - (double)product(c->re, c->sine);
    c->re = toward_zero((double)c->re - (double)toward_zero(a));
    c->im = toward_zero((double)c->im - (double)toward_zero(b));
    c->at += c->step;
}

/* The relative error: the quotient of the computed and the exact value, less one. */
static struct error error_of(const struct chain *c)
{
    const double re = cos(2 * pi * c->at), im = -sin(2 * pi * c->at);
    return (struct error){(double)c->re * re + (double)c->im * im - 1,
                          (double)c->im * re - (double)c->re * im};
}

/* The index of the chain of `stage` and `lane`. With TWIDDLE_PER_READ, chains 0 and 1 are those of
 * elements 15 and 1 as they are read. */
static int chain_of(enum twiddle_scheme scheme, uint32_t stage, uint32_t lane)
{
    if (scheme == TWIDDLE_PER_STAGE)
        return (int)((1u << stage) - 1 + (lane & ((1u << stage) - 1)));
    return (int)(2 + LANES * (stage - 4) + lane % LANES);
}

static void start_stage(struct chain *chains, enum twiddle_scheme scheme,
                        const struct qpu_plan_pass *pass, uint32_t stage, uint32_t k,
                        uint32_t k_step)
{
    const uint32_t lanes = scheme == TWIDDLE_PER_STAGE ? 1u << stage : LANES;
    const int done = (int)(pass->done + stage + 1);
    for (uint32_t lane = 0; lane < lanes; lane++)
        start(&chains[chain_of(scheme, stage, lane)],
              ldexp(lane, -(int)stage - 1) + ldexp(k, -done), ldexp(k_step, -done));
}

/* Starts all chains of a pass at k; returns their number. */
static int start_all(struct chain *chains, enum twiddle_scheme scheme,
                     const struct qpu_plan_pass *pass, uint32_t k, uint32_t k_step)
{
    const uint32_t first = scheme == TWIDDLE_PER_STAGE ? 0 : 4;
    for (uint32_t e = 1; first && e <= 15; e += 14)
        start(&chains[e == 1], ldexp(e * k, -(int)pass->done - 4),
              ldexp(e * k_step, -(int)pass->done - 4));
    for (uint32_t stage = first; stage < pass->bits; stage++)
        start_stage(chains, scheme, pass, stage, k, k_step);
    return pass->bits > first ? chain_of(scheme, pass->bits - 1, UINT32_MAX) + 1 : 2;
}

static void count(struct moments *m, struct error e)
{
    m->count++;
    m->re += e.re;
    m->im += e.im;
    m->square += e.re * e.re + e.im * e.im;
}

/* Adds the errors of one k: every lane of the pass is an output. */
static void count_outputs(const struct chain *chains, int chain_count, enum twiddle_scheme scheme,
                          const struct qpu_plan_pass *pass, struct moments *one,
                          struct moments *all)
{
    struct error errors[MAX_CHAINS] = {{0, 0}};
    const uint32_t last = pass->bits - 1;
    for (int i = 0; i < chain_count; i++)
        errors[i] = error_of(&chains[i]);
    for (uint32_t lane = 0; lane < 1u << last; lane++) {
        const bool read = scheme == TWIDDLE_PER_READ;
        struct error sum = read ? errors[0] : (struct error){0, 0};
        for (uint32_t stage = read ? 4 : 0; stage < pass->bits; stage++) {
            const struct error e = errors[chain_of(scheme, stage, lane)];
            sum = (struct error){sum.re + e.re, sum.im + e.im};
        }
        count(all, sum);
        count(one, errors[read && last < 4 ? 1 : chain_of(scheme, last, lane)]);
    }
}

static void count_pass(const struct qpu_plan *plan, uint32_t p, enum twiddle_scheme scheme,
                       struct moments *one, struct moments *all)
{
    const struct qpu_plan_pass *pass = &plan->pass[p];
    const uint32_t k_step = pass->left ? 1 : QPU_PLAN_QPUS;
    assert(pass->bits >= 4 && pass->bits <= 6);
    for (uint32_t q = 0; q < k_step; q++) {
        struct chain chains[MAX_CHAINS] = {{0}};
        const int chain_count = start_all(chains, scheme, pass, q, k_step);
        for (uint32_t k = q; k < 1u << pass->done; k += k_step) {
            count_outputs(chains, chain_count, scheme, pass, one, all);
            for (int i = 0; i < chain_count; i++)
                advance(&chains[i]);
        }
    }
}

/* Adds a pass. Errors of different passes are taken as uncorrelated except for their means. */
static void add(struct moments *sum, const struct moments *pass)
{
    const double re = pass->re / pass->count, im = pass->im / pass->count;
    sum->re += re;
    sum->im += im;
    sum->square += pass->square / pass->count - re * re - im * im;
}

static double mean_square(const struct moments *sum)
{
    return sum->square + sum->re * sum->re + sum->im * sum->im;
}

double twiddle_model_ppm(const struct qpu_plan *plan, enum twiddle_scheme scheme)
{
    struct moments one_path = {0}, all_path = {0};
    for (uint32_t p = 1; p < plan->passes; p++) {
        struct moments one = {0}, all = {0};
        count_pass(plan, p, scheme, &one, &all);
        add(&all_path, &all);
        if (p + 1 == plan->passes)
            add(&one_path, &one);
    }
    return 1e6 * sqrt((mean_square(&one_path) + mean_square(&all_path)) / 2);
}

uint32_t twiddle_model_steps(const struct qpu_plan *plan)
{
    return (1u << plan->pass[plan->passes - 1].done) / QPU_PLAN_QPUS;
}
