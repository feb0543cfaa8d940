/* cuda_form.c - the table of kernel forms and their memory sizes. */
#include "fft/cuda/cuda_form.h"

#include "kernels/cuda/forms.h"

enum {
    POINT_BYTES = 8,
    BARRIER_BYTES = 8,
    COLUMN_BANKS = 16,
    WARP = 32,
    MANY_POINTS = 32,  /* of a thread: such forms have few threads with many registers */
    SHARED_SHIFT = 16, /* samples after each row of columns that two threads share */
    DOUBLE_BUFFER_THREADS =
        256,         /* of a cluster's block, at most, with two sets of exchange buffers */
    NEAR_SAMPLE = 4, /* bytes, at most: such blocks have the window in shared memory, too */
};

#define FORM(n, e, r0, r1, r2, r3, rows, blocks, ...)                                              \
    {n, e, {r0, r1, r2, r3}, rows, blocks, 1, 1, {__VA_ARGS__}},
#define NAMES(kind, n)                                                                             \
    [FFT_IQ_CU8] = #kind "_cu8_" #n, [FFT_IQ_CS8] = #kind "_cs8_" #n,                              \
    [FFT_IQ_CS16] = #kind "_cs16_" #n, [FFT_IQ_CF32] = #kind "_cf32_" #n
#define BY_FORMAT(n, e, r0, r1, r2, r3, rows, blocks, kind)                                        \
    FORM(n, e, r0, r1, r2, r3, rows, blocks, NAMES(kind, n))
#define PARTS(n, e, r0, r1, parts, blocks, kind)                                                   \
    {n, e, {r0, r1, 1, 1}, 1, blocks, parts, 1, {NAMES(kind, n)}},
#define PAIRS(n, e, r0, r1, pairs, blocks, kind)                                                   \
    {n, e, {r0, r1, 1, 1}, pairs, blocks, 1, 1, {NAMES(kind, n)}},
#define CLUSTER(n, e, r0, r1, parts, sharing, blocks, kind)                                        \
    {n, e, {r0, r1, 1, 1}, 1, blocks, parts, sharing, {NAMES(kind, n##x##sharing)}},
#define RELAY(n, row, r0, r1, r2, rows, kind)                                                      \
    {row, r0, {r0, r1, r2, 1}, rows, 1, 1, 1, {NAMES(kind, n)}},
/* Forms that exist in several widths have the width in their name. */
#define BY_WIDTH(n, e, r0, r1, r2, r3, rows, blocks, kind)                                         \
    FORM(n, e, r0, r1, r2, r3, rows, blocks, NAMES(kind, n##x##rows))
#define BY_FOLD(n, e, r0, r1, r2, r3, rows, blocks, kind)                                          \
    FORM(n, e, r0, r1, r2, r3, rows, blocks, #kind "_" #n)

static const struct cuda_form mean_forms[] = {MEAN_FORMS(BY_WIDTH, spectrum_mean) PARTS_MEAN_FORMS(
    PARTS, spectrum_parts_mean) CLUSTER_MEAN_FORMS(CLUSTER, spectrum_cluster_mean){0}};
static const struct cuda_form plain_forms[] = {PLAIN_FORMS(BY_FORMAT, spectrum_plain){0}};
static const struct cuda_form single_forms[] = {SINGLE_FORMS(BY_FORMAT, spectrum_single){0}};
static const struct cuda_form detectors_forms[] = {
    DETECTORS_FORMS(BY_FORMAT, spectrum_detectors){0}};
static const struct cuda_form all_forms[] = {
    ALL_FORMS(BY_FORMAT, spectrum_all) PAIRS_FORMS(PAIRS, spectrum_pairs)
        PARTS_FORMS(PARTS, spectrum_parts) CLUSTER_ALL_FORMS(CLUSTER, spectrum_cluster){0}};
static const struct cuda_form columns_forms[] = {COLUMNS_FORMS(BY_WIDTH, columns){0}};
static const struct cuda_form rows_mean_forms[] = {ROWS_MEAN_FORMS(BY_FOLD, rows_mean){0}};
static const struct cuda_form rows_detectors_forms[] = {
    ROWS_DETECTORS_FORMS(BY_FOLD, rows_detectors){0}};

static const struct cuda_form relay_mean_forms[] = {RELAY_FORMS(RELAY, spectrum_relay_mean){0}};
static const struct cuda_form relay_detectors_forms[] = {RELAY_FORMS(RELAY, spectrum_relay){0}};
static const struct cuda_form relay_columns = {.n = RELAY_COLUMNS, .radix = {16, 16, 1, 1}};

static const struct cuda_form *find(const struct cuda_form *form, uint32_t n)
{
    while (form->n != 0 && form->n != n)
        form++;
    return form->n != 0 ? form : NULL;
}

const struct cuda_form *cuda_form_bulk(uint32_t n, enum fft_iq_format format, bool mean_alone,
                                       uint32_t shared)
{
    const struct cuda_form *form = find(mean_alone ? mean_forms : all_forms, n);
    while (form && cuda_form_shared_bulk(form, format) > shared)
        form = find(form + 1, n);
    return form;
}

const struct cuda_form *cuda_form_plain(uint32_t n)
{
    return find(plain_forms, n);
}

const struct cuda_form *cuda_form_single(uint32_t n)
{
    return find(single_forms, n);
}

const struct cuda_form *cuda_form_detectors(uint32_t n)
{
    return find(detectors_forms, n);
}

const struct cuda_form *cuda_form_columns(uint32_t n, uint32_t shared)
{
    const struct cuda_form *form = find(columns_forms, n);
    while (form && cuda_form_shared_columns(form) > shared)
        form = find(form + 1, n);
    return form;
}

const struct cuda_form *cuda_form_rows(uint32_t n, bool mean_alone)
{
    return find(mean_alone ? rows_mean_forms : rows_detectors_forms, n);
}

const struct cuda_form *cuda_form_relay(uint32_t n, bool mean_alone)
{
    return find(mean_alone ? relay_mean_forms : relay_detectors_forms, n / RELAY_COLUMNS);
}

const struct cuda_form *cuda_form_relay_columns(void)
{
    return &relay_columns;
}

bool cuda_form_is_cluster(const struct cuda_form *form)
{
    return form->sharing > 1;
}

uint32_t cuda_form_threads(const struct cuda_form *form)
{
    return form->n / form->points / form->sharing * form->rows;
}

uint32_t cuda_form_passes(const struct cuda_form *form)
{
    uint32_t passes = 0;
    while (passes < FORM_PASSES && form->radix[passes] > 1)
        passes++;
    return passes;
}

uint32_t cuda_form_joined(const struct cuda_form *form, uint32_t pass)
{
    uint32_t joined = 1;
    for (uint32_t p = 0; p < pass; p++)
        joined *= form->radix[p];
    return joined;
}

size_t cuda_form_twiddles_at(const struct cuda_form *form, uint32_t pass)
{
    return cuda_form_roots_at(form, pass) - (pass > 0 ? form->radix[0] / 2 : 0);
}

size_t cuda_form_roots_at(const struct cuda_form *form, uint32_t pass)
{
    size_t at = 0;
    for (uint32_t p = 0; p < pass; p++)
        at += (size_t)cuda_form_joined(form, p) * form->radix[p] / 2;
    return at;
}

/* Of `count` transforms of n points. The gaps are those of kernels/cuda/shape.h. */
static uint32_t exchange_bytes_of(const struct cuda_form *form, uint32_t n, uint32_t count)
{
    const uint32_t gap = n / form->points >= 16 && form->radix[0] <= 32 ? 2 : 1;
    return count * (n + n / form->radix[0] * gap) * POINT_BYTES;
}

static uint32_t exchange_bytes(const struct cuda_form *form)
{
    return exchange_bytes_of(form, form->n, form->rows);
}

/* Of passes 1 and 2; the table of a third pass stays in global memory. */
static uint32_t twiddle_bytes(const struct cuda_form *form)
{
    const uint32_t passes = cuda_form_passes(form);
    return (uint32_t)cuda_form_twiddles_at(form, passes > 2 ? passes - 1 : passes) * POINT_BYTES;
}

/* Two-pass forms with 32 or more points per thread keep their window there, too. */
static uint32_t window_bytes(const struct cuda_form *form)
{
    return form->points >= MANY_POINTS && cuda_form_passes(form) == 2
               ? form->n * (uint32_t)sizeof(float)
               : 0;
}

/* As in kernels/cuda/spectrum_parts.h. */
static uint32_t shared_parts(const struct cuda_form *form, enum fft_iq_format format)
{
    const uint32_t near_passes = form->points >= MANY_POINTS ? 1 : 2;
    const uint32_t bytes = (uint32_t)fft_iq_bytes(format);
    const uint32_t sets = form->points >= MANY_POINTS && bytes <= NEAR_SAMPLE ? 2 : 1;
    return sets * exchange_bytes_of(form, form->n / form->parts, form->parts) +
           form->n * (bytes + (uint32_t)sizeof(float)) +
           form->parts * (uint32_t)cuda_form_roots_at(form, near_passes) * POINT_BYTES +
           BARRIER_BYTES;
}

/* As in kernels/cuda/spectrum_cluster.h. */
static uint32_t shared_cluster(const struct cuda_form *form, enum fft_iq_format format)
{
    const uint32_t own = form->parts / form->sharing, each = form->n / form->sharing;
    const uint32_t threads_column = form->parts / form->points;
    const uint32_t shifts = threads_column > 1 ? form->parts * SHARED_SHIFT : 0;
    const uint32_t bytes = (uint32_t)fft_iq_bytes(format);
    const bool double_buffered = cuda_form_threads(form) <= DOUBLE_BUFFER_THREADS;
    return (double_buffered ? 2 : 1) * exchange_bytes_of(form, form->n / form->parts, own) +
           (each + shifts) * bytes + own * (uint32_t)cuda_form_roots_at(form, 1) * POINT_BYTES +
           (double_buffered && bytes <= NEAR_SAMPLE ? each * (uint32_t)sizeof(float) : 0) +
           BARRIER_BYTES;
}

/* As in kernels/cuda/spectrum_pairs.h: a row of two warps, of which each transforms frames. */
static bool is_pairs(const struct cuda_form *form)
{
    return form->points < form->radix[0];
}

static uint32_t shared_pairs(const struct cuda_form *form, enum fft_iq_format format)
{
    struct cuda_form warps = *form;
    warps.points *= 2;
    warps.rows *= 2;
    return cuda_form_shared_bulk(&warps, format);
}

uint32_t cuda_form_shared_bulk(const struct cuda_form *form, enum fft_iq_format format)
{
    if (cuda_form_is_cluster(form))
        return shared_cluster(form, format);
    if (form->parts > 1)
        return shared_parts(form, format);
    if (is_pairs(form))
        return shared_pairs(form, format);
    const uint32_t bytes = (uint32_t)fft_iq_bytes(format), threads = form->n / form->points;
    const uint32_t stage = (form->n + (threads < WARP ? threads : 0)) * bytes + BARRIER_BYTES;
    return exchange_bytes(form) + twiddle_bytes(form) + window_bytes(form) + form->rows * stage;
}

uint32_t cuda_form_shared_plain(const struct cuda_form *form)
{
    return exchange_bytes(form) + twiddle_bytes(form);
}

uint32_t cuda_form_shared_single(const struct cuda_form *form)
{
    return exchange_bytes(form);
}

uint32_t cuda_form_shared_columns(const struct cuda_form *form)
{
    if (form->rows < COLUMN_BANKS)
        return exchange_bytes(form);
    return form->rows * form->n * POINT_BYTES;
}

uint32_t cuda_form_shared_rows(const struct cuda_form *form, bool copies)
{
    enum { STAGES = 2 }; /* row_input's */
    const uint32_t stage = form->n * POINT_BYTES + BARRIER_BYTES;
    const uint32_t near_passes = cuda_form_passes(form) - 1; /* row_roots' */
    return exchange_bytes(form) +
           form->rows * (uint32_t)cuda_form_roots_at(form, near_passes) * POINT_BYTES +
           (copies ? form->rows * STAGES * stage : 0);
}

/* As in kernels/cuda/spectrum_relay.h. */
uint32_t cuda_form_shared_relay(const struct cuda_form *form, bool mean_alone)
{
    enum { ARRIVALS = 4 }; /* for each stage */
    const uint32_t near_passes = cuda_form_passes(form) - 1;
    const uint32_t tile = RELAY_COLUMNS * RELAY_WIDTH;
    return (1 + RELAY_STAGES) * tile * POINT_BYTES + exchange_bytes(form) +
           form->rows * (uint32_t)cuda_form_roots_at(form, near_passes) * POINT_BYTES +
           twiddle_bytes(&relay_columns) + RELAY_STAGES * ARRIVALS * BARRIER_BYTES +
           (mean_alone ? 0 : 2 * tile * (uint32_t)sizeof(float)); /* maxima, minima */
}
