/*
 * channel_vectors.c - weights and powers of bins, and turns of outputs; compiled once for each
 * instruction set.
 *
 * The compiler must not fuse multiplications and additions: it would do so in one instruction set,
 * and not in another.
 */
#include "daemon/channel/channel_loops.h"

#define CHANNEL_PASTE(isa) channel_loops_##isa
#define CHANNEL_JOIN(isa)  CHANNEL_PASTE(isa)
#define CHANNEL_TABLE      CHANNEL_JOIN(CHANNEL_ISA)

extern const struct channel_loops CHANNEL_TABLE;

enum { VALUES = 2 * CHANNEL_TURNED, VECTORS = VALUES / CHANNEL_LANES };

/* Floats of any address: re, im, re, im ... */
typedef float lanes __attribute__((vector_size(4 * CHANNEL_LANES), aligned(4), may_alias));

#if CHANNEL_LANES == 8
#define SWAP_PAIRS(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6)
#else
#define SWAP_PAIRS(v) __builtin_shufflevector(v, v, 1, 0, 3, 2)
#endif

static void weight(const struct fft_iq *restrict x, const float *restrict response, size_t count,
                   struct fft_iq *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (struct fft_iq){x[i].re * response[i], x[i].im * response[i]};
}

/*
 * Of a factor p: re, re and -im, im, so that x p is x re + swapped(x) im. With a step's c, c and
 * -s, s they become re c - im s and re s + im c.
 */
static void turn(const struct channel_turn *t, struct fft_iq *x, size_t count)
{
    lanes re[VECTORS], im[VECTORS], cosine, sine;
    for (size_t k = 0; k < VALUES; k++) {
        const struct fft_iq p = t->first[k / 2];
        re[k / CHANNEL_LANES][k % CHANNEL_LANES] = p.re;
        im[k / CHANNEL_LANES][k % CHANNEL_LANES] = k % 2 ? p.im : -p.im;
    }
    for (size_t k = 0; k < CHANNEL_LANES; k++) {
        cosine[k] = t->step.re;
        sine[k] = k % 2 ? t->step.im : -t->step.im;
    }
    for (size_t j = 0; j < count; j += CHANNEL_TURNED)
        for (size_t k = 0; k < VECTORS; k++) {
            lanes *at = (lanes *)(x + j) + k;
            const lanes v = *at, before = re[k];
            *at = v * before + SWAP_PAIRS(v) * im[k];
            re[k] = before * cosine - im[k] * sine;
            im[k] = before * sine + im[k] * cosine;
        }
}

/* Values, not pairs, are what compilers make vectors of. */
static void powers(const struct fft_iq *x, float *restrict power, size_t count)
{
    enum { BLOCK = 128 };
    for (size_t from = 0; from < count; from += BLOCK) {
        const size_t now = count - from < BLOCK ? count - from : BLOCK;
        const float *value = &x[from].re;
        float squares[2 * BLOCK];
        for (size_t i = 0; i < 2 * now; i++) {
            const float w = value[i] - 0.5F * (value[(ptrdiff_t)i - 2] + value[i + 2]);
            squares[i] = w * w;
        }
        for (size_t i = 0; i < now; i++)
            power[from + i] = squares[2 * i] + squares[2 * i + 1];
    }
}

static void add(const float *restrict power, float *restrict sum, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum[i] += power[i];
}

static double sum(const float *restrict power, const float *restrict response, size_t count)
{
    enum { LANES = 8 }; /* the same in every instruction set */
    float part[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            part[k] += response[i + k] * response[i + k] * power[i + k];
    double all = 0;
    for (; i < count; i++)
        all += (double)(response[i] * response[i] * power[i]);
    for (size_t k = 0; k < LANES; k++)
        all += (double)part[k];
    return all;
}

const struct channel_loops CHANNEL_TABLE = {weight, turn, powers, add, sum};
