/*
 * bainville_steps.cl - a butterfly of RADIX points, 2 to 32, on registers c0, c1, ...: steps of two
 * points over ever shorter distances h. The difference with index m is multiplied by exp(-i pi m /
 * h). That is decimation in frequency (W. M. Gentleman, G. Sande, "Fast Fourier transforms: for fun
 * and profit", 1966): results are in bit-reversed order. The numbers are those of
 * bainville_complex.cl.
 */
#define COS_1 NUMBER(0.98078528040323044913) /* cos(m pi / 16) */
#define COS_2 NUMBER(0.92387953251128675613)
#define COS_3 NUMBER(0.83146961230254523708)
#define COS_4 NUMBER(0.70710678118654752440)
#define COS_5 NUMBER(0.55557023301960222474)
#define COS_6 NUMBER(0.38268343236508977173)
#define COS_7 NUMBER(0.19509032201612826785)

/* a exp(-i pi m / 16) */
#define TWIDDLE_0(a) (a)
#define TWIDDLE_1(a) product(a, (POINT)(COS_1, -COS_7))
#define TWIDDLE_2(a) product(a, (POINT)(COS_2, -COS_6))
#define TWIDDLE_3(a) product(a, (POINT)(COS_3, -COS_5))
#define TWIDDLE_4(a) ((POINT)(a.x + a.y, a.y - a.x) * COS_4)
#define TWIDDLE_5(a) product(a, (POINT)(COS_5, -COS_3))
#define TWIDDLE_6(a) product(a, (POINT)(COS_6, -COS_2))
#define TWIDDLE_7(a) product(a, (POINT)(COS_7, -COS_1))
#define TWIDDLE_8(a) (POINT)(a.y, -a.x)
#define TWIDDLE_9(a) product(a, (POINT)(-COS_7, -COS_1))
#define TWIDDLE_10(a) product(a, (POINT)(-COS_6, -COS_2))
#define TWIDDLE_11(a) product(a, (POINT)(-COS_5, -COS_3))
#define TWIDDLE_12(a) ((POINT)(a.y - a.x, -a.x - a.y) * COS_4)
#define TWIDDLE_13(a) product(a, (POINT)(-COS_3, -COS_5))
#define TWIDDLE_14(a) product(a, (POINT)(-COS_2, -COS_6))
#define TWIDDLE_15(a) product(a, (POINT)(-COS_1, -COS_7))

#define STEP(m, a, b) { const POINT d_ = a - b; a += b; b = TWIDDLE_##m(d_); }

#define STEPS_2(a, b) STEP(0, a, b)
#define STEPS_4(a, b, c, d) STEP(0, a, c) STEP(8, b, d) STEPS_2(a, b) STEPS_2(c, d)
#define STEPS_8(a, b, c, d, e, f, g, h)                                                            \
    STEP(0, a, e) STEP(4, b, f) STEP(8, c, g) STEP(12, d, h)                                       \
    STEPS_4(a, b, c, d) STEPS_4(e, f, g, h)
#define STEPS_16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                   \
    STEP(0, a, i) STEP(2, b, j) STEP(4, c, k) STEP(6, d, l)                                        \
    STEP(8, e, m) STEP(10, f, n) STEP(12, g, o) STEP(14, h, p)                                     \
    STEPS_8(a, b, c, d, e, f, g, h) STEPS_8(i, j, k, l, m, n, o, p)

#define BUTTERFLY_2 STEPS_2(c0, c1)
#define BUTTERFLY_4 STEPS_4(c0, c1, c2, c3)
#define BUTTERFLY_8 STEPS_8(c0, c1, c2, c3, c4, c5, c6, c7)
#define BUTTERFLY_16                                                                               \
    STEPS_16(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15)
#define BUTTERFLY_32                                                                               \
    STEP(0, c0, c16) STEP(1, c1, c17) STEP(2, c2, c18) STEP(3, c3, c19)                            \
    STEP(4, c4, c20) STEP(5, c5, c21) STEP(6, c6, c22) STEP(7, c7, c23)                            \
    STEP(8, c8, c24) STEP(9, c9, c25) STEP(10, c10, c26) STEP(11, c11, c27)                        \
    STEP(12, c12, c28) STEP(13, c13, c29) STEP(14, c14, c30) STEP(15, c15, c31)                    \
    BUTTERFLY_16                                                                                   \
    STEPS_16(c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31)

/* Four points as one vector of eight numbers. Results are in the same bit-reversed order. */
#define BUTTERFLY_4_PAIRS                                                                          \
    {                                                                                              \
        const EIGHT u_ = (EIGHT)(c0, c1, c2, c3);                                                  \
        const FOUR s_ = u_.lo + u_.hi, d_ = u_.lo - u_.hi;                                         \
        const EIGHT v_ = (EIGHT)(s_.lo, d_.lo, s_.hi, TWIDDLE_8(d_.hi));                           \
        const FOUR w_ = v_.lo + v_.hi, z_ = v_.lo - v_.hi;                                         \
        c0 = w_.lo;                                                                                \
        c2 = w_.hi;                                                                                \
        c1 = z_.lo;                                                                                \
        c3 = z_.hi;                                                                                \
    }

/* A second JOIN, because a macro does not expand within itself. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define PICK_(a, b) a##b
#define PICK(a, b) PICK_(a, b)

#define BUTTERFLY PICK(BUTTERFLY_, RADIX)

/* For all registers; for all but the first. */
#define EACH(f) f(0) BUT_FIRST(f)
#define BUT_FIRST(f) JOIN(BUT_FIRST_, RADIX)(f)
#define BUT_FIRST_2(f) f(1)
#define BUT_FIRST_4(f) f(1) f(2) f(3)
#define BUT_FIRST_8(f) BUT_FIRST_4(f) f(4) f(5) f(6) f(7)
#define BUT_FIRST_16(f) BUT_FIRST_8(f) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define BUT_FIRST_32(f)                                                                            \
    BUT_FIRST_16(f) f(16) f(17) f(18) f(19) f(20) f(21) f(22) f(23)                                \
    f(24) f(25) f(26) f(27) f(28) f(29) f(30) f(31)

/* The index of the result in register r: its bits, as many as RADIX has, reversed. */
#define BIT_REVERSED(r)                                                                            \
    ((((r) & 1) << 4 | ((r) & 2) << 2 | ((r) & 4) | ((r) & 8) >> 2 | ((r) & 16) >> 4) * RADIX / 32)

/* Multiplies each point by a root of its own. */
#define TWIDDLE_OWN(r) c##r = product(ROOT(r), c##r);
#define TWIDDLE_EACH(k, p) { ROOTS(k, p) BUT_FIRST(TWIDDLE_OWN) }

/* Multiplies each point r by powers of the first root: those to 1, 2, 4, ... for the bits of r. */
#define TWIDDLE_BIT(r, bit) if ((r) & (bit)) c##r = product(w_, c##r);
#define TWIDDLE_BIT_1(r) TWIDDLE_BIT(r, 1)
#define TWIDDLE_BIT_2(r) TWIDDLE_BIT(r, 2)
#define TWIDDLE_BIT_4(r) TWIDDLE_BIT(r, 4)
#define TWIDDLE_BIT_8(r) TWIDDLE_BIT(r, 8)
#define TWIDDLE_BIT_16(r) TWIDDLE_BIT(r, 16)
#define POWERS_2 BUT_FIRST(TWIDDLE_BIT_1)
#define POWERS_4 POWERS_2 w_ = squared(w_); BUT_FIRST(TWIDDLE_BIT_2)
#define POWERS_8 POWERS_4 w_ = squared(w_); BUT_FIRST(TWIDDLE_BIT_4)
#define POWERS_16 POWERS_8 w_ = squared(w_); BUT_FIRST(TWIDDLE_BIT_8)
#define POWERS_32 POWERS_16 w_ = squared(w_); BUT_FIRST(TWIDDLE_BIT_16)
#define TWIDDLE_BY_POWERS(k, p) { ROOTS(k, p) POINT w_ = ROOT(1); PICK(POWERS_, RADIX) }
