/*
 * bainville_complex.cl - numbers, products and roots of unity for the kernels after E. Bainville,
 * "OpenCL Fast Fourier Transform", 2010. It has everything in which their builds differ.
 *
 * Parameters: DOUBLE, the switch of types of his radix 2 page; MAD, the switch of products of that
 * page; METHOD, his three methods for a cosine with a sine, and a fourth, a table computed in
 * double precision: BY_SINCOS, BY_SIN_AND_COS, BY_NATIVE, BY_TABLE.
 */
#if DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define REAL double
#define POINT double2
#define FOUR double4
#define EIGHT double8
#define NUMBER(x) x
#define PI M_PI
#else
#define REAL float
#define POINT float2
#define FOUR float4
#define EIGHT float8
#define NUMBER(x) x##f
#define PI M_PI_F
#endif

POINT product(POINT a, POINT b)
{
#if MAD
    return (POINT)(mad(a.x, b.x, -a.y * b.y), mad(a.x, b.y, a.y * b.x));
#else
    return (POINT)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
#endif
}

POINT squared(POINT a)
{
#if MAD
    return (POINT)(mad(a.x, a.x, -a.y * a.y), 2 * a.x * a.y);
#else
    return (POINT)(a.x * a.x - a.y * a.y, 2 * a.x * a.y);
#endif
}

#if METHOD != BY_TABLE
/* exp(i angle) */
POINT exponential(REAL angle)
{
#if METHOD == BY_SINCOS
    REAL c;
    const REAL s = sincos(angle, &c);
    return (POINT)(c, s);
#elif METHOD == BY_SIN_AND_COS
    return (POINT)(cos(angle), sin(angle));
#else
    return (POINT)(native_cos(angle), native_sin(angle));
#endif
}
#endif

/* The twiddle of point r in column k of a pass that joins RADIX sub-transforms of p points, a power
 * of two: exp(-2 pi i r k / (RADIX p)), r > 0. In the table of a pass it is at (r - 1) p + k. */
#if METHOD == BY_TABLE
#define ROOTS(k, p) __global const POINT *roots = table + (k); const uint apart = (p);
#define ROOT(r) roots[((r) - 1) * apart]
#else
#define ROOTS(k, p) const REAL angle = -PI * (REAL)(k) / (REAL)(RADIX / 2 * (p));
#define ROOT(r) exponential((r) * angle)
#endif
