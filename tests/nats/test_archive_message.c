/* test_archive_message.c - what hub and sensor say about an archive, and what is no block of one.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "daemon/base/bytes.h"
#include "daemon/hub/block_check.h"
#include "daemon/nats/archive_message.h"
#include "fft/fft.h"

enum { COLUMNS = 16 };
static const int64_t start_ns = INT64_C(1700000000000000000);
static const uint64_t second_ns = 1000000000;

/* ---- offers ------------------------------------------------------------------------------ */

static int read_offer(struct archive_offer *o, const char *text)
{
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    const int err = archive_offer_read(o, json);
    json_decref(json);
    return err;
}

static void an_offer_has_the_tiers_of_an_archive(void **state)
{
    struct archive_offer o;
    (void)state;
    assert_int_equal(read_offer(&o, "[{\"period_s\":0.1,\"newest_ns\":5},"
                                    "{\"period_s\":86400,\"newest_ns\":4}]"),
                     0);
    assert_int_equal(o.count, 2);
    assert_true(o.tier[0].period_ns == 100000000 && o.tier[1].period_ns == 86400 * second_ns);
    assert_true(o.tier[0].newest_ns == 5 && o.tier[1].newest_ns == 4);
    json_t *again = archive_offer_to_json(&o);
    struct archive_offer copy;
    assert_int_equal(archive_offer_read(&copy, again), 0);
    assert_memory_equal(&o, &copy, sizeof o);
    json_decref(again);
    assert_int_equal(archive_offer_read(&o, NULL), 0);
    assert_int_equal(o.count, 0);
}

static void what_is_no_offer_has_no_tiers(void **state)
{
    static const char *const wrong[] = {
        "{}",
        "[1]",
        "[{\"period_s\":0,\"newest_ns\":5}]",
        "[{\"period_s\":1e9,\"newest_ns\":5}]",
        "[{\"period_s\":\"1\",\"newest_ns\":5}]",
        "[{\"period_s\":1}]",
        "[{\"period_s\":1,\"newest_ns\":1.5}]",
        "[{\"period_s\":12345.678912345,\"newest_ns\":5}]", /* not in the name of a segment */
        "[{\"period_s\":1,\"newest_ns\":5},{\"period_s\":1,\"newest_ns\":5}]",
        "[{\"period_s\":10,\"newest_ns\":5},{\"period_s\":1,\"newest_ns\":5}]",
        "[1,2,3,4,5,6,7,8,9,10,11,12,13]",
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct archive_offer o;
        assert_int_equal(read_offer(&o, wrong[i]), -EINVAL);
        assert_int_equal(o.count, 0);
    }
}

/* ---- requests and replies ---------------------------------------------------------------- */

static void a_request_arrives_as_it_was_sent(void **state)
{
    const struct archive_ask asks[] = {
        {.period_ns = second_ns, .from_ns = INT64_MIN},
        {.period_ns = 1,
         .from_ns = start_ns,
         .has_after = true,
         .after = {start_ns, 0xffffffff},
         .after_place = {7, INT64_C(1) << 40},
         .offset = 8192,
         .checksum = 0x89abcdef},
    };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct archive_ask got;
        char *text = archive_ask_write(&asks[i]);
        assert_non_null(text);
        assert_int_equal(archive_ask_read(&got, text, strlen(text)), 0);
        assert_true(got.period_ns == asks[i].period_ns && got.from_ns == asks[i].from_ns &&
                    got.has_after == asks[i].has_after && got.offset == asks[i].offset &&
                    got.checksum == asks[i].checksum);
        assert_memory_equal(&got.after_place, &asks[i].after_place, sizeof got.after_place);
        assert_true(got.after.start_ns == asks[i].after.start_ns &&
                    got.after.checksum == asks[i].after.checksum);
        free(text);
    }
}

static void what_is_no_request_is_refused(void **state)
{
    static const char *const wrong[] = {
        "",
        "[]",
        "{}",
        "{\"period_ns\":0,\"from_ns\":0,\"offset\":0,\"checksum\":0}",
        "{\"period_ns\":1,\"from_ns\":\"../etc\",\"offset\":0,\"checksum\":0}",
        "{\"period_ns\":1,\"from_ns\":0,\"offset\":-1,\"checksum\":0}",
        "{\"period_ns\":1,\"from_ns\":0,\"offset\":0,\"checksum\":0,\"after\":1}",
        "{\"period_ns\":1,\"from_ns\":0,\"offset\":0,\"checksum\":4294967296}",
        "{\"period_ns\":1,\"from_ns\":0,\"offset\":0,\"checksum\":0,\"after\":[]}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct archive_ask got;
        assert_int_equal(archive_ask_read(&got, wrong[i], strlen(wrong[i])), -EINVAL);
    }
}

static void a_part_arrives_as_it_was_sent(void **state)
{
    uint8_t message[ARCHIVE_PART_HEAD + ARCHIVE_PART], bytes[100];
    const struct archive_part sent = {.gap = true,
                                      .period_ns = second_ns,
                                      .id = {start_ns, 0x89abcdef},
                                      .place = {3, 4},
                                      .block_size = 300,
                                      .offset = 200,
                                      .count = 100,
                                      .bytes = bytes};
    struct archive_part got;
    (void)state;
    memset(bytes, 7, sizeof bytes);
    const size_t size = archive_part_write(&sent, message);
    assert_int_equal(size, ARCHIVE_PART_HEAD + 100);
    assert_int_equal(archive_part_read(&got, message, size), 0);
    assert_true(got.gap && got.period_ns == second_ns && got.id.start_ns == start_ns &&
                got.id.checksum == 0x89abcdef && got.place.segment == 3 && got.place.offset == 4);
    assert_true(got.block_size == 300 && got.offset == 200 && got.count == 100);
    assert_memory_equal(got.bytes, bytes, 100);
    assert_int_equal(archive_part_read(&got, message, size - 100), -EINVAL);
    assert_int_equal(archive_part_read(&got, message, ARCHIVE_PART_HEAD - 1), -EINVAL);
    bytes_put(message + 48, 201, 4); /* past the end of the block */
    assert_int_equal(archive_part_read(&got, message, size), -EINVAL);
    bytes_put(message + 48, 200, 4);
    bytes_put(message + 44, ARCHIVE_BLOCK_MAX + 1, 4);
    assert_int_equal(archive_part_read(&got, message, size), -EINVAL);
    const struct archive_part nothing = {.period_ns = second_ns};
    assert_int_equal(archive_part_read(&got, message, archive_part_write(&nothing, message)), 0);
    assert_int_equal(got.block_size, 0);
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* What a test makes wrong before the block is written. */
struct wrong {
    const char *facts;
    int64_t shift_ns, longer_ns;
    bool disorder;
    float level_db;
    double low_hz;
    unsigned breaks;
};

static struct text make_block(const struct wrong *w)
{
    static struct archive_rows rows;
    static float db[ARCHIVE_DETECTORS][ARCHIVE_ROWS * COLUMNS];
    struct text block = {0};
    rows =
        (struct archive_rows){.layout = {w->low_hz, 1000, COLUMNS, 1,
                                         FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN},
                              .count = 3};
    snprintf(rows.facts, sizeof rows.facts, "%s", w->facts ? w->facts : "{\"rbw_hz\":1}");
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        rows.db[d] = db[d];
        for (unsigned i = 0; i < 3 * COLUMNS; i++)
            db[d][i] = w->level_db - 90 + 10 * (float)(d == 1) - 10 * (float)(d == 2);
    }
    for (unsigned i = 0; i < 3; i++)
        rows.row[i] =
            (struct archive_row){.time_ns = start_ns + w->shift_ns + (int64_t)(second_ns * i),
                                 .duration_ns = (int64_t)second_ns + w->longer_ns,
                                 .lines = 1,
                                 .frames = 5,
                                 .breaks = w->breaks};
    if (w->disorder)
        rows.row[1].time_ns = rows.row[0].time_ns - 1;
    block_write(&block, &rows, second_ns, 0.5F);
    assert_false(block.failed);
    return block;
}

static int check_at(const struct text *block, int64_t now_ns)
{
    struct block_head head;
    assert_int_equal(block_read_head((const uint8_t *)block->data, &head), 0);
    return block_check_foreign((const uint8_t *)block->data, block->length, second_ns,
                               (struct block_id){head.start_ns, head.checksum}, now_ns);
}

static int check_wrong(const struct wrong *w)
{
    struct text block = make_block(w);
    const int fault = check_at(&block, start_ns + 10 * (int64_t)second_ns);
    text_finish(&block);
    return fault;
}

static void a_block_that_a_sensor_wrote_is_sound(void **state)
{
    (void)state;
    assert_int_equal(check_wrong(&(struct wrong){0}), -1);
    assert_int_equal(check_wrong(&(struct wrong){.breaks = 15}), -1);
    assert_int_equal(check_wrong(&(struct wrong){.low_hz = -5e5}), -1); /* without a tuner */
}

static void what_readers_rely_on_is_checked(void **state)
{
    const int64_t year_ns = (int64_t)(365 * 86400 * second_ns);
    const struct {
        struct wrong wrong;
        int fault;
    } cases[] = {
        {{.facts = "\", \"evil\": \""}, COPY_FAULT_FACTS},
        {{.facts = "[]"}, COPY_FAULT_FACTS},
        {{.facts = "{} {}"}, COPY_FAULT_FACTS},
        {{.shift_ns = year_ns}, COPY_FAULT_TIME},
        {{.longer_ns = year_ns}, COPY_FAULT_TIME},
        {{.disorder = true}, COPY_FAULT_TIME},
        {{.breaks = 16}, COPY_FAULT_TIME},
        {{.level_db = 5000}, COPY_FAULT_BLOCK},
        {{.low_hz = 1e30}, COPY_FAULT_BLOCK},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(check_wrong(&cases[i].wrong), cases[i].fault);
}

static void a_block_of_the_future_is_refused_and_one_of_a_clock_that_is_ahead_is_not(void **state)
{
    struct text block = make_block(&(struct wrong){0});
    const int64_t hour_ns = (int64_t)(3600 * second_ns);
    (void)state;
    assert_int_equal(check_at(&block, start_ns - 12 * hour_ns), -1);
    assert_int_equal(check_at(&block, start_ns - 25 * hour_ns), COPY_FAULT_TIME);
    assert_int_equal(check_at(&block, start_ns + 100000 * hour_ns), -1);
    text_finish(&block);
}

static void a_block_of_another_tier_or_name_is_refused(void **state)
{
    struct text block = make_block(&(struct wrong){0});
    const uint8_t *bytes = (const uint8_t *)block.data;
    struct block_head head;
    (void)state;
    assert_int_equal(block_read_head(bytes, &head), 0);
    struct block_id id = {head.start_ns, head.checksum};
    assert_int_equal(block_check_foreign(bytes, block.length, 2 * second_ns, id, start_ns),
                     COPY_FAULT_TIER);
    id.checksum++;
    assert_int_equal(block_check_foreign(bytes, block.length, second_ns, id, start_ns),
                     COPY_FAULT_BLOCK);
    text_finish(&block);
}

static void every_damaged_byte_is_found(void **state)
{
    struct text block = make_block(&(struct wrong){0});
    struct block_head head;
    (void)state;
    assert_int_equal(block_read_head((const uint8_t *)block.data, &head), 0);
    const struct block_id id = {head.start_ns, head.checksum};
    for (size_t i = 0; i < block.length; i++) {
        block.data[i] ^= 1;
        assert_true(block_check_foreign((const uint8_t *)block.data, block.length, second_ns, id,
                                        start_ns) >= 0);
        block.data[i] ^= 1;
    }
    assert_int_equal(
        block_check_foreign((const uint8_t *)block.data, block.length - 1, second_ns, id, start_ns),
        COPY_FAULT_BLOCK);
    text_finish(&block);
}

/* A payload of zeros that is small when it travels. */
static void a_block_that_claims_much_memory_is_refused(void **state)
{
    struct text block = make_block(&(struct wrong){0});
    uint8_t *bytes = (uint8_t *)block.data;
    (void)state;
    bytes_put(bytes + 12, 1 << 29, 4);
    bytes_put(bytes + 4, crc32(0, bytes + 8, (uInt)(block.length - 8)), 4);
    assert_int_equal(check_at(&block, start_ns), COPY_FAULT_BLOCK);
    text_finish(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_offer_has_the_tiers_of_an_archive),
        cmocka_unit_test(what_is_no_offer_has_no_tiers),
        cmocka_unit_test(a_request_arrives_as_it_was_sent),
        cmocka_unit_test(what_is_no_request_is_refused),
        cmocka_unit_test(a_part_arrives_as_it_was_sent),
        cmocka_unit_test(a_block_that_a_sensor_wrote_is_sound),
        cmocka_unit_test(what_readers_rely_on_is_checked),
        cmocka_unit_test(a_block_of_the_future_is_refused_and_one_of_a_clock_that_is_ahead_is_not),
        cmocka_unit_test(a_block_of_another_tier_or_name_is_refused),
        cmocka_unit_test(every_damaged_byte_is_found),
        cmocka_unit_test(a_block_that_claims_much_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
