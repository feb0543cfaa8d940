/*
 * powers.cl - a butterfly's points times the powers of one root: TWIDDLE_BY_POWERS behind `w1`, that of point 1.
 * A table of all of them is a load each, on devices that wait for loads more than for products.
 *
 * Each power is made when it is needed: what waits in registers is spilled. Errors add with each product: three
 * deep, up to radix 8, they stay within what transforms may be off by (3e-7); radix 16 is off by 4e-7.
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
#define TWIDDLE_BY_POWERS_7 TWIDDLE_BY_POWERS_5 TWIDDLE_BY_ROOT(5, TIMES(w3, w2)) TWIDDLE_BY_ROOT(6, TIMES(w3, w3))
#define TWIDDLE_BY_POWERS_8                                                                        \
    TWIDDLE_BY_POWERS_4 TWIDDLE_BY_ROOT(5, TIMES(w3, w2)) TWIDDLE_BY_ROOT(6, TIMES(w3, w3))        \
    const VEC w4 = TIMES(w2, w2); TWIDDLE_BY_ROOT(4, w4) TWIDDLE_BY_ROOT(7, TIMES(w4, w3))
