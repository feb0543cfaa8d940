/*
 * split.cl - points with real and imaginary parts in separate registers of WIDTH neighbouring
 * columns each: for processors with wide vectors. The operations are those of interleaved.cl, and
 * none needs a shuffle.
 */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#ifdef FP_FAST_FMAF
#define FMA(a, b, c) fma(a, b, c)
#else
#define FMA(a, b, c) mad(a, b, c)
#endif

#define REAL JOIN(float, WIDTH)

typedef struct {
    REAL re, im;
} point;

point of(REAL re, REAL im)
{
    point p;
    p.re = re;
    p.im = im;
    return p;
}

#define POINT point
#define ADD(a, b) of((a).re + (b).re, (a).im + (b).im)
#define SUB(a, b) of((a).re - (b).re, (a).im - (b).im)
#define SCALED(a, x) of((a).re * (x), (a).im * (x))
#define SCALED_ADD(a, x, b)                                                                        \
    of(FMA((a).re, (REAL)(x), (b).re), FMA((a).im, (REAL)(x), (b).im)) /* a x + b, x real */
#define SCALED_ADD_I(a, x, b)                                                                      \
    of(FMA((a).im, (REAL)(-(x)), (b).re), FMA((a).re, (REAL)(x), (b).im)) /* i a x + b, x real */
#define SUB_I(a, b) of((a).re + (b).im, (a).im - (b).re) /* a - i b */
#define ADD_I(a, b) of((a).re - (b).im, (a).im + (b).re) /* a + i b */
#define MINUS_I(a) of((a).im, -(a).re)
#define TIMES(a, w)                                                                                \
    of(FMA((a).re, (w).re, -((a).im * (w).im)), FMA((a).re, (w).im, (a).im * (w).re))
#define ROTATED(a, re_, im_) TIMES(a, of((REAL)(re_), (REAL)(im_))) /* a (re_ + i im_), constants */

/*
 * Interleaves two vectors into one sequence of pairs: its first half, its second. Applied to
 * registers i and i + R / 2 for R = 2, 4, 8 ... registers, log2 R times, it transposes them: first
 * the first elements of all registers, then the second ones, and so on.
 */
#define ZIP_LOW(a, b) JOIN(ZIP_, WIDTH)((a).lo, (b).lo)
#define ZIP_HIGH(a, b) JOIN(ZIP_, WIDTH)((a).hi, (b).hi)
#define ZIP_4(a, b) (float4)((a).s0, (b).s0, (a).s1, (b).s1)
#define ZIP_8(a, b)                                                                                \
    (float8)((a).s0, (b).s0, (a).s1, (b).s1, (a).s2, (b).s2, (a).s3, (b).s3)
#define ZIP_16(a, b)                                                                               \
    (float16)((a).s0, (b).s0, (a).s1, (b).s1, (a).s2, (b).s2, (a).s3, (b).s3, (a).s4, (b).s4,      \
              (a).s5, (b).s5, (a).s6, (b).s6, (a).s7, (b).s7)
#define LOW(a, b) of(ZIP_LOW((a).re, (b).re), ZIP_LOW((a).im, (b).im))
#define HIGH(a, b) of(ZIP_HIGH((a).re, (b).re), ZIP_HIGH((a).im, (b).im))

/* One such round on 4, 8 or 16 registers, from names that begin with x to names that begin with
 * y. */
#define ROUND_4(x, y)                                                                              \
    POINT y##0 = LOW(x##0, x##2), y##1 = HIGH(x##0, x##2);                                         \
    POINT y##2 = LOW(x##1, x##3), y##3 = HIGH(x##1, x##3);
#define ROUND_8(x, y)                                                                              \
    POINT y##0 = LOW(x##0, x##4), y##1 = HIGH(x##0, x##4);                                         \
    POINT y##2 = LOW(x##1, x##5), y##3 = HIGH(x##1, x##5);                                         \
    POINT y##4 = LOW(x##2, x##6), y##5 = HIGH(x##2, x##6);                                         \
    POINT y##6 = LOW(x##3, x##7), y##7 = HIGH(x##3, x##7);
#define ROUND_16(x, y)                                                                             \
    POINT y##0 = LOW(x##0, x##8), y##1 = HIGH(x##0, x##8);                                         \
    POINT y##2 = LOW(x##1, x##9), y##3 = HIGH(x##1, x##9);                                         \
    POINT y##4 = LOW(x##2, x##10), y##5 = HIGH(x##2, x##10);                                       \
    POINT y##6 = LOW(x##3, x##11), y##7 = HIGH(x##3, x##11);                                       \
    POINT y##8 = LOW(x##4, x##12), y##9 = HIGH(x##4, x##12);                                       \
    POINT y##10 = LOW(x##5, x##13), y##11 = HIGH(x##5, x##13);                                     \
    POINT y##12 = LOW(x##6, x##14), y##13 = HIGH(x##6, x##14);                                     \
    POINT y##14 = LOW(x##7, x##15), y##15 = HIGH(x##7, x##15);
#define TRANSPOSED_4 ROUND_4(c, a) ROUND_4(a, z)
#define TRANSPOSED_8 ROUND_8(c, a) ROUND_8(a, b) ROUND_8(b, z)
#define TRANSPOSED_16 ROUND_16(c, a) ROUND_16(a, b) ROUND_16(b, d) ROUND_16(d, z)
