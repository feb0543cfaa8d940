/* model.c - the table of the cost model beside the measurement, on small and on huge pages. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "studies/four_easy_ways/four_easy_ways.h"
#include "studies/four_easy_ways/tlb.h"

static double general_ns(const struct study *s, uint32_t n, uint32_t base, bool huge)
{
    struct study_general g;
    const bool possible = !huge || pages_can_be_huge();
    double ns = NAN;
    if (possible && study_general_init(&g, n, base, huge) == 0)
        ns = 1e9 * study_seconds(s, study_general_run, &g) / n;
    if (possible)
        study_general_finish(&g);
    return ns;
}

/* Returns the measured time on small pages. */
static double base_row(struct study *s, const struct cost_machine *m, uint32_t n, uint32_t base)
{
    const struct cost c = cost_of(m, n, base);
    const double ns = general_ns(s, n, base, false), huge = general_ns(s, n, base, true),
                 to_ns = 1e9 / n;
    char text[12];
    snprintf(text, sizeof text, "%u", base);
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(text), CELL_NUMBER(n, 10), CELL_NUMBER(ns, 3),
                              CELL_NUMBER(to_ns * c.user_s, 3),
                              CELL_NUMBER(to_ns * (c.user_s - c.cache_s - c.tlb_s), 3),
                              CELL_NUMBER(to_ns * c.cache_s, 3), CELL_NUMBER(to_ns * c.tlb_s, 3),
                              CELL_NUMBER(huge, 3), CELL_NUMBER(ns - huge, 3)});
    return ns;
}

struct engine_work {
    struct fft_transform *transform;
    struct pages from, to;
};

static void run_engine(void *user)
{
    const struct engine_work *e = user;
    fft_transform_execute(e->transform, e->from.at, e->to.at);
}

/* The engine's transform, with arrays on pages of one size; its own memory is on huge pages. */
static double engine_ns(const struct study *s, uint32_t n, bool huge)
{
    const struct fft_transform_config plan = {.rank = 1, .n = {n}, .batch = 1};
    struct engine_work e = {0};
    const size_t bytes = n * sizeof(struct fft_iq);
    double ns = NAN;
    if ((!huge || pages_can_be_huge()) && pages_map(&e.from, bytes, huge) == 0 &&
        pages_map(&e.to, bytes, huge) == 0 &&
        fft_transform_create(&e.transform, s->engine, &plan, NULL, 0) == 0) {
        noise_fill(e.from.at, n);
        memset(e.to.at, 0, bytes); /* long work runs once: without page faults */
        ns = 1e9 * study_seconds(s, run_engine, &e) / n;
    }
    fft_transform_destroy(e.transform);
    pages_unmap(&e.from);
    pages_unmap(&e.to);
    return ns;
}

static void engine_row(struct study *s, uint32_t n)
{
    const double ns = engine_ns(s, n, false), huge = engine_ns(s, n, true);
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT("engine"), CELL_NUMBER(n, 10), CELL_NUMBER(ns, 3),
                              CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE, CELL_NUMBER(huge, 3),
                              CELL_NUMBER(ns - huge, 3)});
}

static void size_rows(struct study *s, const struct cost_machine *m, uint32_t n)
{
    const struct counts bases = study_bases(s, n);
    uint32_t best = 0;
    double least = INFINITY;
    char text[40];
    for (uint32_t i = 0; i < bases.count; i++) {
        const double ns = base_row(s, m, n, bases.at[i]);
        if (ns < least) {
            least = ns;
            best = bases.at[i];
        }
    }
    snprintf(text, sizeof text, "best: %u, by model %u", best,
             cost_best(m, n, bases.at, bases.count));
    table_row(&s->tables, (struct cell[]){CELL_TEXT(text), CELL_NUMBER(n, 10), CELL_NONE, CELL_NONE,
                                          CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE});
    engine_row(s, n);
}

int study_model(struct study *s)
{
    static const char *const columns[] = {"base, ns a point", "n",     "measured", "model",
                                          "arithmetic",       "cache", "TLB",      "on huge pages",
                                          "huge pages save",  NULL};
    const struct counts sizes = study_sizes(s, 1 << 12, 16, 1 << 24);
    const struct cost_machine m = study_machine(s);

    table_open(&s->tables, "model",
               "The cost model beside the measurement: what arithmetic, cache and TLB take by the "
               "model, and what the same transform takes\n"
               "on huge pages, all of which the TLB maps. These also lie side by side in memory, "
               "which changes what the caches hold.",
               columns);
    for (uint32_t i = 0; i < sizes.count; i++)
        size_rows(s, &m, sizes.at[i]);
    return 0;
}
