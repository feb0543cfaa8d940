/* test_window.c - checks windows against published figures, and parses names and parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/window.h"
#include "reference/reference.h"
#include "tests/support/engine/golden.h"
#include "tests/support/engine/signal.h"

enum { N = 1024, PAD = 16 };

static struct fft_window parse_window(const char *text)
{
    struct fft_window w;
    if (fft_window_parse(text, &w) != 0)
        fail_msg("\"%s\" is not understood", text);
    return w;
}

static void figures_match_the_published_ones(void **state)
{
    (void)state;
    for (int i = 0; i < GOLDEN_WINDOWS; i++) {
        const struct golden_window *golden = &golden_windows[i];
        const struct fft_window window = parse_window(golden->text);
        struct fft_window_figures got;
        float w[N];
        fft_window_fill(&window, w, N, 1.0, &got);
        print_message("%s\n", golden->text);
        assert_true(fabs(got.coherent_gain - golden->coherent_gain) < 0.0006);
        assert_true(fabs(got.enbw_bins - golden->enbw_bins) < 0.00006);
        assert_true(fabs(to_db(got.enbw_bins) - golden->enbw_db) < 0.0006);
        assert_true(fabs(got.scalloping_db - golden->scalloping_db) < 0.0006);
        assert_true(fabs(fft_window_enbw_bins(&window) - golden->enbw_bins) < 0.00006);
        assert_true(fabs(fft_window_width_bins(&window, 3.0103) - golden->width_3db_bins) < 0.0006);
        assert_true(fabs(fft_window_width_bins(&window, 6.0206) - golden->width_6db_bins) < 0.0006);
    }
}

/* The highest lobe of the window's floats after the first minimum next to the main lobe. */
static double sidelobe_db(const float *w)
{
    struct complex64 *x = calloc((size_t)N * PAD, sizeof *x);
    double *db = calloc((size_t)N * PAD / 2, sizeof *db), peak = -INFINITY;
    for (int i = 0; i < N; i++)
        x[i].re = (double)w[i];
    reference_fft(x, N * PAD);
    for (int k = 0; k < N * PAD / 2; k++)
        db[k] = to_db(x[k].re * x[k].re + x[k].im * x[k].im + 1e-30);

    int k = PAD; /* skip the ripple of a flat top */
    while (db[k + 1] < db[k])
        k++;
    for (; k < N * PAD / 2; k++)
        peak = fmax(peak, db[k]);
    free(x);
    free(db);
    return peak;
}

static void sidelobes_match_the_published_ones(void **state)
{
    (void)state;
    for (int i = 0; i < GOLDEN_WINDOWS; i++) {
        const struct fft_window window = parse_window(golden_windows[i].text);
        float w[N];
        fft_window_fill(&window, w, N, 1.0, NULL);
        const double got = sidelobe_db(w);
        if (!(fabs(got - golden_windows[i].sidelobe_db) < 0.2))
            fail_msg("%s: %.2f dB", golden_windows[i].text, got);
    }
}

static void the_sum_is_the_requested_gain(void **state)
{
    static const uint32_t sizes[] = {64, 1024, 1048576};
    (void)state;
    for (unsigned kind = 0; kind < FFT_WINDOW_KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const struct fft_window window =
                parse_window(fft_window_name((enum fft_window_kind)kind));
            float *w = malloc(sizes[i] * sizeof *w);
            double sum = 0;
            fft_window_fill(&window, w, sizes[i], 16.0, NULL);
            for (uint32_t k = 0; k < sizes[i]; k++)
                sum += (double)w[k];
            assert_true(fabs(sum / 16.0 - 1) < 1e-6);
            free(w);
        }
}

static void windows_are_periodic(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < FFT_WINDOW_KINDS; kind++) {
        const struct fft_window window = parse_window(fft_window_name((enum fft_window_kind)kind));
        float w[N];
        fft_window_fill(&window, w, N, 1.0, NULL);
        for (int i = 1; i < N / 2; i++) /* w[i] = w[n - i], the peak at n/2 */
            assert_true(fabsf(w[i] - w[N - i]) <= 1e-6F * w[N / 2]);
        if (kind == FFT_WINDOW_HANN)
            assert_true(fabsf(w[0]) < 1e-9F);
    }
}

static void names_and_parameters_are_parsed(void **state)
{
    static const struct {
        const char *text, *canonical;
    } good[] = {
        {"rect", "rect"},
        {"hann", "hann"},
        {"Hann", "hann"},
        {"blackman-harris", "blackman-harris"},
        {"blackmanharris", "blackman-harris"},
        {"flattop", "flat-top"},
        {"flat-top", "flat-top"},
        {"kaiser", "kaiser(8.6)"},
        {"kaiser(8.6)", "kaiser(8.6)"},
        {"kaiser:14", "kaiser(14)"},
        {"kaiser(0)", "kaiser(0)"},
        {"gauss", "gauss(2.5)"},
        {"gauss(3.5)", "gauss(3.5)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const struct fft_window w = parse_window(good[i].text);
        char text[40];
        assert_string_equal(fft_window_format(&w, text, sizeof text), good[i].canonical);
    }
}

static void malformed_text_is_refused(void **state)
{
    static const char *const bad[] = {
        "",           "-",           "han",         "hanning2",    "hann(3)",    "hann:",
        "kaiser(",    "kaiser()",    "kaiser:",     "kaiser(8.6",  "kaiser8.6",  "kaiser(8.6) ",
        "kaiser(-1)", "kaiser(51)",  "kaiser(nan)", "kaiser(inf)", "gauss(0)",   "gauss(21)",
        "kaiser(8x)", "kaiser:8.6)", "triangle",    "rect,hann",   "blackman-h",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct fft_window w;
        if (fft_window_parse(bad[i], &w) != -EINVAL)
            fail_msg("\"%s\" was accepted", bad[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_match_the_published_ones),
        cmocka_unit_test(sidelobes_match_the_published_ones),
        cmocka_unit_test(the_sum_is_the_requested_gain),
        cmocka_unit_test(windows_are_periodic),
        cmocka_unit_test(names_and_parameters_are_parsed),
        cmocka_unit_test(malformed_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
