/*
 * bainville_pass.cl - one pass from one array to another: RADIX sub-transforms of p points each
 * become one of RADIX p, in the order of T. G. Stockham's self-sorting transform ("High-speed
 * convolution and correlation", 1966). A work-item has one butterfly, of t = n / RADIX:
 *
 *     reads x[i + r t], r = 0 .. RADIX - 1;   k = i mod p;   writes y[(i - k) RADIX + k + r p]
 *
 * The roots of the pass are at table_at. Work-groups may have any size. PASS defines the kernel
 * `name` for the current RADIX, with `twiddle`, TWIDDLE_EACH or TWIDDLE_BY_POWERS, and `butterfly`.
 */
#define LOAD_POINT(r) POINT c##r = x[i + r * t];
#define STORE_POINT(r) y[BIT_REVERSED(r) * p] = c##r;

#define PASS(name, twiddle, butterfly)                                                             \
    __kernel void name(__global const POINT *x, __global POINT *y, __global const POINT *table,    \
                       uint table_at, uint t, uint p)                                              \
    {                                                                                              \
        const uint i = get_global_id(0), k = i & (p - 1);                                          \
        if (i >= t)                                                                                \
            return;                                                                                \
        table += table_at;                                                                         \
        y += (i - k) * RADIX + k;                                                                  \
        EACH(LOAD_POINT)                                                                           \
        twiddle(k, p)                                                                              \
        butterfly                                                                                  \
        EACH(STORE_POINT)                                                                          \
    }
