/*
 * native.cl - roots of unity by the native sine and cosine of the device. They are fast, and their
 * error is up to the device. So they are used only where accuracy.cl finds them accurate enough
 * (fft/opencl/opencl_accuracy.h).
 *
 * A phase counts 2^-32 of a circle and wraps as angles do. Read as a signed number it is at most
 * half a circle, so that its conversion to float loses little.
 *
 * Parameter: NATIVE_NOISE, the largest error of a simulated device. Undefined: the functions are
 * used as they are.
 */
#define ANGLE(phase) ((float)as_int(phase) * -1.46291808e-9f) /* -2 pi / 2^32 */

#ifdef NATIVE_NOISE
float noise(uint x)
{
    x = (x ^ x >> 15) * 0x2c1b3c6du;
    x = (x ^ x >> 12) * 0x297a2d39u;
    return (float)as_int(x ^ x >> 15) * (NATIVE_NOISE * 0x1p-31f);
}
#define NOISE(phase) ((float2)(noise(phase), noise(~(phase))))
#else
#define NOISE(phase) 0.0f
#endif

/* exp(-2 pi i phase / 2^32). */
float2 native_root(uint phase)
{
    const float x = ANGLE(phase);
    return (float2)(native_cos(x), native_sin(x)) + NOISE(phase);
}

/* Roots for one or two columns, `step` apart. */
#define NATIVE_ROOTS_1(phase, step) native_root(phase)
#define NATIVE_ROOTS_2(phase, step) ((float4)(native_root(phase), native_root((phase) + (step))))
