/* ladder.c - times the derivation of the butterfly step by step, and the parts around it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/four_easy_ways/derivation/ladder.h"
#include "studies/four_easy_ways/four_easy_ways.h"

/* All passes in one form; the arrays hold zeros, which stay zeros. */
struct passes {
    const struct ladder_step *step;
    uint32_t n;
    struct complex64 *x, *xx; /* [n] */
    struct complex64 *weight; /* [n]: the weights of block L start at L/2 */
};

static int passes_init(struct passes *p, uint32_t n)
{
    *p = (struct passes){.n = n,
                         .x = calloc(n, sizeof *p->x),
                         .xx = calloc(n, sizeof *p->xx),
                         .weight = calloc(n, sizeof *p->weight)};
    if (!p->x || !p->xx || !p->weight)
        return -ENOMEM;
    for (uint32_t block = 2; block <= n; block *= 2)
        weights_by_doubling(p->weight + block / 2, block);
    return 0;
}

static void passes_finish(struct passes *p)
{
    free(p->x);
    free(p->xx);
    free(p->weight);
}

static void run_passes(void *user)
{
    const struct passes *p = user;
    for (uint32_t block = 2; block <= p->n; block *= 2) {
        p->step->stage(
            &(struct stage){p->n, block, p->n / block, p->x, p->xx, p->weight + block / 2});
        if (!p->step->in_place)
            memcpy(p->x, p->xx, p->n * sizeof *p->x);
    }
}

int study_ladder(struct study *s)
{
    static const char *const columns[] = {
        "figure", "n", "ns a point", "faster than the last", "than figure 2", NULL};
    double last = NAN, second = NAN;
    int err = 0;

    table_open(&s->tables, "ladder",
               "Figures 1 to 10: the passes of a radix 2 transform; each figure rewrites the "
               "previous one.\n"
               "The document derives them and times only the last. Figures 9 and 10 are printed as "
               "programs that compute\nthe weights of every pass. Double precision.",
               columns);
    for (uint32_t i = 0; err == 0 && i < LADDER_STEPS; i++) {
        const uint32_t n = ladder[i].max_n ? ladder[i].max_n : 4096;
        struct passes p;
        err = passes_init(&p, n);
        p.step = &ladder[i];
        if (err == 0) {
            const double ns = 1e9 * study_seconds(s, run_passes, &p) / n;
            second = i == 1 ? ns : second;
            table_row(&s->tables,
                      (struct cell[]){CELL_TEXT(ladder[i].name), CELL_NUMBER(n, 10),
                                      CELL_NUMBER(ns, 3), CELL_NUMBER(i > 1 ? last / ns : NAN, 3),
                                      CELL_NUMBER(second / ns, 3)});
            last = ns;
        }
        passes_finish(&p);
    }
    return err;
}

/* ---- the parts of a transform ------------------------------------------------------------ */

static void reverse_plainly(void *user)
{
    const struct passes *p = user;
    reverse_by_bits(p->x, p->n);
}

static void reverse_counting(void *user)
{
    const struct passes *p = user;
    reverse_by_counting(p->x, p->n);
}

static void all_weights(const struct passes *p, void (*make)(struct complex64 *, uint32_t))
{
    for (uint32_t block = 2; block <= p->n; block *= 2)
        make(p->xx, block);
}

static void weights_plainly(void *user)
{
    all_weights(user, weights_by_sincos);
}

static void weights_doubling(void *user)
{
    all_weights(user, weights_by_doubling);
}

int study_share(struct study *s)
{
    static const char *const columns[] = {
        "part", "n", "ns a point", "share, plain", "share, optimised", NULL};
    static const struct {
        const char *name;
        void (*work)(void *user);
        bool plain, optimised; /* part of the plain program, of the optimised one */
    } parts[] = {{"butterflies, figure 10", run_passes, true, true},
                 {"reversal, bit by bit", reverse_plainly, true, false},
                 {"reversal, by counting", reverse_counting, false, true},
                 {"weights, sin and cos", weights_plainly, true, false},
                 {"weights, by doubling", weights_doubling, false, true}};
    enum { PARTS = sizeof parts / sizeof parts[0] };
    double ns[PARTS], plain = 0, optimised = 0;
    struct passes p;
    const int err = passes_init(&p, study_largest(s, 1 << 16));

    p.step = &ladder[LADDER_STEPS - 1];
    for (int i = 0; err == 0 && i < PARTS; i++) {
        ns[i] = 1e9 * study_seconds(s, parts[i].work, &p) / p.n;
        plain += parts[i].plain ? ns[i] : 0;
        optimised += parts[i].optimised ? ns[i] : 0;
    }
    table_open(&s->tables, "share",
               "Bit reversal and weights \"can similarly be optimized\"; the document does not "
               "show how. The table shows how much it matters.",
               columns);
    for (int i = 0; err == 0 && i < PARTS; i++)
        table_row(&s->tables,
                  (struct cell[]){CELL_TEXT(parts[i].name), CELL_NUMBER(p.n, 10),
                                  CELL_NUMBER(ns[i], 3),
                                  CELL_NUMBER(parts[i].plain ? ns[i] / plain : NAN, 2),
                                  CELL_NUMBER(parts[i].optimised ? ns[i] / optimised : NAN, 2)});
    passes_finish(&p);
    return err;
}
