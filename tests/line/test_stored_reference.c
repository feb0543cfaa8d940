/*
 * test_stored_reference.c - stored references: arithmetic against them, their files, and what
 * survives.
 */
#include "tests/support/cmocka_all.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/line/reference/reference_file.h"
#include "daemon/line/reference/reference_store.h"
#include "tests/support/server/lines.h"

static struct line *line_of(uint32_t n, double center_hz, double rate_hz)
{
    struct line *line = line_create(&(struct line_shape){.n = n, .detectors = FFT_DETECTOR_MEAN});
    assert_non_null(line);
    describe_line(line, 3);
    line->tuning.center_hz = center_hz;
    line->tuning.rate_hz = rate_hz;
    return line;
}

/* Power as a function of frequency: 1 at 100 MHz, and 1e-6 more for each kHz. */
static float slope_at(double hz)
{
    return (float)(1 + (hz - 100e6) / 1e3 * 1e-6 * 1e3);
}

static void fill_with_slope(struct line *line)
{
    for (uint32_t k = 0; k < line->n; k++)
        line->detector[0][k] = slope_at(line_low_hz(line) + k * line_bin_hz(line));
}

static struct reference *reference_of(const char *name, const struct line *line)
{
    struct reference *r;
    const struct reference_source source = {name, "mean", "average", 100, line, line->detector[0]};
    assert_int_equal(reference_create(&r, &source), 0);
    return r;
}

/* ---- arithmetic ------------------------------------------------------------------------- */

static void minus_is_a_power_and_relative_a_ratio(void **state)
{
    (void)state;
    struct line *line = line_of(64, 100e6, 1e6);
    struct reason why = {0};
    for (uint32_t k = 0; k < 64; k++)
        line->detector[0][k] = k == 1 ? 0 : 2;
    struct reference *r = reference_of("a", line);
    float minus[64] = {5, 5, 1}, relative[64] = {4, 5, 1};
    assert_int_equal(reference_apply(r, MATH_MINUS, line, minus, &why), 0);
    assert_near(minus[0], 3, 0); /* 5 - 2 */
    assert_near(minus[1], 5, 0);
    assert_near(minus[2], 0, 0); /* 1 - 2: not below 0 */
    assert_int_equal(reference_apply(r, MATH_RELATIVE, line, relative, &why), 0);
    assert_near(10 * log10((double)relative[0]), 3.0103, 1e-4);
    assert_near(relative[1], 0, 0); /* no reference there */
    assert_near(10 * log10((double)relative[2]), -3.0103, 1e-4);
    assert_string_equal(why.sentence, "");
    reference_unref(r);
    line_destroy(line);
}

/* A spectrum with the same bins but less span, and one whose bins lie between the reference's. */
static void a_reference_meets_the_frequencies_of_the_line(void **state)
{
    (void)state;
    static const double center_hz[] = {100e6, 100.1e6, 100e6 + 300, 99.8e6 + 123};
    struct line *wide = line_of(1024, 100e6, 1.024e6);
    fill_with_slope(wide);
    struct reference *r = reference_of("a", wide);
    for (int i = 0; i < 4; i++) {
        struct line *line = line_of(256, center_hz[i], 256e3);
        float power[256];
        struct reason why = {0};
        for (uint32_t k = 0; k < 256; k++)
            power[k] = 3;
        assert_int_equal(reference_apply(r, MATH_MINUS, line, power, &why), 0);
        for (uint32_t k = 0; k < 256; k++)
            assert_near((double)power[k],
                        3 - (double)slope_at(line_low_hz(line) + k * line_bin_hz(line)), 1e-5);
        line_destroy(line);
    }
    reference_unref(r);
    line_destroy(wide);
}

static void refused(const struct reference *r, struct line *line, const char *words)
{
    struct reason why = {0};
    float power[2048] = {7, 7};
    assert_int_equal(reference_apply(r, MATH_MINUS, line, power, &why), -ERANGE);
    if (!strstr(why.sentence, words))
        fail_msg("the reason is \"%s\", without \"%s\"", why.sentence, words);
    assert_near(power[0], 7, 0);
    line_destroy(line);
}

static void a_reference_that_cannot_be_compared_says_why(void **state)
{
    (void)state;
    struct line *line = line_of(1024, 100e6, 1.024e6), *other;
    struct reference *r = reference_of("a", line);
    refused(r, line_of(2048, 100e6, 1.024e6), "has an RBW of 1500 Hz, the spectrum one of 750 Hz");
    refused(r, line_of(1024, 100.001e6, 1.024e6),
            "is from 99.488 to 100.512 MHz, the spectrum from 99.489 to 100.513 MHz");
    other = line_of(1024, 100e6, 1.024e6);
    other->rate_assumed = true;
    refused(r, other, "the spectrum from");
    reference_unref(r);
    line_destroy(line);
}

/* ---- files ------------------------------------------------------------------------------ */

static struct text file_of(struct reference *r)
{
    struct text text = {0};
    reference_write(&text, r);
    assert_false(text.failed);
    reference_unref(r);
    return text;
}

static void a_file_has_the_documented_bytes(void **state)
{
    (void)state;
    struct line *line = line_of(64, 100e6, 1e6);
    fill_with_slope(line);
    struct text text = file_of(reference_of("bench", line));
    static const char head[] =
        "{\"name\":\"bench\",\"format\":\"fftd-reference\",\"version\":1,"
        "\"time\":\"2023-11-14T22:13:20.150000Z\",\"detector\":\"mean\",\"trace\":\"average\","
        "\"lines\":100,\"center_hz\":100000000.0,\"rate_hz\":1000000.0,\"gain_db\":20.0,"
        "\"fft_size\":64,\"hop\":32,\"enbw_bins\":1.5,\"window\":\"hann\",\"simulated\":false,"
        "\"rate_assumed\":false,\"crc32\":";
    assert_memory_equal(text.data, head, sizeof head - 1);
    const char *end = memchr(text.data, '\n', text.length);
    assert_int_equal(text.length - (size_t)(end + 1 - text.data), 64 * 4);
    assert_memory_equal(end + 1, line->detector[0], 64 * 4);
    text_finish(&text);
    line_destroy(line);
}

static void a_file_reads_as_it_was_written(void **state)
{
    (void)state;
    struct line *line = line_of(256, 433.92e6, 2.4e6);
    struct reference *r, *want;
    struct reason why = {0};
    fill_with_noise(line, 5);
    line->gain_db = NAN;
    line->simulated = true;
    want = reference_of("x.y-1", line);
    struct text text = file_of(reference_ref(want));
    assert_int_equal(reference_parse(&r, text.data, text.length, &why), 0);
    assert_string_equal(r->name, "x.y-1");
    assert_string_equal(r->window, "hann");
    assert_int_equal(r->time_ns, want->time_ns);
    assert_int_equal(r->lines, 100);
    assert_near(r->center_hz, 433.92e6, 0);
    assert_true(isnan(r->gain_db) && r->simulated && !r->rate_assumed);
    assert_memory_equal(r->power, want->power, 256 * sizeof(float));
    reference_unref(r);
    reference_unref(want);
    text_finish(&text);
    line_destroy(line);
}

static void a_damaged_file_is_refused(void **state)
{
    (void)state;
    struct line *line = line_of(64, 100e6, 1e6);
    struct reference *r;
    struct reason why = {0};
    fill_with_slope(line);
    struct text text = file_of(reference_of("a", line));
    for (size_t size = 0; size < text.length; size++)
        assert_int_equal(reference_parse(&r, text.data, size, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, "the size of the file"));
    text.data[text.length - 3] ^= 1;
    assert_int_equal(reference_parse(&r, text.data, text.length, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, "crc32"));
    assert_int_equal(reference_parse(&r, "{}\n", 3, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, "format"));
    text_finish(&text);
    line_destroy(line);
}

/* The cast of a number that its type cannot hold is undefined: the sanitizer reports it. */
static void a_number_out_of_range_is_refused(void **state)
{
    (void)state;
    static const char *const keys[] = {"lines", "hop", "fft_size", "version"};
    static const char *const numbers[] = {"-1", "1e75", "9e999"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys * 3; i++) {
        struct line *line = line_of(64, 100e6, 1e6);
        struct reference *r;
        struct reason why = {0};
        char key[20], head[512];
        snprintf(key, sizeof key, "\"%s\":", keys[i / 3]);
        fill_with_slope(line);
        struct text text = file_of(reference_of("a", line));
        const char *at = strstr(text.data, key);
        assert_non_null(at);
        at += strlen(key);
        const size_t before = (size_t)(at - text.data), digits = strspn(at, "0123456789");
        const int length = snprintf(head, sizeof head, "%.*s%s%s", (int)before, text.data,
                                    numbers[i % 3], at + digits);
        assert_in_range(length, 1, sizeof head - 1);
        assert_int_equal(reference_parse(&r, head, (size_t)length, &why), -EINVAL);
        /* jansson itself refuses 9e999. */
        assert_non_null(strstr(why.sentence, i % 3 == 2 ? "no line of JSON" : keys[i / 3]));
        text_finish(&text);
        line_destroy(line);
    }
}

/* ---- the store -------------------------------------------------------------------------- */

static char folder[] = "/tmp/fftd-references-XXXXXX", files[sizeof folder + 16];

static int make_folder(void **state)
{
    (void)state;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 7);
    assert_non_null(mkdtemp(folder));
    snprintf(files, sizeof files, "%s/references", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char path[512];
    DIR *dir = opendir(files);
    for (const struct dirent *d; dir && (d = readdir(dir));) {
        snprintf(path, sizeof path, "%s/%s", files, d->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(files);
    return rmdir(folder);
}

static struct reference_store *open_store(const char *state_dir)
{
    struct reference_store *s;
    assert_int_equal(reference_store_create(&s, state_dir), 0);
    return s;
}

static int put(struct reference_store *s, const char *name, float power, uint32_t n)
{
    struct line *line = line_of(n, 100e6, 1e6);
    fill_line(line, power);
    const int err = reference_store_put(s, reference_of(name, line));
    line_destroy(line);
    return err;
}

static void check_power(struct reference_store *s, const char *name, double power)
{
    struct reference *r = reference_store_find(s, name);
    assert_non_null(r);
    assert_near(r->power[5], power, 0);
    reference_unref(r);
}

static void references_survive_a_restart(void **state)
{
    (void)state;
    struct reference_store *s = open_store(folder);
    assert_int_equal(put(s, "b", 2, 64), 0);
    assert_int_equal(put(s, "a", 3, 64), 0);
    assert_int_equal(put(s, "c", 4, 64), 0);
    assert_int_equal(put(s, "a", 5, 64), 0); /* in place of the first */
    assert_int_equal(reference_store_remove(s, "c"), 0);
    assert_int_equal(reference_store_remove(s, "c"), -ENOENT);
    reference_store_destroy(s);
    s = open_store(folder);
    check_power(s, "a", 5);
    check_power(s, "b", 2);
    assert_null(reference_store_find(s, "c"));
    json_t *list = reference_store_to_json(s);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "name")), "a");
    assert_true(json_is_true(json_object_get(json_array_get(list, 0), "stored")));
    json_decref(list);
    assert_int_equal(reference_store_remove(s, "b"), 0); /* the file of an earlier store */
    reference_store_destroy(s);
    s = open_store(folder);
    assert_null(reference_store_find(s, "b"));
    check_power(s, "a", 5);
    reference_store_destroy(s);
}

static void write_text(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", files, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* What a power failure leaves, and files of others. */
static void what_is_no_reference_harms_none(void **state)
{
    (void)state;
    char path[512];
    struct reference_store *s = open_store(folder);
    assert_int_equal(put(s, "a", 3, 64), 0);
    reference_store_destroy(s);
    write_text("b.ref", "{\"format\": \"fftd-refe");
    write_text("a.tmp", "{\"format\": \"fftd-refe");
    write_text("notes.txt", "mine");
    snprintf(path, sizeof path, "cp %s/a.ref %s/z.ref", files, files); /* says that it is a */
    assert_int_equal(system(path), 0);
    s = open_store(folder);
    check_power(s, "a", 3);
    assert_null(reference_store_find(s, "b"));
    assert_null(reference_store_find(s, "z"));
    snprintf(path, sizeof path, "%s/b.ref", files);
    assert_int_equal(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/a.tmp", files);
    assert_int_equal(access(path, F_OK), -1);
    reference_store_destroy(s);
}

static void without_a_folder_references_live_in_memory(void **state)
{
    (void)state;
    struct reference_store *s = open_store(NULL);
    assert_int_equal(put(s, "a", 3, 64), 0);
    check_power(s, "a", 3);
    json_t *list = reference_store_to_json(s);
    assert_true(json_is_false(json_object_get(json_array_get(list, 0), "stored")));
    json_decref(list);
    assert_int_equal(reference_store_remove(s, "a"), 0);
    assert_null(reference_store_find(s, "a"));
    reference_store_destroy(s);
    s = open_store("/nowhere");
    assert_int_equal(put(s, "a", 3, 64), 0);
    reference_store_destroy(s);
}

static void number_and_size_of_references_are_bounded(void **state)
{
    (void)state;
    struct reference_store *s = open_store(NULL);
    char name[16];
    for (int i = 0; i < REFERENCES_MAX; i++) {
        snprintf(name, sizeof name, "r%d", i);
        assert_int_equal(put(s, name, 1, 64), 0);
    }
    assert_int_equal(put(s, "more", 1, 64), -EMFILE);
    assert_int_equal(put(s, "r3", 2, 64), 0); /* replaces one */
    for (int i = 0; i < 15; i++) {
        snprintf(name, sizeof name, "r%d", i);
        assert_int_equal(put(s, name, 1, REFERENCE_BINS_MAX), 0); /* 4 MiB each */
    }
    assert_int_equal(put(s, "r20", 1, REFERENCE_BINS_MAX), -ENOBUFS);
    struct line *line = line_of(2 * REFERENCE_BINS_MAX, 100e6, 1e6);
    struct reference *r;
    const struct reference_source source = {"a", "mean", "average", 1, line, line->detector[0]};
    assert_int_equal(reference_create(&r, &source), -E2BIG);
    line_destroy(line);
    reference_store_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minus_is_a_power_and_relative_a_ratio),
        cmocka_unit_test(a_reference_meets_the_frequencies_of_the_line),
        cmocka_unit_test(a_reference_that_cannot_be_compared_says_why),
        cmocka_unit_test(a_file_has_the_documented_bytes),
        cmocka_unit_test(a_file_reads_as_it_was_written),
        cmocka_unit_test(a_damaged_file_is_refused),
        cmocka_unit_test(a_number_out_of_range_is_refused),
        cmocka_unit_test_setup_teardown(references_survive_a_restart, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_no_reference_harms_none, make_folder,
                                        remove_folder),
        cmocka_unit_test(without_a_folder_references_live_in_memory),
        cmocka_unit_test(number_and_size_of_references_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
