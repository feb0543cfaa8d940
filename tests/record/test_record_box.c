/* test_record_box.c - recordings of a box have its band, from its first sample to its last one. */
#include "tests/record/record_fixture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"

#define PI     3.14159265358979323846
#define CENTER 433.92e6
enum {
    LEVEL = 8192 /* -12.04 dBFS */,
    FROM = 70001,
    TO = 130003,
    FACTOR = 40 /* 20 kHz of 1 MHz */
};

/* Samples number, number + 1, ... of a tone beside the centre. */
static void write_tone(struct record_fixture *b, double hz, uint32_t samples)
{
    for (uint32_t now; samples > 0; samples -= now) {
        int16_t *into = NULL;
        now = samples < FIXTURE_BLOCK ? samples : FIXTURE_BLOCK;
        while (!into)
            into = iq_ring_write_begin(b->epoch->ring, 1000);
        for (uint32_t i = 0; i < now; i++) {
            const double turns = hz / FIXTURE_RATE * (double)(b->position + b->lost + i);
            into[2 * i] = (int16_t)lrint(LEVEL * cos(2 * PI * fmod(turns, 1)));
            into[2 * i + 1] = (int16_t)lrint(LEVEL * sin(2 * PI * fmod(turns, 1)));
        }
        iq_ring_write_end(b->epoch->ring, now);
        b->position += now;
        iq_reader_advance(&b->epoch->reader, b->epoch->ring, b->position);
        struct iq_mark mark;
        while (iq_ring_pop_mark(b->epoch->ring, &mark))
            continue;
    }
}

static int start(struct record_fixture *b, double low_hz, double high_hz, enum fft_iq_format format,
                 uint64_t *id)
{
    struct reason why = {0};
    b->options.cut_cs16 = format == FFT_IQ_CS16;
    const struct record_request q = {
        .epoch = RECORD_NEWEST,
        .from = FROM,
        .to = TO,
        .band = {.low_hz = CENTER + low_hz, .high_hz = CENTER + high_hz}};
    const int err = recorder_start(b->recorder, &q, id, &why);
    if (err < 0)
        assert_non_null(strstr(why.sentence, "low"));
    return err;
}

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

/* The file's bytes; each sample of cf32 has 8. */
static float *read_floats(const struct record_fixture *b, const char *name, size_t *samples)
{
    size_t words;
    uint32_t *raw = record_fixture_samples(b, name, &words);
    float *out = malloc(words * sizeof *out + 1);
    assert_non_null(out);
    memcpy(out, raw, words * sizeof *out);
    free(raw);
    *samples = words / 2;
    return out;
}

/* Samples of the tone hz beside the band's centre, of the input samples first, first + FACTOR ...
 */
static void assert_tone(const float *iq, size_t count, double hz, uint64_t first)
{
    for (size_t i = 0; i < count; i++) {
        const double angle = 2 * PI * fmod(hz / FIXTURE_RATE * (double)(first + i * FACTOR), 1);
        assert_float_equal(iq[2 * i], (float)(LEVEL / 32768.0 * cos(angle)), 1e-4F);
        assert_float_equal(iq[2 * i + 1], (float)(LEVEL / 32768.0 * sin(angle)), 1e-4F);
    }
}

static void a_box_of_past_and_future_has_its_band_and_time(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    uint64_t id;
    size_t count;
    record_fixture_start(&b, false);
    write_tone(&b, 103e3, 100000);
    assert_int_equal(start(&b, 90e3, 110e3, FFT_IQ_CF32, &id), 0);
    write_tone(&b, 103e3, 50000);
    const struct record_info info = record_fixture_await(&b, id);
    assert_string_equal(info.end, "complete");
    assert_int_equal(info.missing, 0);
    float *iq = read_floats(&b, info.name, &count);
    assert_int_equal(count, (TO - FROM + FACTOR - 1) / FACTOR);
    assert_int_equal(info.samples, count);
    assert_tone(iq, count, 3e3, FROM);
    json_t *meta = record_fixture_meta(&b, info.name);
    const json_t *global = json_object_get(meta, "global");
    const json_t *capture = json_array_get(json_object_get(meta, "captures"), 0);
    assert_float_equal(number(global, "core:sample_rate"), (double)FIXTURE_RATE / FACTOR, 1e-9);
    assert_string_equal(json_string_value(json_object_get(global, "core:datatype")), "cf32_le");
    assert_float_equal(number(json_object_get(global, "fftd:cut"), "frequency"), CENTER, 0);
    assert_float_equal(number(capture, "core:frequency"), CENTER + 100e3, 0);
    assert_int_equal((int64_t)number(capture, "fftd:cut_index"), FROM);
    assert_string_equal(json_string_value(json_object_get(capture, "core:datetime")),
                        "2026-11-20T10:15:00.070001000Z");
    json_decref(meta);
    free(iq);
    record_fixture_clean_up(&b);
}

static void cs16_has_the_same_samples_in_half_the_space(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    uint64_t id;
    size_t count;
    record_fixture_start(&b, false);
    write_tone(&b, -100e3, 150000);
    assert_int_equal(start(&b, -110e3, -90e3, FFT_IQ_CS16, &id), 0);
    const struct record_info info = record_fixture_await(&b, id);
    uint32_t *raw = record_fixture_samples(&b, info.name, &count);
    assert_int_equal(count, (TO - FROM + FACTOR - 1) / FACTOR);
    for (size_t i = 0; i < count; i++) { /* the tone is the centre of the band */
        assert_in_range((int16_t)(raw[i] & 0xffff) + 4, LEVEL, LEVEL + 8);
        assert_in_range((int16_t)(raw[i] >> 16) + 4, 0, 8);
    }
    free(raw);
    record_fixture_clean_up(&b);
}

/* Nothing from before the loss is in the samples after it. */
static void a_loss_begins_a_capture_and_the_filters_anew(void **state)
{
    (void)state;
    enum { LOST = 777, AT = 100003 };
    struct record_fixture b = {0};
    uint64_t id;
    size_t count;
    record_fixture_start(&b, false);
    write_tone(&b, 100e3, AT);
    record_fixture_lose(&b, LOSS_OVERFLOW, LOST);
    write_tone(&b, -400e3, 60000);
    assert_int_equal(start(&b, 90e3, 110e3, FFT_IQ_CF32, &id), 0);
    const struct record_info info = record_fixture_await(&b, id);
    assert_int_equal(info.lost, LOST);
    float *iq = read_floats(&b, info.name, &count);
    json_t *meta = record_fixture_meta(&b, info.name);
    const json_t *captures = json_object_get(meta, "captures");
    assert_int_equal(json_array_size(captures), 2);
    const json_t *second = json_array_get(captures, 1);
    const size_t begins = (AT - FROM + FACTOR - 1) / FACTOR;
    assert_int_equal((size_t)number(second, "core:sample_start"), begins);
    assert_int_equal((int64_t)number(second, "fftd:cut_index"), AT + LOST);
    assert_int_equal((int64_t)number(json_object_get(second, "fftd:lost"), "overflow"), LOST);
    assert_int_equal(count, begins + (TO - AT + FACTOR - 1) / FACTOR);
    assert_tone(iq, begins - 60, 0, FROM);
    for (size_t i = begins + 60; i < count; i++)
        assert_true(hypotf(iq[2 * i], iq[2 * i + 1]) < 1e-4F * LEVEL / 32768);
    json_decref(meta);
    free(iq);
    record_fixture_clean_up(&b);
}

/* Sample number k is at FIXTURE_TIME_NS + k us; what was lost took time, too. */
static void a_box_begins_at_a_time(void **state)
{
    (void)state;
    static const struct {
        int64_t ns;
        uint64_t index;
    } cases[] = {{70001000, 70001}, {100001000, 100778}, {130001000, 130001}};
    struct record_fixture b = {0};
    struct reason why = {0};
    record_fixture_start(&b, false);
    write_tone(&b, 100e3, 100001);
    record_fixture_lose(&b, LOSS_OVERFLOW, 777);
    write_tone(&b, 100e3, 60000);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t id;
        const struct record_request q = {
            .epoch = RECORD_NEWEST,
            .timed = true,
            .from_ns = FIXTURE_TIME_NS + cases[i].ns,
            .duration_s = 4000.0 / FIXTURE_RATE,
            .band = {.low_hz = CENTER + 90e3, .high_hz = CENTER + 110e3}};
        assert_int_equal(recorder_start(b.recorder, &q, &id, &why), 0);
        const struct record_info info = record_fixture_await(&b, id);
        assert_int_equal(info.samples, 4000 / FACTOR);
        json_t *meta = record_fixture_meta(&b, info.name);
        const json_t *capture = json_array_get(json_object_get(meta, "captures"), 0);
        assert_int_equal((uint64_t)number(capture, "fftd:cut_index"), cases[i].index);
        json_decref(meta);
    }
    record_fixture_clean_up(&b);
}

static void annotations_keep_their_time(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    uint64_t id;
    record_fixture_start(&b, false);
    write_tone(&b, 100e3, 100000);
    assert_int_equal(start(&b, 90e3, 110e3, FFT_IQ_CF32, &id), 0);
    const struct record_annotation a = {.from = FROM + 100 * FACTOR, .to = FROM + 150 * FACTOR};
    assert_int_equal(recorder_annotate(b.recorder, id, &a), 0);
    write_tone(&b, 100e3, 50000);
    const struct record_info info = record_fixture_await(&b, id);
    json_t *meta = record_fixture_meta(&b, info.name);
    const json_t *got = json_array_get(json_object_get(meta, "annotations"), 0);
    assert_int_equal((size_t)number(got, "core:sample_start"), 100);
    assert_int_equal((size_t)number(got, "core:sample_count"), 50);
    json_decref(meta);
    record_fixture_clean_up(&b);
}

static void a_stream_without_the_band_is_refused_or_missing(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    struct iq_mark mark = {.tuning_changed = true};
    uint64_t id;
    record_fixture_start(&b, false);
    write_tone(&b, 100e3, 100000);
    assert_int_equal(start(&b, 490e3, 510e3, FFT_IQ_CF32, &id), -EINVAL);
    assert_int_equal(start(&b, 10e3, -10e3, FFT_IQ_CF32, &id), -EINVAL);
    mark.tuning = b.epoch->stream.tuning;
    mark.tuning.center_hz = 100e6;
    mark.events[LOSS_RETUNE] = 1;
    iq_ring_mark(b.epoch->ring, &mark);
    write_tone(&b, 100e3, 60000);
    assert_int_equal(start(&b, 90e3, 110e3, FFT_IQ_CF32, &id), 0);
    const struct record_info info = record_fixture_await(&b, id);
    assert_int_equal(info.missing, TO - 100000);
    assert_int_equal(info.samples, (100000 - FROM + FACTOR - 1) / FACTOR);
    record_fixture_clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_past_and_future_has_its_band_and_time),
        cmocka_unit_test(cs16_has_the_same_samples_in_half_the_space),
        cmocka_unit_test(a_loss_begins_a_capture_and_the_filters_anew),
        cmocka_unit_test(a_box_begins_at_a_time),
        cmocka_unit_test(annotations_keep_their_time),
        cmocka_unit_test(a_stream_without_the_band_is_refused_or_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
