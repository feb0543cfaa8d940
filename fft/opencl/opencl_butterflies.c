/* opencl_butterflies.c - writes passes as lists of butterflies with folded twiddles
 * (kernels/opencl/butterflies.cl) and fills the tables of their roots. */
#include "fft/opencl/opencl_strategy.h"
#include "fft/twiddle.h"

static uint32_t reverse_bits(uint32_t q, uint32_t radix)
{
    uint32_t reversed = 0;
    for (; radix > 1; radix /= 2, q /= 2)
        reversed = 2 * reversed + q % 2;
    return reversed;
}

/* ---- the first pass ---------------------------------------------------------------------- */

/* Levels `from` to radix, with constant roots. */
static void constant_levels(struct opencl_text *t, uint32_t radix, uint32_t from)
{
    for (uint32_t m = from; m <= radix; m *= 2)
        for (uint32_t j = 0; j < radix / 2; j++) {
            const uint32_t k = j % (m / 2), a = j / (m / 2) * m + k, b = a + m / 2;
            const struct root w = fft_twiddle(k, m);
            if (k == 0)
                opencl_text_add(t, "BUTTERFLY_BY_1(c%u, c%u)\n", a, b);
            else if (4 * k == m)
                opencl_text_add(t, "BUTTERFLY_BY_MINUS_I(c%u, c%u)\n", a, b);
            else
                opencl_text_add(t, "BUTTERFLY_BY(c%u, c%u, %.9ef, %.9ef)\n", a, b, w.re, w.im);
        }
}

void opencl_first_pass_source(struct opencl_text *t, uint32_t radix, bool windowed)
{
    static const char part[] = "xyzw";
    for (uint32_t r = 0; windowed && r < radix / 2; r++) {
        const uint32_t to = reverse_bits(r, radix), s = r + radix / 2;
        opencl_text_add(t, "BUTTERFLY_SAMPLES(c%u, c%u, x%u, v%u.%c, x%u, v%u.%c)\n", to, to + 1, r,
                        r / 4, part[r % 4], s, s / 4, part[s % 4]);
    }
    if (windowed)
        opencl_text_add(t, "SAMPLES_CONSUMED\n");
    constant_levels(t, radix, windowed ? 4 : 2);
}

/* ---- later passes ------------------------------------------------------------------------ */

/* Butterfly i uses roots 2 p and 2 p + 1. Butterflies that are a multiple of the table length apart
 * have the same roots. */
struct roots {
    uint32_t pass, radix;
    uint32_t butterflies; /* with roots of their own */
};

static struct roots roots_of(const struct opencl_stage *stage, uint32_t pass, uint32_t registers,
                             uint32_t items)
{
    const uint32_t all = registers / stage->radix;
    return (struct roots){pass, stage->radix, stage->joined > items ? all : 1};
}

static void declare_roots(struct opencl_text *t, const struct roots *r, uint32_t p, uint32_t i)
{
    opencl_text_add(t, "const float4 w%u_%u_%u = ROOTS(%u, %u);\n", r->pass, p, i, p, i);
}

void opencl_roots_source(struct opencl_text *t, const struct opencl_stage *stage, uint32_t pass,
                         uint32_t registers, uint32_t items)
{
    const struct roots r = roots_of(stage, pass, registers, items);
    for (uint32_t i = 0; i < r.butterflies; i++)
        for (uint32_t p = 0; p < opencl_root_pairs(stage->radix); p++)
            declare_roots(t, &r, p, i);
}

/* The expressions of a root's parts. */
struct root_text {
    char re[40], im[40];
};

static struct root_text root_text(const struct roots *r, uint32_t i, uint32_t number)
{
    struct root_text w;
    char pair[32];
    snprintf(pair, sizeof pair, "w%u_%u_%u", r->pass, number / 2, r->butterflies > 1 ? i : 0);
    snprintf(w.re, sizeof w.re, "%s.%c", pair, number % 2 ? 'z' : 'x');
    snprintf(w.im, sizeof w.im, "%s.%c", pair, number % 2 ? 'w' : 'y');
    return w;
}

/* Writes level m of butterfly i, whose first register is `at`. The second half of its roots are the
 * first half times -i. */
static void add_level(struct opencl_text *t, const struct roots *r, uint32_t i, uint32_t m)
{
    const uint32_t at = i * r->radix, quarter = m / 4;
    for (uint32_t k = 0; k < max_u32(quarter, 1); k++) {
        const struct root_text w = root_text(r, i, quarter + k);
        for (uint32_t a = at + k; a < at + r->radix; a += m) {
            opencl_text_add(t, "BUTTERFLY_BY(c%u, c%u, %s, %s)\n", a, a + m / 2, w.re, w.im);
            if (m > 2)
                opencl_text_add(t, "BUTTERFLY_BY(c%u, c%u, %s, -%s)\n", a + quarter,
                                a + 3 * quarter, w.im, w.re);
        }
    }
}

void opencl_later_pass_source(struct opencl_text *t, const struct opencl_stage *stage,
                              uint32_t pass, uint32_t registers, uint32_t items)
{
    const struct roots r = roots_of(stage, pass, registers, items);
    for (uint32_t i = 0; i < registers / stage->radix; i++)
        for (uint32_t m = 2; m <= stage->radix; m *= 2)
            add_level(t, &r, i, m);
}

/* ---- tables ------------------------------------------------------------------------------ */

/* Root `number` of a pass of this radix with the twiddle exp(-2 pi i at / of). */
static struct fft_iq root_of(uint32_t radix, uint32_t number, uint64_t at, uint64_t of)
{
    uint32_t m = 2;
    while (number > 0 && m / 2 <= number)
        m *= 2;
    const uint32_t k = number - m / 4;
    const struct root w = fft_twiddle(at * radix + k * of, of * m);
    return (struct fft_iq){(float)w.re, (float)w.im};
}

uint32_t opencl_root_pairs(uint32_t radix)
{
    return radix > 2 ? radix / 4 : 1;
}

void opencl_fill_root_table(const struct opencl_stage *stage, uint32_t k1, uint32_t n1,
                            struct fft_iq *to)
{
    const uint64_t of = (uint64_t)stage->joined * stage->radix * n1;
    for (uint32_t p = 0; p < opencl_root_pairs(stage->radix); p++)
        for (uint32_t k = 0; k < stage->joined; k++)
            for (uint32_t number = 2 * p; number < 2 * p + 2; number++)
                *to++ = number < stage->radix / 2
                            ? root_of(stage->radix, number, (uint64_t)k * n1 + k1, of)
                            : (struct fft_iq){0};
}

void opencl_fill_root_tables(const struct opencl_spectrum *s, uint32_t count, struct fft_iq *tables)
{
    for (uint32_t i = 1; i < count; i++)
        opencl_fill_root_table(&s->stages[i], 0, 1,
                               tables + s->stages[i].twiddles_at - s->spec.n / 2);
}
