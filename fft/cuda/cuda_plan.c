/* cuda_plan.c - plans fused spectra: forms, groups of frames, chunks and memory layout. */
#include "fft/cuda/cuda_plan.h"

#include <errno.h>
#include <string.h>

#include "fft/cuda/cuda_form.h"
#include "fft/cuda/cuda_frame_groups.h"
#include "fft/cuda/cuda_tables.h"
#include "kernels/cuda/forms.h"

enum {
    ALIGNMENT = 256,
    DENSITY_TILE = 32,
    BEST_COLUMNS = 256,
    MIDDLE_CACHES = 16, /* points between two kernels: this many times the second-level cache */
    FEW_CACHES = 2,     /* the same where one kernel computes most batches */
    RING_CACHES = 2,    /* the ring of a relay takes this fraction of the cache, */
    MIN_ENTRIES = 3,    /* and has at least this many entries, or columns wait for rows */
    MAX_ENTRIES = 8,
    RELAY_FRAMES = 8, /* of a pipeline, at least: no rows are computed during the first */
};

/* ---- memory ----------------------------------------------------------------------------- */

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Reserves `bytes` at *end, aligned; returns their offset. */
static size_t reserve(size_t *end, size_t bytes)
{
    const size_t at = *end;
    *end = aligned(at + bytes);
    return at;
}

/* ---- forms ------------------------------------------------------------------------------ */

static bool fits(const struct cuda_facts *facts, const struct cuda_form *form, uint32_t shared)
{
    return shared <= facts->shared_block && cuda_form_threads(form) <= facts->threads_processor;
}

bool cuda_is_mean_alone(const struct fft_spectrum_config *plan)
{
    return plan->detectors == FFT_DETECTOR_MEAN && plan->density.columns == 0;
}

static void choose_block(struct cuda_spectrum *s)
{
    const bool mean_alone = cuda_is_mean_alone(&s->plan);
    const struct cuda_form *form =
        mean_alone ? cuda_form_plain(s->plan.n) : cuda_form_detectors(s->plan.n);
    if (!form || !fits(&s->facts, form, cuda_form_shared_plain(form)))
        return;
    s->plain = form;
    s->single = mean_alone ? cuda_form_single(s->plan.n) : NULL;
}

/*
 * One block in addition to the plain form, or a cluster. Not with density: counting takes longer
 * than loads.
 */
static void choose_bulk(struct cuda_spectrum *s)
{
    const struct cuda_form *form = cuda_form_bulk(
        s->plan.n, s->plan.format, cuda_is_mean_alone(&s->plan), s->facts.shared_block);
    if (!cuda_copies_in_bulk(&s->facts) || s->plan.density.columns > 0 || !form ||
        (!s->plain && !cuda_form_is_cluster(form)) ||
        cuda_form_threads(form) > s->facts.threads_processor)
        return;
    if (cuda_form_is_cluster(form)) {
        if (!cuda_fills_device(&s->facts, form, s->plan.max_frames))
            return;
        s->clusters = at_least_one(s->facts.processors / form->sharing);
    }
    s->bulk = form;
}

/* Number of doublings or halvings between two powers of two. */
static uint32_t doublings(uint32_t from, uint32_t to)
{
    uint32_t count = 0;
    for (; from < to; from *= 2)
        count++;
    for (; to < from; to *= 2)
        count++;
    return count;
}

/*
 * Columns of 256 points make the best tile: it consists of whole cache lines and leaves room for
 * the next frame. The split is therefore as close to 256 as the row forms allow, or to a square for
 * short frames.
 */
static void choose_split(struct cuda_spectrum *s)
{
    uint32_t best = 1, nearest = UINT32_MAX;
    while (best < BEST_COLUMNS && 4 * best * best <= s->plan.n)
        best *= 2;
    for (uint32_t n1 = s->plan.n / 2; n1 > 1; n1 /= 2) {
        const struct cuda_form *columns = cuda_form_columns(n1, s->facts.shared_block);
        const struct cuda_form *rows = cuda_form_rows(s->plan.n / n1, cuda_is_mean_alone(&s->plan));
        if (columns && rows && doublings(best, n1) < nearest &&
            fits(&s->facts, rows, cuda_form_shared_rows(rows, cuda_copies_in_bulk(&s->facts)))) {
            s->columns = columns;
            s->rows = rows;
            nearest = doublings(best, n1);
        }
    }
}

/* Call after choose_split: two kernels compute small batches. */
static void choose_relay(struct cuda_spectrum *s)
{
    const bool mean_alone = cuda_is_mean_alone(&s->plan);
    const struct cuda_form *form = cuda_form_relay(s->plan.n, mean_alone);
    const uint32_t tiles = s->plan.n / (RELAY_COLUMNS * RELAY_WIDTH);
    if (!cuda_copies_in_bulk(&s->facts) || !form || s->plan.density.columns > 0 || !s->columns ||
        cuda_form_shared_relay(form, mean_alone) > s->facts.shared_block ||
        cuda_relay_threads() > s->facts.threads_processor || tiles > s->facts.processors)
        return;
    const uint64_t frame = (uint64_t)s->plan.n * sizeof(struct fft_iq);
    s->pipelines = s->facts.processors / tiles;
    const uint64_t entries = s->facts.l2_bytes / RING_CACHES / (s->pipelines * frame);
    s->entries = entries < MAX_ENTRIES ? (uint32_t)entries : MAX_ENTRIES;
    if (entries >= MIN_ENTRIES && cuda_relays(s->pipelines, s->plan.max_frames))
        s->relay = form;
}

bool cuda_relays(uint32_t pipelines, uint32_t frames)
{
    return frames >= RELAY_FRAMES * pipelines;
}

bool cuda_leaves_powers(const struct cuda_spectrum *s)
{
    return !s->plain && s->plan.density.columns > 0;
}

/* ---- groups of frames ------------------------------------------------------------------- */

/*
 * One block: one group for each row that the device computes at a time. Two kernels: enough groups
 * to fill the device twice with blocks, because each block loads its roots again.
 */
uint32_t cuda_max_groups(const struct cuda_spectrum *s, bool bulk)
{
    const struct cuda_facts *facts = &s->facts;
    if (bulk && s->clusters > 0)
        return s->clusters;
    const struct cuda_form *form = bulk ? s->bulk : s->plain ? s->plain : s->rows;
    const uint32_t shared = bulk       ? cuda_form_shared_bulk(form, s->plan.format)
                            : s->plain ? cuda_form_shared_plain(form)
                                       : cuda_form_shared_rows(form, cuda_copies_in_bulk(facts));
    const uint64_t rows =
        (uint64_t)facts->processors * form->rows * resident_blocks(facts, form->blocks, shared);
    return s->plain ? at_least_one(rows) : at_least_one(2 * rows / s->columns->n);
}

/* Groups of a chunk, other than of bulk forms, at most. */
static uint32_t chunk_groups(const struct cuda_spectrum *s)
{
    const uint32_t most = cuda_max_groups(s, false);
    return most < s->chunk_frames ? most : s->chunk_frames;
}

static void set_chunk(struct cuda_spectrum *s, uint32_t frames)
{
    s->chunk_frames = frames;
    s->groups = chunk_groups(s);
    if (s->relay && s->entries * s->pipelines > frames)
        s->relay = NULL; /* its ring is where the points of a chunk are */
    if (s->relay && s->pipelines > s->groups)
        s->groups = s->pipelines;
    if (s->bulk) { /* bulk forms compute all frames in one chunk */
        const uint32_t most = cuda_max_groups(s, true);
        const uint32_t bulk = most < s->plan.max_frames ? most : s->plan.max_frames;
        s->groups = bulk > s->groups ? bulk : s->groups;
    }
}

static void choose_chunk(struct cuda_spectrum *s)
{
    const uint64_t n = s->plan.n;
    uint64_t frames = s->plan.max_frames;
    if (cuda_leaves_powers(s)) {
        const uint64_t cached = at_least_one(s->facts.l2_bytes / 2 / (n * sizeof(float)));
        frames = cached < frames ? cached : frames;
    }
    if (!s->plain) {
        const uint64_t cached = at_least_one((s->bulk || s->relay ? FEW_CACHES : MIDDLE_CACHES) *
                                             s->facts.l2_bytes / (n * sizeof(struct fft_iq)));
        frames = cached < frames ? cached : frames;
    }
    set_chunk(s, (uint32_t)frames);
}

/* Has the relay the same split as two kernels? */
static bool shares_tables(const struct cuda_spectrum *s)
{
    return s->columns->n == RELAY_COLUMNS &&
           memcmp(s->relay->radix, s->rows->radix, sizeof s->rows->radix) == 0;
}

static size_t twiddles_bytes(const struct cuda_form *form)
{
    return sizeof(struct fft_iq) * cuda_form_twiddles_at(form, cuda_form_passes(form));
}

static size_t bridge_bytes(const struct cuda_form *rows, uint32_t n1)
{
    return sizeof(struct fft_iq) * n1 * cuda_form_roots_at(rows, cuda_form_passes(rows));
}

static void reserve_roots_of_relay(struct cuda_spectrum *s, size_t *end)
{
    s->twiddles_at[2] = s->twiddles_at[0];
    s->bridge_at[2] = s->bridge_at[0];
    if (shares_tables(s))
        return;
    s->twiddles_at[2] = reserve(end, twiddles_bytes(cuda_form_relay_columns()));
    s->bridge_at[2] = reserve(end, bridge_bytes(s->relay, RELAY_COLUMNS));
}

static size_t bulk_roots_bytes(const struct cuda_form *form)
{
    return form->parts > 1 ? bridge_bytes(form, form->parts) : twiddles_bytes(form);
}

static void set_layout(struct cuda_spectrum *s)
{
    const size_t n = s->plan.n, row = n * sizeof(float);
    const struct cuda_form *first = s->plain ? s->plain : s->columns;
    size_t end = 0;
    reserve(&end, row); /* the window is first */
    s->twiddles_at[0] = reserve(&end, twiddles_bytes(first));
    if (s->bulk)
        s->twiddles_at[1] = s->bridge_at[1] = reserve(&end, bulk_roots_bytes(s->bulk));
    if (s->rows)
        s->bridge_at[0] = reserve(&end, bridge_bytes(s->rows, s->columns->n));
    if (s->relay)
        reserve_roots_of_relay(s, &end);
    s->first_bins_at = reserve(&end, (s->plan.density.columns + 1) * sizeof(uint32_t));
    s->tables_bytes = end;

    end = 0;
    if (!s->plain)
        reserve(&end, s->chunk_frames * n * sizeof(struct fft_iq));
    s->partial_at = reserve(&end, 3 * row * (s->groups > 1 ? s->groups : 0));
    s->powers_at = reserve(&end, cuda_leaves_powers(s) ? s->chunk_frames * row : 0);
    s->progress_at = reserve(&end, s->relay ? cuda_relay_counters(s) * sizeof(uint32_t) : 0);
    const bool kept = s->rows && s->chunk_frames < s->plan.max_frames;
    const size_t detectors = cuda_is_mean_alone(&s->plan) ? 1 : 3;
    s->kept_at = reserve(&end, kept ? detectors * row * chunk_groups(s) : 0);
    s->scratch_bytes = end;
    s->samples_bytes =
        ((size_t)(s->plan.max_frames - 1) * s->plan.hop + n) * fft_iq_bytes(s->plan.format);
}

static void set_result_layout(struct cuda_spectrum *s)
{
    size_t *const at[FFT_DETECTORS] = {&s->result.sum, &s->result.max, &s->result.min,
                                       &s->result.last};
    size_t end = 0;
    for (unsigned i = 0; i < FFT_DETECTORS; i++)
        *at[i] =
            s->plan.detectors & 1U << i ? reserve(&end, s->plan.n * sizeof(float)) : CUDA_ABSENT;
    const struct fft_density *d = &s->plan.density;
    s->result.hits = CUDA_ABSENT;
    if (d->columns > 0)
        s->result.hits = reserve(&end, (size_t)d->columns * d->levels * sizeof(uint32_t));
    s->result.bytes = end;
    s->result.write_once = d->columns == 0 && s->chunk_frames == s->plan.max_frames;
}

/* As many columns per block as shared memory allows. Kernels index the hits in 32 bits. */
static int choose_density(struct cuda_spectrum *s)
{
    const uint64_t column = (uint64_t)s->plan.density.levels * sizeof(uint32_t);
    if ((uint64_t)s->plan.density.columns * s->plan.density.levels > UINT32_MAX)
        return -ENOTSUP;
    s->density_tile = DENSITY_TILE;
    while (s->density_tile > 1 && s->density_tile * column > s->facts.shared_block)
        s->density_tile /= 2;
    return s->density_tile * column <= s->facts.shared_block ? 0 : -ENOTSUP;
}

int cuda_spectrum_plan(struct cuda_spectrum *out, const struct cuda_facts *facts,
                       const struct fft_spectrum_config *plan)
{
    *out = (struct cuda_spectrum){.facts = *facts, .plan = *plan};
    choose_block(out);
    choose_bulk(out);
    if (!out->plain)
        choose_split(out);
    if (!out->plain && !out->columns)
        return -ENOTSUP;
    if (!out->bulk)
        choose_relay(out);
    choose_chunk(out);
    set_layout(out);
    set_result_layout(out);
    return choose_density(out);
}

bool cuda_spectrum_shrink(struct cuda_spectrum *s)
{
    struct cuda_spectrum less = *s;
    while (less.chunk_frames > 1 && less.scratch_bytes >= s->scratch_bytes) {
        set_chunk(&less, less.chunk_frames / 2);
        set_layout(&less);
    }
    less.result.write_once = false;
    if (less.scratch_bytes >= s->scratch_bytes)
        return false;
    *s = less;
    return true;
}

void cuda_spectrum_limit_clusters(struct cuda_spectrum *s, uint32_t most)
{
    if (s->clusters > 0 && most == 0)
        s->bulk = NULL;
    if (most < s->clusters)
        s->clusters = most;
}

void cuda_spectrum_tables(const struct cuda_spectrum *s, void *tables)
{
    const double full_scale = fft_iq_full_scale(s->plan.format);
    float *window = tables;
    for (uint32_t i = 0; i < s->plan.n; i++)
        window[i] = (float)(s->plan.window[i] / full_scale);

    const struct fft_density *d = &s->plan.density;
    uint32_t *first_bins = (uint32_t *)((char *)tables + s->first_bins_at);
    for (uint32_t c = 0; d->columns > 0 && c <= d->columns; c++)
        first_bins[c] = (uint32_t)(((uint64_t)c * s->plan.n + d->columns - 1) / d->columns);

    struct fft_iq *twiddles[3], *bridge[3];
    for (unsigned i = 0; i < 3; i++) {
        twiddles[i] = (struct fft_iq *)((char *)tables + s->twiddles_at[i]);
        bridge[i] = (struct fft_iq *)((char *)tables + s->bridge_at[i]);
    }
    cuda_twiddles(s->plain ? s->plain : s->columns, twiddles[0]);
    if (s->rows)
        cuda_bridge(s->rows, s->columns->n, bridge[0]);
    if (s->bulk && s->bulk->parts > 1)
        cuda_bridge(s->bulk, s->bulk->parts, bridge[1]);
    else if (s->bulk)
        cuda_twiddles(s->bulk, twiddles[1]);
    if (s->relay && s->bridge_at[2] != s->bridge_at[0]) {
        cuda_twiddles(cuda_form_relay_columns(), twiddles[2]);
        cuda_bridge(s->relay, RELAY_COLUMNS, bridge[2]);
    }
}
