/* test_iq_guess.c - guessed formats of signals, recordings, and data that are no samples. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cmocka_all.h"

#include "daemon/format/recording/iq_guess.h"
#include "daemon/source/sim/scene.h"
#include "tests/support/source/iq_signals.h"

static struct iq_guess guess(const void *bytes, size_t size)
{
    struct iq_guess_counts *counts = calloc(1, sizeof *counts);
    assert_non_null(counts);
    iq_guess_add(counts, bytes, size);
    const struct iq_guess g = iq_guess_result(counts, size);
    free(counts);
    return g;
}

/* ---- signals at all levels -------------------------------------------------------------- */

struct tally {
    unsigned right, undecided, wrong;
};

static const double levels_db[] = {-60, -46, -36, -30, -24, -12, -3, 0, 6, 20};
enum { LEVELS = sizeof levels_db / sizeof levels_db[0] };

static void judge(struct tally *t, const char *scene, double level, const struct iq_encoding *e,
                  const struct iq_guess *g)
{
    t->undecided += g->format == FFT_IQ_FORMATS;
    if (g->format == FFT_IQ_FORMATS) { /* then the question offers the truth */
        t->wrong += e->truth != FFT_IQ_FORMATS && g->likelihood[e->truth] == IQ_EXCLUDED;
        return;
    }
    t->right += g->format == e->truth;
    t->wrong += g->format != e->truth;
    if (g->format != e->truth)
        print_error("%s at %g dB as %s: guessed %s\n", scene, level, e->name,
                    fft_iq_name(g->format));
}

static struct tally sweep(const struct iq_encoding *e, const double *levels, int count,
                          const char *only)
{
    static struct fft_iq samples[SCENE_SAMPLES];
    struct tally t = {0};
    for (size_t s = 0; iq_scenes[s].name; s++) {
        if (!strstr(iq_scenes[s].name, only))
            continue;
        render_scene(&iq_scenes[s], 1 + (unsigned)s, samples);
        for (int i = 0; i < count; i++) {
            struct block b = encode_samples(e, samples, levels[i]);
            const struct iq_guess g = guess(b.at, b.size);
            judge(&t, iq_scenes[s].name, levels[i], e, &g);
            free(b.at);
        }
    }
    return t;
}

/* Including clipped signals, 2 codes only, other byte orders, shifted bytes, other formats. */
static void no_signal_at_any_level_is_guessed_wrong(void **state)
{
    (void)state;
    struct tally sum = {0};
    for (const struct iq_encoding *e = iq_encodings; e->name; e++) {
        const struct tally t = sweep(e, levels_db, LEVELS, "");
        print_message("%-40s %4u right %4u undecided %4u wrong\n", e->name, t.right, t.undecided,
                      t.wrong);
        assert_true(e->truth == FFT_IQ_FORMATS || t.right >= 35);
        sum.right += t.right;
        sum.undecided += t.undecided;
        sum.wrong += t.wrong;
    }
    print_message("%u right, %u undecided, %u wrong\n", sum.right, sum.undecided, sum.wrong);
    assert_int_equal(sum.wrong, 0);
}

/* What a radio with a reasonable gain delivers. */
static void noise_with_room_to_the_rails_is_always_guessed(void **state)
{
    (void)state;
    static const double levels[] = {-30, -24, -18, -12, -6};
    for (const struct iq_encoding *e = iq_encodings; e->name; e++) {
        if (e->truth == FFT_IQ_FORMATS)
            continue;
        const struct tally t = sweep(e, levels, 5, "noise with an offset");
        assert_int_equal(t.right, 5);
        assert_int_equal(sweep(e, levels, 5, "narrow noise").right, 5);
    }
}

/* ---- the simulated radio ---------------------------------------------------------------- */

static void the_simulated_radio_is_guessed(void **state)
{
    (void)state;
    static const struct sim_scene scenes[] = {
        {SIM_SHOW, 1, NAN, NAN, NAN, NAN, NAN, NAN},
        {SIM_NOISE, 2, -20, NAN, NAN, NAN, NAN, NAN},
        {SIM_NOISE, 3, -30, NAN, NAN, NAN, NAN, NAN},
        {SIM_TONE, 4, -10, -30, NAN, NAN, NAN, NAN},
    };
    const uint32_t period = sim_period(250e3);
    uint8_t *bytes = malloc((size_t)period * 8);
    assert_non_null(bytes);
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        for (int format = 0; format < FFT_IQ_FORMATS; format++) {
            sim_render(&scenes[s], 250e3, (enum fft_iq_format)format, bytes);
            const struct iq_guess g =
                guess(bytes, period * fft_iq_bytes((enum fft_iq_format)format));
            assert_int_equal(g.format, format);
        }
    }
    const struct sim_scene silence = {SIM_SILENCE, 1, NAN, NAN, NAN, NAN, NAN, NAN};
    for (int format = 0; format < FFT_IQ_FORMATS; format++) {
        sim_render(&silence, 250e3, (enum fft_iq_format)format, bytes);
        const struct iq_guess g = guess(bytes, period * fft_iq_bytes((enum fft_iq_format)format));
        assert_int_equal(g.format, FFT_IQ_FORMATS);
        assert_int_not_equal(g.likelihood[format], IQ_EXCLUDED);
    }
    free(bytes);
}

/* ---- recordings ------------------------------------------------------------------------- */

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = malloc(4U << 20);
    assert_non_null(f);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 4U << 20, f);
    fclose(f);
    return bytes;
}

/* As a whole and in every window: bursts, silence between them, clipped bursts. */
static void recordings_of_an_rtl_sdr_are_cu8(void **state)
{
    (void)state;
    static const char *const names[] = {"modes1_1090M_2000k.cu8", "wmbus_868.950M_1600k.cu8"};
    const char *folder = getenv("FFTD_IQ_DIR");
    if (!folder)
        skip();
    for (int i = 0; i < 2; i++) {
        char path[500];
        size_t size = 0, guessed = 0, windows = 0;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        uint8_t *bytes = read_file(path, &size);
        const struct iq_guess all = guess(bytes, size);
        assert_int_equal(all.format, FFT_IQ_CU8);
        assert_true(all.sure);
        for (size_t at = 0; at + 65536 <= size; at += 16384, windows++) {
            const struct iq_guess g = guess(bytes + at, 65536);
            assert_true(g.format == FFT_IQ_CU8 || g.format == FFT_IQ_FORMATS);
            guessed += g.format == FFT_IQ_CU8;
        }
        print_message("%s: %zu of %zu windows guessed\n", names[i], guessed, windows);
        assert_true(guessed > windows / 2);
        free(bytes);
    }
}

/* ---- data that are no samples ----------------------------------------------------------- */

enum { FOREIGN = 200000 };

static void fill_english(uint8_t *out, struct iq_random *r)
{
    static const char letters[] = "eeeeeeetttttaaaaooooiiinnnssshhrrrddlluucmfwypvbgkqjxz";
    for (size_t i = 0; i < FOREIGN; i++) {
        const double u = iq_uniform(r);
        out[i] = (uint8_t)(u < 0.17   ? ' '
                           : u < 0.19 ? '\n'
                                      : letters[(size_t)(iq_uniform(r) * (sizeof letters - 1))]);
    }
}

static void fill_numbers(uint8_t *out, struct iq_random *r)
{
    for (size_t i = 0; i + 8 <= FOREIGN; i += 8) {
        char text[32];
        snprintf(text, sizeof text, "%+.4f\n", iq_gauss(r));
        memcpy(out + i, text, 8);
    }
}

/* As compressed and encrypted files. */
static void fill_random(uint8_t *out, struct iq_random *r)
{
    for (size_t i = 0; i < FOREIGN; i++)
        out[i] = (uint8_t)(iq_uniform(r) * 256);
}

static void fill_base64(uint8_t *out, struct iq_random *r)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < FOREIGN; i++)
        out[i] = (uint8_t)digits[(size_t)(iq_uniform(r) * 64)];
}

static void fill_utf16(uint8_t *out, struct iq_random *r)
{
    fill_english(out, r);
    for (size_t i = FOREIGN / 2; i-- > 0;) {
        out[2 * i] = out[i];
        out[2 * i + 1] = 0;
    }
}

/* A table of small numbers: zeros, few large ones, few negative ones. */
static void fill_table(uint8_t *out, struct iq_random *r)
{
    for (size_t i = 0; i + 4 <= FOREIGN; i += 4) {
        const double u = iq_uniform(r);
        const int32_t value = (int32_t)(u < 0.5   ? u * 20
                                        : u < 0.9 ? pow(2, u * 20)
                                                  : -1000 * (1 - u));
        memcpy(out + i, &value, 4);
    }
}

/* Lines of an image with transparent parts. */
static void fill_image(uint8_t *out, struct iq_random *r)
{
    for (size_t i = 0; i + 4 <= FOREIGN; i += 4) {
        const uint8_t grey = (uint8_t)(128 + 100 * sin((double)i * 1e-3));
        const bool clear = i / 4000 % 3 != 0;
        const uint8_t pixel[4] = {grey, (uint8_t)(grey + iq_uniform(r) * 4), grey, 255};
        memset(out + i, 0, 4);
        if (!clear)
            memcpy(out + i, pixel, 4);
    }
}

static void fill_count(uint8_t *out, struct iq_random *r)
{
    (void)r;
    for (uint32_t i = 0; i < FOREIGN / 4; i++)
        memcpy(out + (size_t)4 * i, &i, 4);
}

/* One byte over and over. */
static void fill_zero(uint8_t *out, struct iq_random *r)
{
    memset(out, 0, FOREIGN);
    (void)r;
}

static void fill_middle(uint8_t *out, struct iq_random *r)
{
    memset(out, 0x80, FOREIGN);
    (void)r;
}

/* The two codes that are the zero of cu8 and the rails of cs8, and the other way round. */
static void fill_two_codes(uint8_t *out, struct iq_random *r)
{
    for (size_t i = 0; i < FOREIGN; i++)
        out[i] = iq_uniform(r) < 0.5 ? 0x7f : 0x80;
}

static void fill_two_others(uint8_t *out, struct iq_random *r)
{
    for (size_t i = 0; i < FOREIGN; i++)
        out[i] = iq_uniform(r) < 0.5 ? 0 : 0xff;
}

static void data_without_samples_give_no_guess(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*fill)(uint8_t *, struct iq_random *);
    } table[] = {
        {"English", fill_english}, {"numbers", fill_numbers},     {"random", fill_random},
        {"base64", fill_base64},   {"UTF-16", fill_utf16},        {"table", fill_table},
        {"image", fill_image},     {"count", fill_count},         {"zero", fill_zero},
        {"middle", fill_middle},   {"two codes", fill_two_codes}, {"two others", fill_two_others},
    };
    uint8_t *bytes = calloc(1, FOREIGN);
    assert_non_null(bytes);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct iq_random r = {i};
        table[i].fill(bytes, &r);
        const struct iq_guess g = guess(bytes, FOREIGN);
        if (g.format != FFT_IQ_FORMATS)
            print_error("%s: guessed %s\n", table[i].name, fft_iq_name(g.format));
        assert_int_equal(g.format, FFT_IQ_FORMATS);
        assert_false(g.sure);
    }
    free(bytes);
}

/* The code of this process and of its libraries. */
static void machine_code_gives_no_guess(void **state)
{
    (void)state;
    enum { WINDOW = 32768 };
    char line[512], rights[8];
    unsigned long from, to, windows = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || rights[0] != 'r' ||
            rights[2] != 'x' || !strchr(line, '/'))
            continue;
        for (; from + WINDOW <= to; from += WINDOW, windows++)
            assert_int_equal(guess((const uint8_t *)from, WINDOW).format, FFT_IQ_FORMATS);
    }
    fclose(maps);
    assert_true(windows > 10);
}

/* As in sections of debug information: 38 % zeros, small positive bytes, 10 % above 127. */
static void mostly_small_positive_bytes_give_no_guess(void **state)
{
    (void)state;
    enum { SIZE = 262144 };
    uint8_t *bytes = malloc(SIZE);
    assert_non_null(bytes);
    uint32_t random = 1;
    for (size_t i = 0; i < SIZE; i++) {
        random = random * 1664525 + 1013904223; /* D. Knuth, H. Lewis */
        const unsigned part = (random >> 16) % 100, value = (random >> 8) & 0xff;
        bytes[i] = (uint8_t)(part < 20   ? 0
                             : part < 90 ? value * value * value >> 18
                                         : 128 + value / 2);
    }
    assert_int_equal(guess(bytes, SIZE).format, FFT_IQ_FORMATS);
    free(bytes);
}

/* ---- the length ------------------------------------------------------------------------- */

static void a_length_that_is_no_whole_number_of_samples_excludes_a_format(void **state)
{
    (void)state;
    static struct fft_iq samples[SCENE_SAMPLES];
    struct iq_guess_counts *counts = calloc(1, sizeof *counts);
    render_scene(&iq_scenes[0], 1, samples);
    struct block b = encode_samples(&iq_encodings[2], samples, -20);
    assert_non_null(counts);
    iq_guess_add(counts, b.at, b.size);
    assert_int_equal(iq_guess_result(counts, b.size).format, FFT_IQ_CS16);
    assert_int_equal(iq_guess_result(counts, 0).format, FFT_IQ_CS16);
    assert_int_equal(iq_guess_result(counts, b.size + 4).likelihood[FFT_IQ_CF32], IQ_EXCLUDED);
    assert_int_equal(iq_guess_result(counts, b.size + 2).likelihood[FFT_IQ_CS16], IQ_EXCLUDED);
    assert_int_equal(iq_guess_result(counts, b.size + 2).format, FFT_IQ_FORMATS);
    free(counts);
    free(b.at);
}

static void few_bytes_give_no_guess(void **state)
{
    (void)state;
    static struct fft_iq samples[SCENE_SAMPLES];
    render_scene(&iq_scenes[0], 1, samples);
    struct block b = encode_samples(&iq_encodings[0], samples, -20);
    for (size_t size = 0; size < IQ_GUESS_MIN; size = size * 2 + 1)
        assert_int_equal(guess(b.at, size).format, FFT_IQ_FORMATS);
    assert_int_equal(guess(b.at, IQ_GUESS_MIN).format, FFT_IQ_CU8);
    free(b.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_signal_at_any_level_is_guessed_wrong),
        cmocka_unit_test(noise_with_room_to_the_rails_is_always_guessed),
        cmocka_unit_test(the_simulated_radio_is_guessed),
        cmocka_unit_test(recordings_of_an_rtl_sdr_are_cu8),
        cmocka_unit_test(data_without_samples_give_no_guess),
        cmocka_unit_test(machine_code_gives_no_guess),
        cmocka_unit_test(mostly_small_positive_bytes_give_no_guess),
        cmocka_unit_test(a_length_that_is_no_whole_number_of_samples_excludes_a_format),
        cmocka_unit_test(few_bytes_give_no_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
