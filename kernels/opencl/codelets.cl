/*
 * codelets.cl - the discrete Fourier transforms of 2, 3, 4, 5, 7, 8 and 16 points, on named
 * registers: natural order, forward, in place. Compilers keep names in registers. They may put
 * private arrays into memory, which on some devices is main memory.
 *
 * The odd sizes first fold the points of equal cosine (C. M. Rader, "Discrete Fourier transforms
 * when the number of data samples is prime", 1968, gives the symmetry; the sums are written out). 8
 * and 16 are composed as 2 x 4 and 4 x 4 (J. W. Cooley, J. W. Tukey, 1965).
 */
#define EXCHANGE(a, b) { POINT t_ = a; a = b; b = t_; }

#define DFT_2(a, b) { POINT t_ = a; a = ADD(t_, b); b = SUB(t_, b); }

/*
 * sin(pi / 3), as the nearest float and the rest. Alone, the nearest float would be too small by the
 * same part in every pass, and these errors add up in step: the error of 3^14 points would rise from
 * 2.0e-7 to 2.2e-7.
 */
#define SIN_1_3 0.86602538824081421f
#define SIN_1_3_REST 1.5543624e-8f
/* a + i b sin(pi / 3), or a - i b sin(pi / 3) with the sign - */
#define ADD_I_SIN_1_3(a, b, sign)                                                                  \
    SCALED_ADD_I(b, sign SIN_1_3, SCALED_ADD_I(b, sign SIN_1_3_REST, a))

#define DFT_3(a, b, c)                                                                             \
    {                                                                                              \
        POINT s_ = ADD(b, c), d_ = SUB(b, c), m_ = SCALED_ADD(s_, -0.5f, a);                       \
        a = ADD(a, s_);                                                                            \
        b = ADD_I_SIN_1_3(m_, d_, -);                                                              \
        c = ADD_I_SIN_1_3(m_, d_, +);                                                              \
    }

#define DFT_4(a, b, c, d)                                                                          \
    {                                                                                              \
        POINT s_ = ADD(a, c), u_ = SUB(a, c), v_ = ADD(b, d), w_ = SUB(b, d);                      \
        a = ADD(s_, v_);                                                                           \
        b = SUB_I(u_, w_);                                                                         \
        c = SUB(s_, v_);                                                                           \
        d = ADD_I(u_, w_);                                                                         \
    }

#define COS_1_5 0.30901699437494742f
#define COS_2_5 -0.80901699437494742f
#define SIN_1_5 0.95105651629515357f
#define SIN_2_5 0.58778525229247313f

#define DFT_5(a, b, c, d, e)                                                                       \
    {                                                                                              \
        POINT s_ = ADD(b, e), p_ = SUB(b, e), t_ = ADD(c, d), q_ = SUB(c, d);                      \
        POINT m_ = SCALED_ADD(t_, COS_2_5, SCALED_ADD(s_, COS_1_5, a));                            \
        POINT n_ = SCALED_ADD(t_, COS_1_5, SCALED_ADD(s_, COS_2_5, a));                            \
        POINT x_ = SCALED_ADD(q_, SIN_2_5, SCALED(p_, SIN_1_5));                                   \
        POINT y_ = SCALED_ADD(q_, -SIN_1_5, SCALED(p_, SIN_2_5));                                  \
        a = ADD(a, ADD(s_, t_));                                                                   \
        b = SUB_I(m_, x_);                                                                         \
        c = SUB_I(n_, y_);                                                                         \
        d = ADD_I(n_, y_);                                                                         \
        e = ADD_I(m_, x_);                                                                         \
    }

#define COS_1_7 0.62348980185873353f
#define COS_2_7 -0.22252093395631440f
#define COS_3_7 -0.90096886790241913f
#define SIN_1_7 0.78183148246802981f
#define SIN_2_7 0.97492791218182361f
#define SIN_3_7 0.43388373911755812f

/* x s + y t + z u, real x, y, z. */
#define SUM_3(x, s, y, t, z, u) SCALED_ADD(u, z, SCALED_ADD(t, y, SCALED(s, x)))

#define DFT_7(a, b, c, d, e, f, g)                                                                 \
    {                                                                                              \
        POINT s_ = ADD(b, g), p_ = SUB(b, g), t_ = ADD(c, f), q_ = SUB(c, f);                      \
        POINT u_ = ADD(d, e), r_ = SUB(d, e);                                                      \
        POINT l_ = ADD(a, SUM_3(COS_1_7, s_, COS_2_7, t_, COS_3_7, u_));                           \
        POINT m_ = ADD(a, SUM_3(COS_2_7, s_, COS_3_7, t_, COS_1_7, u_));                           \
        POINT n_ = ADD(a, SUM_3(COS_3_7, s_, COS_1_7, t_, COS_2_7, u_));                           \
        POINT x_ = SUM_3(SIN_1_7, p_, SIN_2_7, q_, SIN_3_7, r_);                                   \
        POINT y_ = SUM_3(SIN_2_7, p_, -SIN_3_7, q_, -SIN_1_7, r_);                                 \
        POINT z_ = SUM_3(SIN_3_7, p_, -SIN_1_7, q_, SIN_2_7, r_);                                  \
        a = ADD(ADD(a, s_), ADD(t_, u_));                                                          \
        b = SUB_I(l_, x_);                                                                         \
        c = SUB_I(m_, y_);                                                                         \
        d = SUB_I(n_, z_);                                                                         \
        e = ADD_I(n_, z_);                                                                         \
        f = ADD_I(m_, y_);                                                                         \
        g = ADD_I(l_, x_);                                                                         \
    }

#define HALF_ROOT 0.70710678118654752f
#define COS_1_16 0.92387953251128676f
#define SIN_1_16 0.38268343236508977f

/* a exp(-i pi/4), and a exp(-3 i pi/4): one product each, since both parts have the same
 * magnitude. */
#define TWIDDLE_1_8(a) SCALED(SUB_I(a, a), HALF_ROOT)
#define TWIDDLE_3_8(a) SCALED(ADD_I(a, a), -HALF_ROOT)

#define DFT_8(a, b, c, d, e, f, g, h)                                                              \
    {                                                                                              \
        DFT_4(a, c, e, g)                                                                          \
        DFT_4(b, d, f, h)                                                                          \
        POINT x_ = TWIDDLE_1_8(d), y_ = f, z_ = TWIDDLE_3_8(h), w_ = b;                            \
        POINT a_ = a, c_ = c, e_ = e, g_ = g;                                                      \
        a = ADD(a_, w_);                                                                           \
        e = SUB(a_, w_);                                                                           \
        b = ADD(c_, x_);                                                                           \
        f = SUB(c_, x_);                                                                           \
        c = SUB_I(e_, y_);                                                                         \
        g = ADD_I(e_, y_);                                                                         \
        d = ADD(g_, z_);                                                                           \
        h = SUB(g_, z_);                                                                           \
    }

#define DFT_16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                     \
    {                                                                                              \
        DFT_4(a, e, i, m)                                                                          \
        DFT_4(b, f, j, n)                                                                          \
        DFT_4(c, g, k, o)                                                                          \
        DFT_4(d, h, l, p)                                                                          \
        f = ROTATED(f, COS_1_16, -SIN_1_16);                                                       \
        g = TWIDDLE_1_8(g);                                                                        \
        h = ROTATED(h, SIN_1_16, -COS_1_16);                                                       \
        j = TWIDDLE_1_8(j);                                                                        \
        k = MINUS_I(k);                                                                            \
        l = TWIDDLE_3_8(l);                                                                        \
        n = ROTATED(n, SIN_1_16, -COS_1_16);                                                       \
        o = TWIDDLE_3_8(o);                                                                        \
        p = ROTATED(p, -COS_1_16, SIN_1_16);                                                       \
        DFT_4(a, b, c, d)                                                                          \
        DFT_4(e, f, g, h)                                                                          \
        DFT_4(i, j, k, l)                                                                          \
        DFT_4(m, n, o, p)                                                                          \
        EXCHANGE(b, e)                                                                             \
        EXCHANGE(c, i)                                                                             \
        EXCHANGE(d, m)                                                                             \
        EXCHANGE(g, j)                                                                             \
        EXCHANGE(h, n)                                                                             \
        EXCHANGE(l, o)                                                                             \
    }

/* A second JOIN, because a macro does not expand within itself. */
#define PICK_(a, b) a##b
#define PICK(a, b) PICK_(a, b)

/* For each of REGISTERS registers; for each point of a butterfly of RADIX points but the first. */
#define EACH(f) PICK(EACH_, REGISTERS)(f)
#define EACH_1(f) f(0)
#define EACH_2(f) f(0) f(1)
#define EACH_3(f) EACH_2(f) f(2)
#define EACH_4(f) EACH_3(f) f(3)
#define EACH_5(f) EACH_4(f) f(4)
#define EACH_7(f) EACH_5(f) f(5) f(6)
#define EACH_8(f) EACH_7(f) f(7)
#define EACH_16(f) EACH_8(f) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define EACH_32(f)                                                                                 \
    EACH_16(f) f(16) f(17) f(18) f(19) f(20) f(21) f(22) f(23) f(24) f(25) f(26) f(27) f(28) f(29) \
    f(30) f(31)
#define BUT_FIRST(f) PICK(BUT_FIRST_, RADIX)(f)
#define BUT_FIRST_1(f)
#define BUT_FIRST_2(f) f(1)
#define BUT_FIRST_3(f) BUT_FIRST_2(f) f(2)
#define BUT_FIRST_4(f) BUT_FIRST_3(f) f(3)
#define BUT_FIRST_5(f) BUT_FIRST_4(f) f(4)
#define BUT_FIRST_7(f) BUT_FIRST_5(f) f(5) f(6)
#define BUT_FIRST_8(f) BUT_FIRST_7(f) f(7)
#define BUT_FIRST_16(f) BUT_FIRST_8(f) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)

/* The butterfly on registers c0, c1, ... */
#define DFT PICK(DFT_OF_, RADIX)
#define DFT_OF_1
#define DFT_OF_2 DFT_2(c0, c1)
#define DFT_OF_3 DFT_3(c0, c1, c2)
#define DFT_OF_4 DFT_4(c0, c1, c2, c3)
#define DFT_OF_5 DFT_5(c0, c1, c2, c3, c4)
#define DFT_OF_7 DFT_7(c0, c1, c2, c3, c4, c5, c6)
#define DFT_OF_8 DFT_8(c0, c1, c2, c3, c4, c5, c6, c7)
#define DFT_OF_16 DFT_16(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15)
