/* channel_bank.c - blocks through the forward transform, bins to channels. */
#include "daemon/channel/channel_bank.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/channel/channel_loops.h"
#include "daemon/system/memory_block.h"
#include "fft/fft.h"

#define PI 3.14159265358979323846
enum {
    CHUNK = 512,   /* outputs along which rounding adds up */
    KINDS_KEPT = 4 /* without users: who comes again soon needs no plan */
};

/* What channels of the same points and filter share. */
struct channel_kind {
    struct channel_kind *next;
    unsigned users;
    struct channel_shape shape;
    struct fft_transform *inverse;
    float *response;              /* [m] */
    double power;                 /* the sum of its squares */
    double independent;           /* values in a block's level */
    struct fft_iq *bins, *points; /* [m], and room to turn the last outputs in */
};

struct channel_bank {
    struct channel_grid grid;
    enum fft_iq_format format;
    float scale; /* of the values that fft_iq_unpack gives; the responses contain it */
    const struct channel_loops *loops;
    struct fft_engine *engine;
    struct fft_transform *forward;
    struct channel_kind *kinds;
    struct channel_meter *meter;
    struct fft_iq *samples, *spectrum; /* [n] */
    float slope[CHANNEL_SLOPE];        /* of the spectrum's ends */
    size_t have;                       /* samples of the block */
    uint64_t number;                   /* of the segment's first sample */
    uint64_t block;                    /* of those in the segment */
    uint64_t taken;                    /* samples of the segment so far */
    bool ended;                        /* no more come */
    bool complete;                     /* the block is in `spectrum` */
};

/* ---- life ------------------------------------------------------------------------------- */

/* A long transform reads by columns, from page to page: on huge ones. */
static struct fft_iq *make_array(size_t count)
{
    const size_t bytes = count * sizeof(struct fft_iq);
    struct fft_iq *array = block_take(bytes, bytes);
    if (array)
        memset(array, 0, bytes);
    return array;
}

static int plan(struct channel_bank *b, struct fft_transform **out, enum fft_transform_type type,
                uint32_t n, struct reason *why)
{
    char text[256] = "";
    const struct fft_transform_config config = {.type = type, .rank = 1, .n = {n}, .batch = 1};
    const int err = fft_transform_create(out, b->engine, &config, text, sizeof text);
    return err < 0 ? reason_set(why, err, "a channel's transform of %u points: %s", n, text) : 0;
}

int channel_bank_create(struct channel_bank **out, const struct channel_grid *g,
                        enum fft_iq_format format, double full_scale, struct reason *why)
{
    char text[256] = "";
    const struct fft_engine_config engine = {.name = "cpu", .threads = 1};
    struct channel_bank *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return reason_set(why, -ENOMEM, "channels: no memory");
    b->grid = *g;
    b->format = format;
    b->loops = channel_loops_at(0);
    b->scale = (float)(fft_iq_full_scale(format) / full_scale);
    channel_grid_slope(g, b->slope);
    b->samples = make_array(g->n);
    b->spectrum = make_array(g->n);
    const double blocks = CHANNEL_METER_MEAN_S * g->rate_hz / g->hop;
    int err = channel_meter_create(&b->meter, g->n, (uint32_t)fmin(fmax(blocks, 1), 1e6));
    if (err < 0 || !b->samples || !b->spectrum)
        err = reason_set(why, -ENOMEM, "channels: no memory");
    if (err == 0 && (err = fft_engine_open(&b->engine, &engine, text, sizeof text)) < 0)
        reason_set(why, err, "channels: %s", text);
    if (err == 0)
        err = plan(b, &b->forward, FFT_TRANSFORM_FORWARD, g->n, why);
    if (err < 0) {
        channel_bank_destroy(b);
        return err;
    }
    *out = b;
    return 0;
}

static void free_kind(struct channel_kind *k)
{
    fft_transform_destroy(k->inverse);
    free(k->response);
    free(k->bins);
    free(k->points);
    free(k);
}

void channel_bank_destroy(struct channel_bank *b)
{
    if (!b)
        return;
    while (b->kinds) {
        struct channel_kind *k = b->kinds;
        b->kinds = k->next;
        free_kind(k);
    }
    fft_transform_destroy(b->forward);
    fft_engine_close(b->engine);
    channel_meter_destroy(b->meter);
    free(b->samples);
    free(b->spectrum);
    free(b);
}

/* ---- channels --------------------------------------------------------------------------- */

static bool same_shape(const struct channel_shape *a, const struct channel_shape *b)
{
    return a->m == b->m && fabs(a->pass_hz - b->pass_hz) < 1e-3;
}

static void sum_response(struct channel_kind *k)
{
    double fourth = 0;
    for (uint32_t i = 0; i < k->shape.m; i++) {
        const double square = (double)k->response[i] * k->response[i];
        k->power += square;
        fourth += square * square;
    }
    k->independent = fourth > 0 ? CHANNEL_METER_INDEPENDENT * k->power * k->power / fourth : 1;
}

static int make_kind(struct channel_bank *b, const struct channel_shape *s,
                     struct channel_kind **out, struct reason *why)
{
    struct channel_kind *k = calloc(1, sizeof *k);
    if (!k)
        return reason_set(why, -ENOMEM, "a channel: no memory");
    k->shape = *s;
    k->response = malloc(s->m * sizeof *k->response);
    k->bins = make_array(s->m);
    k->points = make_array(s->m + CHANNEL_TURNED);
    int err = k->response && k->bins && k->points
                  ? plan(b, &k->inverse, FFT_TRANSFORM_INVERSE, s->m, why)
                  : reason_set(why, -ENOMEM, "a channel: no memory");
    if (err < 0) {
        free_kind(k);
        return err;
    }
    channel_shape_response(s, &b->grid, k->response);
    for (uint32_t i = 0; i < s->m; i++)
        k->response[i] *= b->scale;
    sum_response(k);
    k->next = b->kinds;
    b->kinds = k;
    *out = k;
    return 0;
}

/* The bins of its own, and those around, which may be others at the stream's ends. */
static void watch(struct channel_bank *b, struct channel_filter *f, struct channel_bins band,
                  struct channel_bins around)
{
    channel_meter_watch(b->meter, band); /* before it leaves: what stays keeps its means */
    channel_meter_watch(b->meter, around);
    channel_meter_leave(b->meter, f->band);
    channel_meter_leave(b->meter, f->around);
    f->band = band;
    f->around = around;
    for (int i = 0; i < CHANNEL_METER_MEANS; i++)
        f->noise[i] = NAN;
    f->noise_blocks = 0;
}

int channel_bank_join(struct channel_bank *b, struct channel_filter *f,
                      const struct channel_shape *s, struct reason *why)
{
    struct channel_kind *k = b->kinds;
    while (k && !same_shape(&k->shape, s))
        k = k->next;
    const int err = k ? 0 : make_kind(b, s, &k, why);
    if (err < 0)
        return err;
    k->users++;
    f->kind = k;
    channel_bank_tune(b, f, 0);
    return 0;
}

void channel_bank_leave(struct channel_bank *b, struct channel_filter *f)
{
    unsigned unused = 0;
    if (f->kind) {
        watch(b, f, (struct channel_bins){0}, (struct channel_bins){0});
        f->kind->users--;
    }
    f->kind = NULL;
    for (struct channel_kind **at = &b->kinds; *at;) { /* newest first */
        struct channel_kind *k = *at;
        unused += k->users == 0;
        if (k->users > 0 || unused <= KINDS_KEPT) {
            at = &k->next;
            continue;
        }
        *at = k->next;
        free_kind(k);
    }
}

/* Turns as parts of 2^-64, exactly: of half a turn and less, a double has more of them. */
static uint64_t parts_of_turn(double turns)
{
    const double part = remainder(turns, 1);
    return part < 0.5 ? (uint64_t)(int64_t)ldexp(part, 64) : UINT64_C(1) << 63;
}

void channel_bank_tune(struct channel_bank *b, struct channel_filter *f, double shift_hz)
{
    const double turns = shift_hz / b->grid.rate_hz;
    f->outside = fabs(turns) >= 0.5;
    f->cut = fabs(shift_hz) + f->kind->shape.pass_hz > b->grid.rate_hz / 2 * (1 + 1e-9);
    f->frequency = parts_of_turn(turns);
    f->bin = llround(turns * b->grid.n);
    f->rest = turns - (double)f->bin / b->grid.n;
    const uint32_t m = f->outside ? 0 : f->kind->shape.m;
    const struct channel_bins band = {f->bin - m / 2, m};
    watch(b, f, band, m > 0 ? channel_meter_around(b->meter, band) : band);
}

/* ---- blocks ----------------------------------------------------------------------------- */

uint64_t channel_bank_block_from(const struct channel_grid *g, uint64_t position)
{
    return position == 0 ? 0 : (position + g->reach + g->hop - 1) / g->hop;
}

uint64_t channel_bank_begin(struct channel_bank *b, uint64_t number, uint64_t block)
{
    b->number = number;
    b->block = block;
    b->taken = block > 0 ? block * b->grid.hop - b->grid.reach : 0;
    b->have = block > 0 ? 0 : b->grid.reach;
    b->ended = b->complete = false;
    memset(b->samples, 0, b->have * sizeof *b->samples);
    return b->taken;
}

size_t channel_bank_needs(const struct channel_bank *b)
{
    return b->complete ? b->grid.hop : b->grid.n - b->have;
}

/* Makes room: the block's end is the beginning of the next one. */
static void go_on(struct channel_bank *b)
{
    if (!b->complete)
        return;
    b->have = b->grid.n - b->grid.hop;
    memmove(b->samples, b->samples + b->grid.hop, b->have * sizeof *b->samples);
    b->block++;
    b->complete = false;
}

static void weight(struct fft_iq *x, float by)
{
    *x = (struct fft_iq){x->re * by, x->im * by};
}

/* Bin n/2 is the lower end of the stream. */
static void slope_ends(struct channel_bank *b)
{
    struct fft_iq *middle = b->spectrum + b->grid.n / 2;
    for (int i = 0; i < CHANNEL_SLOPE && i < (int)b->grid.n / 2; i++) {
        weight(&middle[i], b->slope[i]);
        weight(&middle[-1 - i], b->slope[i]);
    }
}

/* Not completed with zeros, whose steps would be heard in all bins. */
static bool is_whole(const struct channel_bank *b)
{
    return b->block > 0 && !b->ended;
}

static void transform(struct channel_bank *b)
{
    const int err = fft_transform_execute(b->forward, b->samples, b->spectrum);
    assert(err == 0);
    (void)err;
    slope_ends(b);
    channel_meter_add(b->meter, b->spectrum, is_whole(b));
    b->complete = true;
}

bool channel_bank_push(struct channel_bank *b, const void *raw, size_t count)
{
    go_on(b);
    assert(count <= b->grid.n - b->have);
    fft_iq_unpack(b->format, raw, b->samples + b->have, count);
    b->have += count;
    b->taken += count;
    if (b->have == b->grid.n)
        transform(b);
    return b->complete;
}

/* The sample of the segment that the block's outputs begin at. */
static uint64_t block_start(const struct channel_bank *b)
{
    return b->block * b->grid.hop;
}

uint64_t channel_bank_sample(const struct channel_bank *b)
{
    return b->number + block_start(b);
}

bool channel_bank_flush(struct channel_bank *b)
{
    go_on(b);
    b->ended = true;
    if (block_start(b) >= b->taken)
        return false;
    memset(b->samples + b->have, 0, (b->grid.n - b->have) * sizeof *b->samples);
    b->have = b->grid.n;
    transform(b);
    return true;
}

/* ---- one channel ------------------------------------------------------------------------ */

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* `count` bins of the spectrum from `bin` on, times the response. Bins that the stream lacks: 0. */
static void take_bins(const struct channel_bank *b, int64_t bin, uint32_t count,
                      const float *response, struct fft_iq *out)
{
    const int64_t half = b->grid.n / 2, end = bin + count;
    const int64_t from = clamp(-half, bin, end), to = clamp(half, from, end);
    const int64_t middle = clamp(0, from, to); /* negative bins are the spectrum's last ones */
    const struct fft_iq *x = b->spectrum;
    memset(out, 0, (size_t)(from - bin) * sizeof *out);
    memset(out + (to - bin), 0, (size_t)(end - to) * sizeof *out);
    if (middle > from)
        b->loops->weight(x + b->grid.n + from, response + (from - bin), (size_t)(middle - from),
                         out + (from - bin));
    if (to > middle)
        b->loops->weight(x + middle, response + (middle - bin), (size_t)(to - middle),
                         out + (middle - bin));
}

struct phasor {
    double re, im;
};

static struct phasor phasor_of(double turns)
{
    return (struct phasor){cos(2 * PI * turns), sin(2 * PI * turns)};
}

static struct phasor multiply(struct phasor a, struct phasor b)
{
    return (struct phasor){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static struct fft_iq narrow(struct phasor p)
{
    return (struct fft_iq){(float)p.re, (float)p.im};
}

/*
 * The inverse transform has turned the bin's own part; the rest is turned here. Phase of output j:
 * -frequency * (sample that the block begins at) - rest * j n / m. Up to CHANNEL_TURNED - 1 points
 * after the last one are turned, too.
 */
static void turn(const struct channel_bank *b, uint32_t m, const struct channel_place *p,
                 uint32_t first, struct fft_iq *x)
{
    const double step = -p->rest * b->grid.n / m;
    const double at = -ldexp((double)(int64_t)(p->frequency * p->sample), -64) + step * first;
    struct phasor apart[CHANNEL_TURNED + 1] = {{1, 0}, phasor_of(step)};
    struct channel_turn t;
    for (int i = 2; i <= CHANNEL_TURNED; i++)
        apart[i] = multiply(apart[i / 2], apart[i - i / 2]);
    t.step = narrow(apart[CHANNEL_TURNED]);
    for (size_t j = 0; j < p->count; j += CHUNK) {
        const struct phasor start = phasor_of(at + step * (double)j);
        const size_t now = p->count - j < CHUNK ? p->count - j : CHUNK;
        for (int i = 0; i < CHANNEL_TURNED; i++)
            t.first[i] = narrow(multiply(start, apart[i]));
        b->loops->turn(&t, x + j, (now + CHANNEL_TURNED - 1) / CHANNEL_TURNED * CHANNEL_TURNED);
    }
}

/* Outputs of the segment before the sample `at` of it. */
static uint64_t outputs_before(const struct channel_bank *b, uint32_t m, uint64_t at)
{
    const uint64_t n = b->grid.n;
    return at / n * m + (at % n * m + n - 1) / n;
}

static void locate(const struct channel_bank *b, const struct channel_filter *f,
                   struct channel_place *p)
{
    const uint32_t m = f->kind->shape.m;
    p->sample = b->number + block_start(b) - b->grid.reach;
    p->frequency = f->frequency;
    p->rest = f->rest;
    p->first = outputs_before(b, m, block_start(b));
    uint64_t end = outputs_before(b, m, block_start(b) + b->grid.hop);
    if (b->ended) {
        const uint64_t last = outputs_before(b, m, b->taken);
        end = last < end ? last : end;
    }
    p->count = end > p->first ? (size_t)(end - p->first) : 0;
}

void channel_bank_take(const struct channel_bank *b, const struct channel_filter *f,
                       struct channel_place *place, struct fft_iq *bins)
{
    const struct channel_kind *k = f->kind;
    const uint32_t m = k->shape.m, low = m / 2;
    assert(b->complete && !f->outside);
    locate(b, f, place);
    take_bins(b, f->bin - low, low, k->response + low, bins + low);
    take_bins(b, f->bin, m - low, k->response, bins);
}

const struct fft_iq *channel_bank_transform(struct channel_bank *b, const struct channel_filter *f,
                                            const struct channel_place *place,
                                            const struct fft_iq *bins)
{
    const struct channel_kind *k = f->kind;
    const uint32_t m = k->shape.m, skip = m / 8;
    const int err = fft_transform_execute(k->inverse, bins, k->points);
    assert(err == 0);
    (void)err;
    turn(b, m, place, skip, k->points + skip);
    return k->points + skip;
}

size_t channel_bank_run(struct channel_bank *b, const struct channel_filter *f, uint64_t *first,
                        const struct fft_iq **out)
{
    struct channel_kind *k = f->kind;
    struct channel_place place;
    if (f->outside) {
        locate(b, f, &place);
        memset(k->points, 0, place.count * sizeof *k->points);
        *out = k->points;
    } else {
        channel_bank_take(b, f, &place, k->bins);
        *out = channel_bank_transform(b, f, &place, k->bins);
    }
    *first = place.first;
    return place.count;
}

/* ---- powers ----------------------------------------------------------------------------- */

static double noise(const struct channel_bank *b, struct channel_filter *f)
{
    double least = NAN;
    if (f->noise_blocks == 0) {
        memmove(f->noise + 1, f->noise, (CHANNEL_METER_MEANS - 1) * sizeof *f->noise);
        f->noise[0] = channel_meter_noise(b->meter, f->around, &f->noise_blocks);
    }
    f->noise_blocks -= f->noise_blocks > 0;
    for (int i = 0; i < CHANNEL_METER_MEANS; i++)
        least = fmin(least, f->noise[i]);
    return least;
}

void channel_bank_levels(struct channel_bank *b, struct channel_filter *f,
                         struct channel_levels *out)
{
    const struct channel_kind *k = f->kind;
    const uint32_t m = k->shape.m, low = m / 2;
    *out = (struct channel_levels){.level = NAN, .noise = NAN};
    if (f->outside)
        return;
    out->noise = noise(b, f) * k->power;
    if (!is_whole(b))
        return;
    out->level =
        channel_meter_sum(b->meter, (struct channel_bins){f->bin - low, low}, k->response + low) +
        channel_meter_sum(b->meter, (struct channel_bins){f->bin, m - low}, k->response);
}

double channel_bank_independent(const struct channel_filter *f)
{
    return f->kind->independent;
}

void channel_bank_forget_noise(struct channel_bank *b)
{
    channel_meter_forget(b->meter);
}
