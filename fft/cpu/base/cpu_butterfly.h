/*
 * cpu_butterfly.h - small DFTs over an array of vectors, each lane a transform of its own.
 *
 * butterfly(radix, x) replaces x[radix] (2, 4, 8 or 16; 1 does nothing) by its forward DFT; output
 * k is in x[butterfly_index(radix, k)]. 8 = 4 x 2 and 16 = 4 x 4 by the Cooley-Tukey split, the
 * twiddles between them being constants.
 *
 * A file that includes this may define BUTTERFLY_SUB as vec_sub_fused: a butterfly of 4 then takes
 * the units of products for 4 of its 16 subtractions and additions.
 */
#ifndef FFTD_FFT_CPU_BASE_CPU_BUTTERFLY_H
#define FFTD_FFT_CPU_BASE_CPU_BUTTERFLY_H

#include "fft/cpu/base/cpu_vec.h"

#define COS_45   0.70710678118654752440F
#define COS_22_5 0.92387953251128675613F
#define SIN_22_5 0.38268343236508977173F

#ifndef BUTTERFLY_SUB
#define BUTTERFLY_SUB vec_sub
#endif

INLINE void butterfly2(struct cvec *a, struct cvec *b)
{
    const struct cvec sum = vec_add(*a, *b);
    *b = vec_sub(*a, *b);
    *a = sum;
}

INLINE void butterfly4(struct cvec *a, struct cvec *b, struct cvec *c, struct cvec *d)
{
    const struct cvec ac = vec_add(*a, *c), a_c = BUTTERFLY_SUB(*a, *c);
    const struct cvec bd = vec_add(*b, *d), b_d = vec_sub(*b, *d);
    *a = vec_add(ac, bd);
    *c = BUTTERFLY_SUB(ac, bd);
    *b = (struct cvec){a_c.re + b_d.im, a_c.im - b_d.re};
    *d = (struct cvec){a_c.re - b_d.im, a_c.im + b_d.re};
}

/* One output of the four, from vectors `apart`. */
INLINE struct cvec output_of_4(const struct cvec *a, size_t apart, size_t k)
{
    const struct cvec *b = a + apart, *c = b + apart, *d = c + apart;
    const struct cvec ac = k % 2 ? BUTTERFLY_SUB(*a, *c) : vec_add(*a, *c);
    const struct cvec bd = k % 2 ? vec_sub(*b, *d) : vec_add(*b, *d);
    return k == 0   ? vec_add(ac, bd)
           : k == 2 ? BUTTERFLY_SUB(ac, bd)
           : k == 1 ? (struct cvec){ac.re + bd.im, ac.im - bd.re}
                    : (struct cvec){ac.re - bd.im, ac.im + bd.re};
}

/* Multiply by w_8, w_8^2 = -i and w_8^3. */
INLINE struct cvec rotate_45(struct cvec a)
{
    return (struct cvec){(a.re + a.im) * COS_45, (a.im - a.re) * COS_45};
}

INLINE struct cvec rotate_90(struct cvec a)
{
    return (struct cvec){a.im, -a.re};
}

INLINE struct cvec rotate_135(struct cvec a)
{
    return (struct cvec){(a.im - a.re) * COS_45, (a.re + a.im) * -COS_45};
}

/* cos(2 pi j / 64) */
static const float cos_64[17] = {1,
                                 0.99518472667219692873F,
                                 0.98078528040323043058F,
                                 0.95694033573220882438F,
                                 0.92387953251128673848F,
                                 0.88192126434835504956F,
                                 0.83146961230254523567F,
                                 0.77301045336273699338F,
                                 0.70710678118654757274F,
                                 0.63439328416364548779F,
                                 0.55557023301960228867F,
                                 0.47139673682599780857F,
                                 0.38268343236508983729F,
                                 0.29028467725446233105F,
                                 0.19509032201612833135F,
                                 0.09801714032956077016F,
                                 0};

INLINE float cosine_64(size_t j) /* j < 64 */
{
    const size_t half = j < 32 ? j : 64 - j;
    return half <= 16 ? cos_64[half] : -cos_64[32 - half];
}

/* Multiply by w_64^j, j < 64. */
INLINE struct cvec rotate_64(struct cvec x, size_t j)
{
    return j == 0    ? x
           : j == 8  ? rotate_45(x)
           : j == 16 ? rotate_90(x)
           : j == 24 ? rotate_135(x)
                     : vec_scale(x, cosine_64(j), -cosine_64((j + 48) % 64));
}

/* ---- a butterfly in groups -------------------------------------------------------------- */

/*
 * Group g of the first half takes inputs g, g + G, g + 2G ... with G = first_groups(radix), and
 * multiplies its results by twiddles; group g of the last half gives outputs g, g + L, g + 2L ...
 * with L = last_groups(radix). So loads and stores are next to the arithmetic of their group: 16
 * points fill all registers, and code that loads all of them first has none left to compute in.
 */
INLINE size_t first_groups(size_t radix)
{
    return radix > 4 ? radix / 4 : 1;
}

INLINE size_t last_groups(size_t radix)
{
    return radix > 4 ? 4 : 1;
}

/* Between the halves of 16: x[4 i + g] times w_16^(i g). */
INLINE void rotate_16(struct cvec *x, size_t g)
{
    if (g == 1) {
        x[5] = vec_scale(x[5], COS_22_5, -SIN_22_5);
        x[9] = rotate_45(x[9]);
        x[13] = vec_scale(x[13], SIN_22_5, -COS_22_5);
    } else if (g == 2) {
        x[6] = rotate_45(x[6]);
        x[10] = rotate_90(x[10]);
        x[14] = rotate_135(x[14]);
    } else if (g == 3) {
        x[7] = vec_scale(x[7], SIN_22_5, -COS_22_5);
        x[11] = rotate_135(x[11]);
        x[15] = vec_scale(x[15], -COS_22_5, SIN_22_5);
    }
}

INLINE void butterfly_first(size_t radix, struct cvec *x, size_t g)
{
    if (radix == 16) {
        butterfly4(&x[g], &x[g + 4], &x[g + 8], &x[g + 12]);
        rotate_16(x, g);
    } else if (radix == 8) {
        butterfly4(&x[g], &x[g + 2], &x[g + 4], &x[g + 6]);
        if (g == 1) {
            x[3] = rotate_45(x[3]);
            x[5] = rotate_90(x[5]);
            x[7] = rotate_135(x[7]);
        }
    } else if (radix == 4) {
        butterfly4(&x[0], &x[1], &x[2], &x[3]);
    } else if (radix == 2) {
        butterfly2(&x[0], &x[1]);
    }
}

INLINE void butterfly_last(size_t radix, struct cvec *x, size_t g)
{
    if (radix == 16)
        butterfly4(&x[4 * g], &x[4 * g + 1], &x[4 * g + 2], &x[4 * g + 3]);
    else if (radix == 8)
        butterfly2(&x[2 * g], &x[2 * g + 1]);
}

INLINE void butterfly(size_t radix, struct cvec *x)
{
    UNROLL
    for (size_t g = 0; g < first_groups(radix); g++)
        butterfly_first(radix, x, g);
    UNROLL
    for (size_t g = 0; g < last_groups(radix); g++)
        butterfly_last(radix, x, g);
}

INLINE size_t butterfly_index(size_t radix, size_t k)
{
    return radix == 16 ? k % 4 * 4 + k / 4 : radix == 8 ? k % 4 * 2 + k / 4 : k;
}

#endif
