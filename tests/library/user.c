/* user.c - a C program that uses the installed library and its headers, for installed.sh. Prints
 * the version of the library that it runs with. */
#include <math.h>
#include <stdio.h>

#include <fft/fft.h>
#include <fft/version.h>
#include <fft/window.h>

enum { N = 360, FRAME = 256 };

static int fail(const char *what, const char *why)
{
    printf("%s: %s\n", what, why);
    return 1;
}

/* A tone of 7 cycles must give N in bin 7 and zero in the other bins. */
static int transform_a_tone(struct fft_engine *engine, char *why, size_t size)
{
    static struct fft_iq in[N], out[N];
    const struct fft_transform_config config = {
        .type = FFT_TRANSFORM_FORWARD, .rank = 1, .n = {N}, .batch = 1};
    struct fft_transform *transform = NULL;
    for (int i = 0; i < N; i++) {
        in[i].re = (float)cos(2 * M_PI * 7 * i / N);
        in[i].im = (float)sin(2 * M_PI * 7 * i / N);
    }
    if (fft_transform_create(&transform, engine, &config, why, size) < 0)
        return 1;
    fft_transform_execute(transform, in, out);
    fft_transform_destroy(transform);
    if (fabsf(out[7].re - N) > 1e-3F || fabsf(out[8].re) > 1e-3F)
        return fail("transform", "wrong");
    return 0;
}

/* Half of full scale must read -6.02 dB. */
static int analyse_a_tone(struct fft_engine *engine, char *why, size_t size)
{
    static short raw[FRAME][2];
    static float window[FRAME];
    const struct fft_window hann = {.kind = FFT_WINDOW_HANN};
    struct fft_spectrum *spectrum = NULL;
    struct fft_partial partial;
    fft_window_fill(&hann, window, FRAME, 1.0, NULL);
    for (int i = 0; i < FRAME; i++)
        raw[i][0] = 16384; /* zero frequency: the middle bin */
    const struct fft_spectrum_config config = {.n = FRAME,
                                               .hop = FRAME,
                                               .max_frames = 1,
                                               .depth = 1,
                                               .format = FFT_IQ_CS16,
                                               .window = window,
                                               .detectors = FFT_DETECTOR_MEAN};
    if (fft_spectrum_create(&spectrum, engine, &config, why, size) < 0)
        return 1;
    fft_spectrum_submit(spectrum, raw, 0, 1, 0);
    const int done = fft_spectrum_poll(spectrum, &partial, -1);
    const double level = done == 1 ? 10 * log10((double)partial.sum[FRAME / 2]) : NAN;
    fft_spectrum_destroy(spectrum);
    return fabs(level + 6.02) < 0.01 ? 0 : fail("spectrum", "wrong");
}

int main(void)
{
    char why[200] = "";
    struct fft_engine *engine = NULL;
    const struct fft_engine_config config = {.name = "auto"};
    if (fft_engine_open(&engine, &config, why, sizeof why) < 0)
        return fail("engine", why);
    const int failed =
        transform_a_tone(engine, why, sizeof why) || analyse_a_tone(engine, why, sizeof why);
    if (!failed)
        printf("%s\n", fft_version() == FFT_VERSION ? fft_version_text() : "another version");
    fft_engine_close(engine);
    return failed ? fail("library", why) : 0;
}
