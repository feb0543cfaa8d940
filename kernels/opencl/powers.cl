/*
 * powers.cl - multiplies the points of a butterfly by the powers of one root: TWIDDLE_BY_POWERS
 * after `w1`, the root of point 1. A table of all roots needs one load each, which is slower on
 * devices that wait for loads more than for products.
 *
 * Each power is computed just before its use, since registers that wait are spilled. Errors add
 * with each product. Three products deep, up to radix 8, they stay within the limit of transforms
 * (3e-7). Radix 16 has an error of 4e-7.
 */
#define TWIDDLE_BY_POWERS PICK(TWIDDLE_BY_POWERS_, RADIX)
#define TWIDDLE_BY_ROOT(r, root)                                                                   \
    {                                                                                              \
        const VEC root_ = root;                                                                    \
        c##r = TIMES(c##r, root_);                                                                 \
    }
#define TWIDDLE_BY_POWERS_2 TWIDDLE_BY_ROOT(1, w1)
#define TWIDDLE_BY_POWERS_3 TWIDDLE_BY_POWERS_2 const VEC w2 = TIMES(w1, w1); TWIDDLE_BY_ROOT(2, w2)
#define TWIDDLE_BY_POWERS_4 TWIDDLE_BY_POWERS_3 const VEC w3 = TIMES(w2, w1); TWIDDLE_BY_ROOT(3, w3)
#define TWIDDLE_BY_POWERS_5 TWIDDLE_BY_POWERS_4 TWIDDLE_BY_ROOT(4, TIMES(w2, w2))
#define TWIDDLE_BY_POWERS_7                                                                        \
    TWIDDLE_BY_POWERS_5 TWIDDLE_BY_ROOT(5, TIMES(w3, w2)) TWIDDLE_BY_ROOT(6, TIMES(w3, w3))
#define TWIDDLE_BY_POWERS_8                                                                        \
    TWIDDLE_BY_POWERS_4 TWIDDLE_BY_ROOT(5, TIMES(w3, w2)) TWIDDLE_BY_ROOT(6, TIMES(w3, w3))        \
    const VEC w4 = TIMES(w2, w2); TWIDDLE_BY_ROOT(4, w4) TWIDDLE_BY_ROOT(7, TIMES(w4, w3))
