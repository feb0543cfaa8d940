/*
 * test_range.c - compares range-coded levels, hits and frames with golden bytes from an independent
 * encoder. The tests of the page decode the same bytes.
 */
#include "tests/support/cmocka_all.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/wire/coded_frame.h"
#include "daemon/wire/density_frame.h"
#include "daemon/wire/hit_code.h"
#include "daemon/wire/level_code.h"

enum { CAPACITY = 4096 };

static json_t *load(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", GOLDEN_DIR, name);
    json_t *cases = json_load_file(path, 0, NULL);
    assert_non_null(cases);
    assert_true(json_array_size(cases) > 0);
    return cases;
}

/* Reads hexadecimal digits; returns the number of bytes. */
static size_t read_hex(const json_t *object, const char *key, uint8_t into[CAPACITY])
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    const size_t size = strlen(text) / 2;
    assert_true(size <= CAPACITY);
    for (size_t i = 0; i < size; i++) {
        const char digits[] = {text[2 * i], text[2 * i + 1], '\0'};
        into[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return size;
}

static void assert_code(const json_t *golden, const char *key, const uint8_t *code, size_t size)
{
    uint8_t want[CAPACITY];
    print_message("    %s\n", json_string_value(json_object_get(golden, "name")));
    assert_int_equal(size, read_hex(golden, key, want));
    assert_memory_equal(code, want, size);
}

static void levels_have_the_code_of_the_independent_encoder(void **state)
{
    (void)state;
    json_t *cases = load("range_levels.json");
    size_t i;
    json_t *golden;
    json_array_foreach(cases, i, golden)
    {
        const json_t *values = json_object_get(golden, "levels");
        uint8_t levels[CAPACITY], code[CAPACITY];
        for (size_t k = 0; k < json_array_size(values); k++)
            levels[k] = (uint8_t)json_integer_value(json_array_get(values, k));
        const uint32_t columns = (uint32_t)json_array_size(values);
        const size_t size = level_code_write(levels, columns, code, sizeof code);
        assert_code(golden, "code", code, size);
        assert_int_equal(level_code_write(levels, columns, code, size), size);
        for (size_t capacity = 0; capacity < size; capacity++) {
            code[capacity] = 0xa5;
            assert_int_equal(level_code_write(levels, columns, code, capacity), 0);
            assert_int_equal(code[capacity], 0xa5);
        }
    }
    json_decref(cases);
}

/* The density of a golden case; its hits are to be freed. */
static struct density read_density(const json_t *golden)
{
    const json_t *columns = json_object_get(golden, "columns");
    struct density d = {
        .lines = 1, .n = 64, .frames = json_number_value(json_object_get(golden, "frames"))};
    d.shape.columns = (uint32_t)json_array_size(columns);
    d.shape.levels = (uint32_t)json_array_size(json_array_get(columns, 0));
    d.hits = calloc((size_t)d.shape.columns * d.shape.levels, sizeof *d.hits);
    assert_non_null(d.hits);
    for (size_t c = 0; c < d.shape.columns; c++) {
        for (size_t r = 0; r < d.shape.levels; r++)
            d.hits[c * d.shape.levels + r] =
                json_number_value(json_array_get(json_array_get(columns, c), r));
    }
    return d;
}

static void hits_have_the_code_of_the_independent_encoder(void **state)
{
    (void)state;
    json_t *cases = load("range_hits.json");
    size_t i;
    json_t *golden;
    json_array_foreach(cases, i, golden)
    {
        uint8_t code[CAPACITY];
        const struct density d = read_density(golden);
        const size_t size = hit_code_write(&d, code, sizeof code);
        assert_code(golden, "code", code, size);
        for (size_t capacity = 0; capacity < size; capacity++) {
            code[capacity] = 0xa5;
            assert_int_equal(hit_code_write(&d, code, capacity), 0);
            assert_int_equal(code[capacity], 0xa5);
        }
        free(d.hits);
    }
    json_decref(cases);
}

/* The code relies on columns whose hits sum to the frames: without that the frame has runs. */
static void hits_that_do_not_sum_to_the_frames_are_sent_as_runs(void **state)
{
    (void)state;
    double hits[2][3] = {{0, 5, 2}, {7, 0, 0}};
    const struct density d = {.shape = {.columns = 2, .levels = 3, .step_db = 1},
                              .n = 64,
                              .frames = 7,
                              .lines = 1,
                              .hits = hits[0]};
    struct ws_message *frame = density_frame_create(&d, 0, WIRE_RANGE);
    assert_int_equal(frame->data[6], WIRE_RANGE_CODED);
    ws_message_unref(frame);
    hits[1][2] = 1;
    frame = density_frame_create(&d, 0, WIRE_RANGE);
    assert_false(frame->data[6] & WIRE_RANGE_CODED);
    ws_message_unref(frame);
}

/* The messages of one connection: those that begin with "FFTD" bring their base. */
static void frames_are_the_messages_of_the_independent_encoder(void **state)
{
    (void)state;
    json_t *cases = load("coded_frames.json");
    struct coded_base base = {0};
    uint32_t bases = 0;
    size_t i;
    json_t *golden;
    json_array_foreach(cases, i, golden)
    {
        uint8_t plain[CAPACITY], message[CAPACITY] = {0};
        struct wire_header h;
        const size_t size = read_hex(golden, "frame", plain);
        read_hex(golden, "message", message);
        assert_int_equal(wire_read_header(plain, size, &h), 0);
        struct ws_message *frame = coded_frame_create(&base, &h, plain + WIRE_HEADER);
        assert_non_null(frame);
        if (message[0] == 'F') {
            struct ws_message *complete = coded_frame_complete(&base, frame);
            assert_code(golden, "message", complete->data, complete->size);
            ws_message_unref(complete);
            bases++;
        } else {
            assert_code(golden, "message", frame->data, frame->size);
        }
        assert_int_equal(base.number, bases);
        ws_message_unref(frame);
    }
    assert_int_equal(bases, 2);
    json_decref(cases);
}

/* A frame that has the levels of another step is as exact as that step, and its noise is even. */
static void a_coarser_step_keeps_levels_to_half_of_it_and_the_median_exactly(void **state)
{
    (void)state;
    static const double steps[] = {0.25, 0.375, 0.376, 0.5, 0.7, 1, 1.5, 2, 3, 6, 20};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        const double step = steps[s];
        uint8_t fine[200], levels[200];
        struct wire_header h = {.columns = 200, .level_offset_db = -100, .level_step_db = 0.375F};
        for (uint32_t i = 0; i < 200; i++)
            levels[i] = fine[i] = (uint8_t)(i < 150 ? 40 + i % 3 : i);
        wire_coarsen(&h, step, levels);
        assert_near(h.level_step_db, step > 0.375 ? step : 0.375, 1e-6);
        const double half = step > 0.375 ? step / 2 : 0;
        for (uint32_t i = 0; i < 200; i++)
            assert_near(h.level_offset_db + h.level_step_db * levels[i], -100 + 0.375 * fine[i],
                        half + 1e-4);
        assert_near(h.level_offset_db + h.level_step_db * levels[1], -100 + 0.375 * 41, 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_have_the_code_of_the_independent_encoder),
        cmocka_unit_test(hits_have_the_code_of_the_independent_encoder),
        cmocka_unit_test(hits_that_do_not_sum_to_the_frames_are_sent_as_runs),
        cmocka_unit_test(frames_are_the_messages_of_the_independent_encoder),
        cmocka_unit_test(a_coarser_step_keeps_levels_to_half_of_it_and_the_median_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
