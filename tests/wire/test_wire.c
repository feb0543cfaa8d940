/*
 * test_wire.c - compares the header with golden bytes from an independent script, and the levels
 * with the powers that they were computed from.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "daemon/wire/wire.h"

static size_t load(const char *name, uint8_t *into, size_t capacity)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", GOLDEN_DIR, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t size = fread(into, 1, capacity, f);
    fclose(f);
    return size;
}

/* ---- golden frames ---------------------------------------------------------------------- */

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_non_null(value);
    return json_is_null(value) ? NAN : json_number_value(value);
}

/* 64-bit numbers are strings in the golden JSON. */
static uint64_t integer(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text[0] == '-' ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
}

static void check_settings(const struct wire_header *h, const json_t *want)
{
    assert_near(h->center_hz, number(want, "center_hz"), 0);
    assert_near(h->rate_hz, number(want, "rate_hz"), 0);
    assert_near(h->low_hz, number(want, "low_hz"), 0);
    assert_near(h->column_hz, number(want, "column_hz"), 0);
    assert_near(h->level_offset_db, number(want, "level_offset_db"), 0);
    assert_near(h->level_step_db, number(want, "level_step_db"), 0);
    assert_near(h->enbw_bins, number(want, "enbw_bins"), 0);
    assert_near(h->peak_db, number(want, "peak_db"), 0);
    assert_near(h->peak_hz, number(want, "peak_hz"), 0);
    assert_near(h->line_rate_hz, number(want, "line_rate_hz"), 0);
    if (isnan(number(want, "gain_db")))
        assert_true(isnan(h->gain_db));
    else
        assert_near(h->gain_db, number(want, "gain_db"), 0);
    assert_string_equal(h->engine, json_string_value(json_object_get(want, "engine")));
    assert_string_equal(h->window, json_string_value(json_object_get(want, "window")));
}

static void check_counts(const struct wire_header *h, const json_t *want)
{
    assert_int_equal(h->flags, number(want, "flags"));
    assert_int_equal(h->detector, number(want, "detector"));
    assert_int_equal(h->view, number(want, "view"));
    assert_int_equal(h->merged, number(want, "merged"));
    assert_int_equal(h->columns, number(want, "columns"));
    assert_int_equal(h->n, number(want, "n"));
    assert_int_equal(h->hop, number(want, "hop"));
    assert_int_equal(h->line, integer(want, "line"));
    assert_int_equal(h->first_sample, integer(want, "first_sample"));
    assert_int_equal(h->samples, integer(want, "samples"));
    assert_int_equal((uint64_t)h->time_ns, integer(want, "time_ns"));
    assert_int_equal(h->frames, integer(want, "frames"));
}

static void check_ledger(const struct ledger *l, const json_t *want)
{
    static const char *const lost[LOSS_CAUSES] = {"lost_overflow", "lost_overrun", "lost_gap",
                                                  "lost_retune", "lost_tail"};
    assert_int_equal(l->produced, integer(want, "produced"));
    assert_int_equal(l->seen, integer(want, "seen"));
    assert_int_equal(l->clipped, integer(want, "clipped"));
    for (int i = 0; i < LOSS_CAUSES; i++)
        assert_int_equal(l->lost[i], integer(want, lost[i]));
}

static void check_payload(const struct wire_header *h, const uint8_t *payload, size_t size,
                          const json_t *want)
{
    uint8_t levels[4096];
    uLongf count = sizeof levels;
    if (h->flags & WIRE_DEFLATED)
        assert_int_equal(uncompress(levels, &count, payload, size), Z_OK);
    else
        memcpy(levels, payload, count = size);
    assert_int_equal(count, h->columns);
    const json_t *wanted = json_object_get(want, "levels");
    for (size_t i = 0; i < count; i++)
        assert_int_equal(levels[i], json_integer_value(json_array_get(wanted, i)));
}

static void check_golden(const char *name)
{
    char file[64];
    uint8_t bytes[4096];
    snprintf(file, sizeof file, "%s.bin", name);
    const size_t size = load(file, bytes, sizeof bytes);
    char path[512];
    snprintf(path, sizeof path, "%s/%s.json", GOLDEN_DIR, name);
    json_t *want = json_load_file(path, 0, NULL);
    assert_non_null(want);

    struct wire_header h;
    assert_int_equal(wire_read_header(bytes, size, &h), 0);
    check_counts(&h, want);
    check_settings(&h, want);
    check_ledger(&h.ledger, want);
    check_payload(&h, bytes + WIRE_HEADER, size - WIRE_HEADER, want);

    uint8_t again[WIRE_HEADER] = {0};
    wire_write_header(&h, again);
    assert_memory_equal(again, bytes, WIRE_HEADER);
    json_decref(want);
}

static void the_golden_frame_has_its_values_and_is_written_the_same(void **state)
{
    (void)state;
    check_golden("wire_spectrum");
}

static void the_golden_deflated_frame_has_its_values(void **state)
{
    (void)state;
    check_golden("wire_deflated");
}

static void other_bytes_than_a_frame_of_this_version_are_refused(void **state)
{
    (void)state;
    uint8_t bytes[1024];
    struct wire_header h;
    const size_t size = load("wire_spectrum.bin", bytes, sizeof bytes);
    assert_int_equal(wire_read_header(bytes, WIRE_HEADER - 1, &h), -EINVAL);
    static const int parts[] = {0, 3, 4, 5, 8, 9};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bytes[parts[i]] ^= 0x40;
        assert_int_equal(wire_read_header(bytes, size, &h), -EINVAL);
        bytes[parts[i]] ^= 0x40;
    }
    assert_int_equal(wire_read_header(bytes, size, &h), 0);
}

static void names_without_a_terminator_are_cut(void **state)
{
    (void)state;
    uint8_t bytes[1024];
    struct wire_header h;
    const size_t size = load("wire_spectrum.bin", bytes, sizeof bytes);
    memset(bytes + 208, 'x', 32);
    assert_int_equal(wire_read_header(bytes, size, &h), 0);
    assert_int_equal(strlen(h.engine), 15);
    assert_int_equal(strlen(h.window), 15);
}

/* ---- levels ----------------------------------------------------------------------------- */

static float power_of(double db)
{
    return (float)pow(10, db / 10);
}

static double level(const struct wire_header *h, uint8_t value)
{
    return h->level_offset_db + h->level_step_db * (float)value;
}

static void levels_are_accurate_to_half_a_step(void **state)
{
    (void)state;
    float power[141];
    uint8_t levels[141];
    struct wire_header h = {.columns = 141};
    for (int i = 0; i < 141; i++)
        power[i] = power_of((double)i - 140);
    wire_quantise(&h, power, levels);
    assert_near(h.level_step_db, 140.0 / 254, 1e-4);
    for (int i = 0; i < 141; i++)
        assert_near(level(&h, levels[i]), -140 + i, h.level_step_db / 2 + 1e-3);
}

static void a_narrow_range_has_steps_of_a_quarter_decibel(void **state)
{
    (void)state;
    const float power[3] = {power_of(-60), power_of(-50.1), power_of(-20)};
    uint8_t levels[3];
    struct wire_header h = {.columns = 3};
    wire_quantise(&h, power, levels);
    assert_near(h.level_step_db, 0.25, 0);
    assert_near(level(&h, levels[0]), -60, 1e-3);
    assert_near(level(&h, levels[1]), -50.1, 0.126);
    assert_near(level(&h, levels[2]), -20, 0.126);
}

static void nothing_above_the_offset_clamps_and_far_below_reads_as_value_0(void **state)
{
    (void)state;
    const float power[4] = {power_of(59), 0, power_of(-290), power_of(-100.5)};
    uint8_t levels[4];
    struct wire_header h = {.columns = 4};
    wire_quantise(&h, power, levels);
    assert_near(h.level_offset_db, 59 - 160, 1e-3);
    assert_near(level(&h, levels[0]), 59, 0.32);
    assert_int_equal(levels[1], 0);
    assert_int_equal(levels[2], 0);
    assert_near(level(&h, levels[3]), -100.5, 0.32);
}

static void silence_and_nan_give_finite_levels(void **state)
{
    (void)state;
    const float silence[2] = {0, 0};
    const float broken[3] = {NAN, power_of(-3), NAN};
    uint8_t levels[3];
    struct wire_header h = {.columns = 2};
    wire_quantise(&h, silence, levels);
    assert_near(level(&h, levels[0]), -300, 1e-3);
    h.columns = 3;
    wire_quantise(&h, broken, levels);
    assert_true(isfinite(h.level_offset_db) && isfinite(h.level_step_db));
    assert_near(level(&h, levels[1]), -3, 0.126);
    assert_int_equal(levels[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_golden_frame_has_its_values_and_is_written_the_same),
        cmocka_unit_test(the_golden_deflated_frame_has_its_values),
        cmocka_unit_test(other_bytes_than_a_frame_of_this_version_are_refused),
        cmocka_unit_test(names_without_a_terminator_are_cut),
        cmocka_unit_test(levels_are_accurate_to_half_a_step),
        cmocka_unit_test(a_narrow_range_has_steps_of_a_quarter_decibel),
        cmocka_unit_test(nothing_above_the_offset_clamps_and_far_below_reads_as_value_0),
        cmocka_unit_test(silence_and_nan_give_finite_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
