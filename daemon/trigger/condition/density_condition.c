/* density_condition.c - the condition "density": a column of the density is at or above a level for
 * a share of the time. */
#include "daemon/line/density_sum.h"

#include <errno.h>
#include <math.h>

#include "daemon/base/reason.h"
#include "daemon/option/option.h"
#include "daemon/trigger/condition/condition.h"

struct density_state {
    double level_dbfs, percent, persistence_s;
    char band[CONDITION_BAND]; /* "": the usable band */
    struct condition_band bins;
    struct density density;
    uint32_t rows; /* from the top: at or above the level as a whole */
    double part;   /* of the next row */
};

static const struct config_option options[] = {
    {"density", "density", .kind = OPTION_NUMBER, OPTION_FIELD(struct density_state, level_dbfs),
     .fallback = "-60", .metavar = "DBFS", .unit = SI_DB, .min = -300, .max = 300,
     .help = "The level; density-top and density-step set the levels that a density has"},
    {"density", "share", .kind = OPTION_NUMBER, OPTION_FIELD(struct density_state, percent),
     .fallback = "50", .metavar = "PERCENT", .unit = SI_PERCENT, .min = 0.001, .max = 100,
     .help = "A column that is at or above the level for this share of the time meets the "
             "condition"},
    {"density", "persistence", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct density_state, persistence_s), .fallback = "0", .metavar = "SECONDS",
     .unit = SI_SECONDS, .min = 0, .max = 1e6,
     .help = "How long a line counts: the time constant of an exponential decay; 0: the newest "
             "line alone"},
    {"density", "band", .kind = OPTION_LABEL, OPTION_FIELD(struct density_state, band),
     .fallback = "", .metavar = "LOW:HIGH", .expected = "two frequencies as in 433M:434M",
     .check = condition_check_band,
     .help = "The columns that count; empty: all of the usable band"},
};

static int find_rows(struct density_state *s, struct reason *why)
{
    const struct fft_density *shape = &s->density.shape;
    const double rows = ((double)shape->top_db - s->level_dbfs) / (double)shape->step_db;
    if (!(rows > 0 && rows < shape->levels))
        return reason_set(
            why, -ERANGE, "%g dBFS is not within the levels of the density, %g to %g dBFS",
            s->level_dbfs, (double)shape->top_db - shape->levels * (double)shape->step_db,
            (double)shape->top_db);
    s->rows = (uint32_t)rows;
    s->part = rows - s->rows;
    return 0;
}

static int prepare(void *state, const struct line *line, struct reason *why)
{
    struct density_state *s = state;
    const int changed = condition_band_find(&s->bins, line, s->band, why);
    if (changed < 0)
        return changed;
    if (!line->hits)
        return line->dwells ? reason_set(why, -ERANGE, "a sweep has no density")
                            : reason_set(why, -EAGAIN, "the density is not counted yet");
    s->density.persistence_s = s->persistence_s;
    const int err = density_add(&s->density, line);
    return err < 0 ? err : find_rows(s, why);
}

/* Hits count as spread evenly over their level. */
static bool is_dense(const struct density_state *s, uint32_t column)
{
    const double *hits = s->density.hits + (size_t)column * s->density.shape.levels;
    double above = s->part * hits[s->rows];
    for (uint32_t row = 0; row < s->rows; row++)
        above += hits[row];
    /* A share of 100 % is met by all hits, however their sum is rounded. */
    return above >= s->density.frames * s->percent / 100 * (1 - 1e-9);
}

static uint32_t column_of(const struct density *d, uint32_t bin)
{
    return (uint32_t)((uint64_t)bin * d->shape.columns / d->n);
}

static void add_column(const struct density_state *s, const struct line *line, uint32_t column,
                       struct condition_hit *hit)
{
    const float *max = line->detector[1];
    const uint32_t end = density_first_bin(&s->density, column + 1);
    for (uint32_t k = density_first_bin(&s->density, column); k < end; k++) {
        hit->first = k < hit->first ? k : hit->first;
        hit->last = k;
        if (max && !((double)max[k] <= hit->peak)) {
            hit->peak = (double)max[k];
            hit->peak_bin = k;
        }
    }
}

static uint64_t decide(const void *state, const struct line *line, uint64_t first, bool *met,
                       struct condition_hit *hit)
{
    const struct density_state *s = state;
    const uint32_t end = column_of(&s->density, s->bins.last);
    *hit = (struct condition_hit){.first = UINT32_MAX, .peak = NAN};
    *met = false;
    for (uint32_t c = column_of(&s->density, s->bins.first); c <= end; c++) {
        if (!is_dense(s, c))
            continue;
        add_column(s, line, c, hit);
        *met = true;
    }
    return line->frames - first;
}

static void finish(void *state)
{
    struct density_state *s = state;
    density_finish(&s->density);
}

const struct condition_ops condition_density = {
    .name = "density",
    .about = "A share of the time, a part of a band is at or above a level",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct density_state),
    .prepare = prepare,
    .decide = decide,
    .by_line = true,
    .density = true,
    .finish = finish,
};
