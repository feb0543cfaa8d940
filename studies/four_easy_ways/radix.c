/* radix.c - the tables of bases and of memory streams: the best base, and the effect of cache
 * associativity. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "studies/four_easy_ways/derivation/cost.h"
#include "studies/four_easy_ways/document.h"
#include "studies/four_easy_ways/four_easy_ways.h"

/* ---- streams ----------------------------------------------------------------------------- */

enum {
    ROWS = 8192,
    DISTANCE = ROWS,
    PAD = 8,
    MOST_STREAMS = 128,
    MOST_CHECKED = 1 << 16
}; /* in points; PAD: one cache line */

/* A butterfly's memory accesses without its arithmetic: read all streams, then write them. */
struct streams {
    struct fft_iq *x;
    uint32_t count, distance;
};

static void walk(void *user)
{
    const struct streams *s = user;
    for (uint32_t row = 0; row < ROWS; row++) {
        struct fft_iq sum = {0, 0}, *at = s->x + row;
        for (uint32_t k = 0; k < s->count; k++, at += s->distance) {
            sum.re += at->re;
            sum.im += at->im;
        }
        at = s->x + row;
        for (uint32_t k = 0; k < s->count; k++, at += s->distance)
            *at = sum;
    }
}

/* Measures nanoseconds a point. NaN: no memory. */
static double walk_ns(const struct study *s, uint32_t count, uint32_t distance)
{
    struct streams w = {calloc((size_t)MOST_STREAMS * (DISTANCE + PAD), sizeof *w.x), count,
                        distance};
    const double seconds = w.x ? study_seconds(s, walk, &w) : NAN;
    free(w.x);
    return 1e9 * seconds / ((double)count * ROWS);
}

int study_streams(struct study *s)
{
    static const char *const columns[] = {"streams", "64 KiB apart, ns", "and a line, ns", "slower",
                                          NULL};
    table_open(&s->tables, "streams",
               "The document conjectures that a large base is slow because its streams \"are "
               "mapping to the same cache block\".\n"
               "Here points of this many streams are read and written, at a power of two apart "
               "and at another distance.",
               columns);
    for (uint32_t count = 2; count <= MOST_STREAMS; count *= 2) {
        const double power = walk_ns(s, count, DISTANCE),
                     padded = walk_ns(s, count, DISTANCE + PAD);
        char text[12];
        snprintf(text, sizeof text, "%u", count);
        table_row(&s->tables,
                  (struct cell[]){CELL_TEXT(text), CELL_NUMBER(power, 3), CELL_NUMBER(padded, 3),
                                  CELL_NUMBER(power / padded, 3)});
    }
    return 0;
}

/* Returns the seconds of one cache miss: the extra time of an access when 64 streams evict each
 * other's lines. */
static double miss_seconds(const struct study *s)
{
    return fmax(1e-9 * (walk_ns(s, 64, DISTANCE) - walk_ns(s, 64, DISTANCE + PAD)) / 2, 1e-11);
}

/* ---- every base --------------------------------------------------------------------------- */

static double time_base(const struct study *s, uint32_t n, uint32_t base, double *error)
{
    return study_general_seconds(s, n, base, n <= MOST_CHECKED ? error : NULL);
}

/* The model of a pass: point_s + base * term_s for each point, fitted to data that fit into the
 * cache. */
static void fit_arithmetic(const struct study *s, struct cost_machine *m)
{
    static const struct {
        uint32_t base, passes;
    } fit[] = {{2, 10}, {4, 5}, {32, 2}}; /* all make 1024 points */
    enum { POINTS = sizeof fit / sizeof fit[0] };
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < POINTS; i++) {
        const double base = fit[i].base;
        const double pass = time_base(s, 1024, fit[i].base, NULL) / (1024.0 * fit[i].passes);
        x += base;
        y += pass;
        xx += base * base;
        xy += base * pass;
    }
    m->term_s = (POINTS * xy - x * y) / (POINTS * xx - x * x);
    m->point_s = fmax((y - m->term_s * x) / POINTS, 0);
}

static uint32_t system_value(int name, uint32_t fallback)
{
    const long value = sysconf(name);
    return value > 0 ? (uint32_t)value : fallback;
}

struct cost_machine study_machine(const struct study *s)
{
    struct cost_machine m = {.memory_bytes = INFINITY,
                             .page_bytes = (double)sysconf(_SC_PAGESIZE),
                             .point_bytes = sizeof(struct fft_iq),
                             .cache = {.bytes = 32768, .line_bytes = 64, .ways = 8}};
#ifdef _SC_LEVEL1_DCACHE_SIZE
    m.cache.bytes = system_value(_SC_LEVEL1_DCACHE_SIZE, 32768);
    m.cache.line_bytes = system_value(_SC_LEVEL1_DCACHE_LINESIZE, 64);
    m.cache.ways = system_value(_SC_LEVEL1_DCACHE_ASSOC, 8);
#endif
    m.cache.miss_s = miss_seconds(s);
    tlb_measure(s, &m.tlb, &m.walked);
    fit_arithmetic(s, &m);
    return m;
}

static uint32_t largest_power(uint32_t base, uint32_t most)
{
    uint32_t n = base;
    while (n <= most / base)
        n *= base;
    return n;
}

/* The document's seconds at 2^24 points on the SUN 20, table III. */
static double documented(uint32_t n, uint32_t base)
{
    for (size_t i = 0; n == 1U << 24 && i < DOCUMENT_BASES; i++)
        if (document_bases[i].base == base)
            return document_bases[i].run_s;
    return NAN;
}

static double row(struct study *s, const struct cost_machine *m, uint32_t n, uint32_t base)
{
    double error = NAN;
    const double seconds = time_base(s, n, base, &error);
    const struct cost cost = cost_of(m, n, base);
    char text[12];
    snprintf(text, sizeof text, "%u", base);
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(text), CELL_NUMBER(n, 10), CELL_NUMBER(cost.passes, 3),
                              CELL_NUMBER(1e9 * seconds / n, 3),
                              CELL_NUMBER(1e9 * (cost.user_s + cost.fault_s) / n, 3),
                              CELL_NUMBER(cost.misses / n, 3), CELL_NUMBER(error, 2),
                              CELL_NUMBER(documented(n, base), 5)});
    return seconds;
}

static void best_row(struct study *s, const struct cost_machine *m, uint32_t n,
                     const struct counts *bases, uint32_t measured)
{
    char text[40];
    snprintf(text, sizeof text, "best: %u, by model %u", measured,
             cost_best(m, n, bases->at, bases->count));
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(text), CELL_NUMBER(n, 10), CELL_NONE, CELL_NONE, CELL_NONE,
                              CELL_NONE, CELL_NONE, CELL_NUMBER(n == 1U << 24 ? 8 : NAN, 1)});
}

/* The bases of --radix that make n, else all powers of two that do. */
struct counts study_bases(const struct study *s, uint32_t n)
{
    const bool chosen = s->options.radix.count > 0;
    struct counts bases = {0};
    for (uint32_t base = 2; base <= GENERAL_MAX_RADIX; base++)
        if (study_wants_base(s, n, base) && (chosen || study_is_power(base, 2)))
            bases.at[bases.count++] = base;
    return bases;
}

static void sweep(struct study *s, const struct cost_machine *m, uint32_t n)
{
    const struct counts bases = study_bases(s, n);
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < bases.count; i++) {
        const double seconds = row(s, m, n, bases.at[i]);
        if (seconds < least) {
            least = seconds;
            best = bases.at[i];
        }
    }
    if (bases.count > 1)
        best_row(s, m, n, &bases, best);
}

/* --n and --radix; without --n, the largest power of each base. */
static void sweep_chosen(struct study *s, const struct cost_machine *m)
{
    const struct study_options *o = &s->options;
    for (uint32_t i = 0; i < o->n.count; i++)
        sweep(s, m, o->n.at[i]);
    for (uint32_t i = 0; i < o->radix.count && !o->n.count; i++)
        row(s, m, largest_power(o->radix.at[i], study_largest(s, 1 << 24)), o->radix.at[i]);
}

int study_radix(struct study *s)
{
    static const char *const columns[] = {"base",       "n",           "passes",
                                          "ns a point", "model, ns",   "misses a point",
                                          "error",      "document, s", NULL};
    static const uint32_t others[] = {3, 5, 6, 7, 10, 12, 15},
                          sizes[] = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 20, 1 << 24};
    const struct cost_machine m = study_machine(s);

    table_open(&s->tables, "radix",
               "Table III and figures 18 to 21: of the bases that make 2^24, base 8 was the "
               "fastest on the SUN 20, with few passes and\n"
               "few misses; 128 and 256 were \"noncompetitive\". Here one routine computes "
               "every base, and a model predicts its cost.",
               columns);
    if (s->options.n.count || s->options.radix.count) {
        sweep_chosen(s, &m);
        return 0;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        row(s, &m, largest_power(others[i], 4096), others[i]);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i] <= study_largest(s, 1 << 24))
            sweep(s, &m, sizes[i]);
    return 0;
}

/* ---- table III -------------------------------------------------------------------------- */

int study_table_3(struct study *s)
{
    static const char *const columns[] = {"base",           "passes",        "document, faults",
                                          "faults a pass",  "model, a pass", "document, s",
                                          "of its slowest", "model, s",      NULL};
    const uint32_t n = 1 << 24;
    double slowest = 0;
    for (size_t i = 0; i < DOCUMENT_BASES; i++)
        slowest = fmax(slowest, document_bases[i].run_s);
    table_open(&s->tables, "table-3",
               "Table III, 2^24 points in 64 MB on the SUN 20: page faults follow the passes, so "
               "that base 8 is the fastest, between many\n"
               "passes and wide butterflies. The model has three times that were fitted: of a "
               "fault, a point and a term.",
               columns);
    for (size_t i = 0; i < DOCUMENT_BASES; i++) {
        const struct document_base *d = &document_bases[i];
        const struct cost cost = cost_of(&cost_sun_20, n, d->base);
        table_row(&s->tables,
                  (struct cell[]){CELL_NUMBER(d->base, 3), CELL_NUMBER(cost.passes, 3),
                                  CELL_NUMBER(d->faults, 6),
                                  CELL_NUMBER(d->faults / cost.passes, 5),
                                  CELL_NUMBER(cost.faults / cost.passes, 5),
                                  CELL_NUMBER(d->run_s, 5), CELL_NUMBER(d->run_s / slowest, 2),
                                  CELL_NUMBER(cost.user_s + cost.fault_s, 5)});
    }
    return 0;
}
