/*
 * native.cl - roots of unity by the device's native sine and cosine: quick, and as inexact as the device
 * likes. So they are used only where accuracy.cl has found them good (fft/opencl/accuracy.h).
 *
 * An angle is a count of 2^-32 turns, which wraps as angles do; as a signed number it is at most half a
 * phase, so that little of it is lost when it becomes a float.
 *
 * Parameter: NATIVE_NOISE, by how much the functions of a simulated device are off at most; absent: as
 * they are.
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

/* In as many columns, `step` apart. */
#define NATIVE_ROOTS_1(phase, step) native_root(phase)
#define NATIVE_ROOTS_2(phase, step) ((float4)(native_root(phase), native_root((phase) + (step))))
