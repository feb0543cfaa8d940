/*
 * quotient.cl - x / d by a product, for a divisor known beforehand: d_m = 2^32 (2^d_l - d) / d + 1,
 * d_l = log2 d rounded up (T. Granlund, P. L. Montgomery, "Division by invariant integers using
 * multiplication", 1994). For all 32-bit x and d >= 1.
 */
#define QUOTIENT(x, d) quotient((x), d##_m, d##_l)

uint quotient(uint x, uint m, uint l)
{
    const uint t = mul_hi(m, x);
    return (t + ((x - t) >> min(l, 1u))) >> (max(l, 1u) - 1u);
}
