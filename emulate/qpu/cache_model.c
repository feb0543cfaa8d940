/* cache_model.c - counts lines through the caches of the TMUs and the L2 cache; see tmu.c. */
#include "emulate/qpu/cache_model.h"

#include <math.h>
#include <stdlib.h>

enum { LINE_BYTES = 64, TMU_LINES = 64, SETS = 128, WAYS = 4, UNITS = 4, LANES = 16 };

/* Tags are line numbers + 1; 0: empty. */
struct caches {
    uint32_t tmu[UNITS][TMU_LINES];
    uint32_t tag[SETS][WAYS], used[SETS][WAYS], clock;
    uint64_t lines_read, misses, best_misses; /* misses: of the TMUs */
};

static void read_l2(struct caches *c, uint32_t line)
{
    uint32_t *tag = c->tag[line % SETS], *used = c->used[line % SETS];
    int way = 0;
    for (int i = 0; i < WAYS; i++)
        if (used[i] < used[way])
            way = i;
    for (int i = 0; i < WAYS; i++)
        if (tag[i] == line + 1)
            way = i;
    c->lines_read += tag[way] != line + 1;
    tag[way] = line + 1;
    used[way] = ++c->clock;
}

/* Different lines of a request that its TMU does not have. */
static unsigned missing_lines(const struct caches *c, int unit, const uint32_t *address)
{
    unsigned missing = 0;
    for (int lane = 0; lane < LANES; lane++) {
        const uint32_t line = address[lane] / LINE_BYTES;
        bool again = false;
        for (int before = 0; before < lane; before++)
            again = again || address[before] / LINE_BYTES == line;
        missing += !again && c->tmu[unit][line % TMU_LINES] != line + 1;
    }
    return missing;
}

static void read_lanes(struct caches *c, int unit, const uint32_t *address)
{
    c->best_misses += missing_lines(c, unit, address);
    for (int lane = 0; lane < LANES; lane++) {
        const uint32_t line = address[lane] / LINE_BYTES;
        uint32_t *tag = &c->tmu[unit][line % TMU_LINES];
        if (*tag != line + 1) {
            c->misses++;
            read_l2(c, line);
        }
        *tag = line + 1;
    }
}

/* The two requests of a vector of points. */
static void read_points(struct caches *c, int unit, enum cache_model_order order,
                        const float *points)
{
    uint32_t address[LANES];
    for (int request = 0; request < 2; request++) {
        for (int lane = 0; lane < LANES; lane++)
            address[lane] = order == CACHE_MODEL_PLAIN
                                ? 8 * (uint32_t)points[lane] + 4 * (uint32_t)request
                                : 8 * (uint32_t)points[(lane & ~1) + request] + 4 * (lane & 1);
        read_lanes(c, unit, address);
    }
}

static void read_window(struct caches *c, int unit, enum cache_model_order order,
                        const float *points, uint32_t at, uint32_t window)
{
    uint32_t address[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        address[lane] =
            window + 4 * (order == CACHE_MODEL_PLAIN ? (uint32_t)points[lane] : at + lane);
    read_lanes(c, unit, address);
}

/* The TMU of a QPU's points: QPUs 2, 3, 6 and 7 exchange theirs. */
static int unit_of(uint32_t q)
{
    return (int)(q / 4 * 2 + (q >> 1 & 1));
}

/* points: [n], in the order in which the QPUs read them. */
static void read_pass(struct caches *c, const struct qpu_plan *plan, enum cache_model_order order,
                      const float *points)
{
    const uint32_t n = 1u << plan->log2_n, of_qpu = n / QPU_PLAN_QPUS;
    for (uint32_t at = 0; at < of_qpu; at += LANES)
        for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++) {
            const uint32_t first = q * of_qpu + at;
            const int unit = unit_of(q);
            read_points(c, unit, order, points + first);
            if (plan->windowed)
                read_window(c, unit ^ 1, order, points + first, first, plan->frame_bytes);
        }
}

/* False: out of memory. */
static bool run_pass(struct caches *caches, const struct qpu_plan *plan,
                     enum cache_model_order order)
{
    const uint32_t n = 1u << plan->log2_n;
    float *identity = malloc(n * sizeof *identity), *points = malloc(n * sizeof *points);
    const bool run = identity && points;
    for (uint32_t i = 0; identity && i < n; i++)
        identity[i] = (float)i;
    if (run) {
        qpu_plan_window(plan, identity, 0, points, n);
        read_pass(caches, plan, order, points);
    }
    free(points);
    free(identity);
    return run;
}

static double points_of(const struct qpu_plan *plan)
{
    return (double)(1u << plan->log2_n);
}

/* Vector `vector` of block m: 16 points of a block of 2^bits. */
static void stockham_points(const struct qpu_plan *plan, uint32_t bits, uint32_t m, uint32_t vector,
                            float *points)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        points[lane] = (float)(m + ((vector * LANES + lane) << (plan->log2_n - bits)));
}

double cache_model_stockham(const struct qpu_plan *plan)
{
    struct caches *caches = calloc(1, sizeof *caches);
    double result = (double)NAN;
    for (uint32_t p = 0; caches && p < plan->passes; p++) {
        const uint32_t bits = plan->pass[p].bits, blocks = 1u << (plan->log2_n - bits);
        *caches = (struct caches){.lines_read = caches->lines_read}; /* another buffer */
        for (uint32_t first = 0; first < blocks; first += QPU_PLAN_QPUS)
            for (uint32_t vector = 0; vector < qpu_pass_vectors(&plan->pass[p]); vector++)
                for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++) {
                    float points[LANES];
                    stockham_points(plan, bits, first + q, vector, points);
                    read_points(caches, unit_of(q), CACHE_MODEL_INTERLEAVED, points);
                }
    }
    if (caches)
        result = (double)caches->lines_read * LINE_BYTES / (8 * points_of(plan));
    free(caches);
    return result;
}

double cache_model_first_pass(const struct qpu_plan *plan, enum cache_model_order order)
{
    struct caches *caches = calloc(1, sizeof *caches);
    double result = (double)NAN;
    if (caches && run_pass(caches, plan, order))
        result = (double)caches->lines_read * LINE_BYTES / (8 * points_of(plan));
    free(caches);
    return result;
}

double cache_model_misses(const struct qpu_plan *plan, enum cache_model_order order, bool best)
{
    struct caches *caches = calloc(1, sizeof *caches);
    double result = (double)NAN;
    if (caches && run_pass(caches, plan, order))
        result = (double)(best ? caches->best_misses : caches->misses) / points_of(plan);
    free(caches);
    return result;
}
