/*
 * interleaved.cl - points with real and imaginary part side by side, as in memory. One register
 * holds the points of COLUMNS neighbouring columns, 1 or 2. Two make every access 128 bits wide.
 *
 * The codelets (codelets.cl) use the operations defined here. split.cl defines the same ones for
 * separate parts.
 */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#ifdef FP_FAST_FMAF
#define FMA(a, b, c) fma(a, b, c)
#else
#define FMA(a, b, c) mad(a, b, c)
#endif

#define VEC JOIN(VEC_, COLUMNS)
#define VEC_1 float2
#define VEC_2 float4

/* Exchanges the parts. With these signs that is a product with -i. */
#define SWAP(a) JOIN(SWAP_, COLUMNS)(a)
#define SWAP_1(a) ((a).yx)
#define SWAP_2(a) ((a).yxwz)
#define MINUS_I_SIGNS JOIN(MINUS_I_SIGNS_, COLUMNS)
#define MINUS_I_SIGNS_1 ((float2)(1.0f, -1.0f))
#define MINUS_I_SIGNS_2 ((float4)(1.0f, -1.0f, 1.0f, -1.0f))

/* The real parts in both components, and the imaginary parts. */
#define RE(a) JOIN(RE_, COLUMNS)(a)
#define RE_1(a) ((a).xx)
#define RE_2(a) ((a).xxzz)
#define IM(a) JOIN(IM_, COLUMNS)(a)
#define IM_1(a) ((a).yy)
#define IM_2(a) ((a).yyww)

#define POINT VEC
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define SCALED(a, x) ((a) * (x))
#define SCALED_ADD(a, x, b) FMA((a), (VEC)(x), (b))       /* a x + b, x real */
#define SCALED_ADD_I(a, x, b) FMA(SWAP(a), MINUS_I_SIGNS * -(x), (b)) /* i a x + b, x real */
#define SUB_I(a, b) FMA(SWAP(b), MINUS_I_SIGNS, (a))               /* a - i b */
#define ADD_I(a, b) FMA(SWAP(b), -MINUS_I_SIGNS, (a))              /* a + i b */
#define MINUS_I(a) (SWAP(a) * MINUS_I_SIGNS)
/* a (re + i im), constants */
#define ROTATED(a, re, im) FMA(SWAP(a), MINUS_I_SIGNS * -(im), (a) * (re))
#define TIMES(a, w) FMA(SWAP(a) * IM(w), -MINUS_I_SIGNS, (a) * RE(w))
