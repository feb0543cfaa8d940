/* test_copy.c - what a hub asks of an archive, what it makes of the parts, and who has a place. */
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/hub/copies/collector_folder.h"
#include "daemon/hub/copies/copy.h"
#include "daemon/hub/copies/copy_table.h"

static const uint64_t second_ns = 1000000000;
/* 100 ms for an hour, 1 s and coarser for a day. */
static const struct archive_tiers hub_tiers = {
    2, {{100000000, UINT64_C(3600) * 1000000000}, {1000000000, UINT64_C(86400) * 1000000000}}};
static struct copy copy;

static int set_up(void **state)
{
    (void)state;
    copy = (struct copy){.asked_ns = 0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    copy_finish(&copy);
    return 0;
}

static struct archive_offer offer_of(unsigned count, const uint64_t *period_ns, int64_t newest_ns)
{
    struct archive_offer o = {.count = count};
    for (unsigned i = 0; i < count; i++) {
        o.tier[i].period_ns = period_ns[i];
        o.tier[i].newest_ns = newest_ns;
    }
    return o;
}

static void offer(int64_t newest_ns)
{
    const uint64_t periods[] = {100000000, 1000000000};
    const struct archive_offer o = offer_of(2, periods, newest_ns);
    copy_set_offer(&copy, &o, &hub_tiers);
}

static struct archive_part part_of(uint32_t size, uint32_t offset, uint32_t count)
{
    static uint8_t bytes[ARCHIVE_PART];
    return (struct archive_part){.period_ns = copy.asked_ns,
                                 .id = {7, 8},
                                 .place = {1, 2},
                                 .block_size = size,
                                 .offset = offset,
                                 .count = count,
                                 .bytes = bytes};
}

static struct archive_ask ask(void)
{
    struct archive_ask a;
    const int tier = copy_wanted(&copy);
    assert_true(tier >= 0);
    copy_ask(&copy, tier, INT64_MAX, &a);
    return a;
}

/* ---- tiers ------------------------------------------------------------------------------- */

static void a_tier_is_kept_as_long_as_the_next_finer_one_of_the_hub(void **state)
{
    const uint64_t periods[] = {50000000, 200000000, 1000000000, 7 * second_ns};
    const struct archive_offer o = offer_of(4, periods, 1);
    (void)state;
    copy_set_offer(&copy, &o, &hub_tiers);
    assert_int_equal(copy.kept.count, 3); /* 50 ms is finer than all */
    assert_true(copy.kept.tier[0].period_ns == 200000000);
    assert_true(copy.kept.tier[0].age_ns == 3600 * second_ns);
    assert_true(copy.kept.tier[1].age_ns == 86400 * second_ns);
    assert_true(copy.kept.tier[2].age_ns == 86400 * second_ns);
}

static void coarse_tiers_come_first_and_each_until_it_has_no_more(void **state)
{
    const struct archive_part nothing = {.period_ns = 1000000000};
    (void)state;
    offer(1);
    assert_true(ask().period_ns == 1000000000);
    assert_int_equal(copy_take_part(&copy, &nothing), COPY_NOTHING);
    assert_true(ask().period_ns == 100000000);
    const struct archive_part also_nothing = {.period_ns = 100000000};
    assert_int_equal(copy_take_part(&copy, &also_nothing), COPY_NOTHING);
    assert_int_equal(copy_wanted(&copy), -1);
    offer(1);
    assert_int_equal(copy_wanted(&copy), -1); /* the same offer */
    offer(2);
    assert_true(ask().period_ns == 1000000000);
}

/* What came between request and reply is asked for. */
static void offers_during_a_request_are_not_lost(void **state)
{
    const struct archive_part nothing = {.period_ns = 1000000000};
    (void)state;
    offer(1);
    ask();
    offer(2);
    assert_int_equal(copy_take_part(&copy, &nothing), COPY_NOTHING);
    assert_true(ask().period_ns == 1000000000);
}

static void what_is_older_than_the_hub_keeps_is_not_asked_for(void **state)
{
    const int64_t now_ns = INT64_C(1700000000000000000);
    (void)state;
    offer(now_ns);
    assert_true(ask().from_ns == now_ns - (int64_t)(86400 * second_ns));
    copy_drop_block(&copy);
    offer(INT64_MIN + 5); /* of a hostile sensor */
    assert_true(ask().from_ns == INT64_MIN);
}

/* ---- parts ------------------------------------------------------------------------------- */

static void parts_become_a_block_and_the_next_one_is_asked_for(void **state)
{
    (void)state;
    offer(1);
    assert_false(ask().has_after);
    const struct archive_part first = part_of(10000, 0, ARCHIVE_PART);
    assert_int_equal(copy_take_part(&copy, &first), COPY_MORE);
    struct archive_ask a = ask();
    assert_int_equal(a.offset, ARCHIVE_PART);
    assert_int_equal(a.checksum, 8);
    const struct archive_part rest = part_of(10000, ARCHIVE_PART, 10000 - ARCHIVE_PART);
    assert_int_equal(copy_take_part(&copy, &rest), COPY_WHOLE);
    assert_int_equal(copy.bytes.length, 10000);
    copy_end_block(&copy);
    a = ask();
    assert_true(a.has_after && a.after.start_ns == 7 && a.after.checksum == 8);
    assert_true(a.after_place.segment == 1 && a.after_place.offset == 2 && a.offset == 0);
}

static void a_part_of_another_block_does_not_enter_this_one(void **state)
{
    struct archive_part part;
    (void)state;
    offer(1);
    for (int wrong = 0; wrong < 5; wrong++) {
        ask();
        part = part_of(10000, 0, ARCHIVE_PART);
        assert_int_equal(copy_take_part(&copy, &part), COPY_MORE);
        ask();
        part = part_of(10000, ARCHIVE_PART, 10000 - ARCHIVE_PART);
        part.block_size += wrong == 0;
        part.id.checksum += wrong == 1;
        part.place.segment += wrong == 2;
        part.offset += wrong == 3;
        part.period_ns += wrong == 4;
        assert_int_equal(copy_take_part(&copy, &part), COPY_WRONG);
        assert_int_equal(ask().offset, 0);
        copy_drop_block(&copy);
    }
}

static void
a_block_that_the_sensor_deleted_meanwhile_is_followed_by_another_from_its_start(void **state)
{
    (void)state;
    offer(1);
    ask();
    struct archive_part part = part_of(10000, 0, ARCHIVE_PART);
    assert_int_equal(copy_take_part(&copy, &part), COPY_MORE);
    ask();
    part = part_of(300, 0, 300);
    part.id.checksum++;
    assert_int_equal(copy_take_part(&copy, &part), COPY_WHOLE);
    assert_int_equal(copy.bytes.length, 300);
}

static void nothing_is_taken_that_was_not_asked_for(void **state)
{
    const struct archive_part part = part_of(300, 0, 300);
    (void)state;
    offer(1);
    assert_int_equal(copy_take_part(&copy, &part), COPY_WRONG);
}

/* ---- places ------------------------------------------------------------------------------ */

static void a_radio_without_a_place_is_counted_and_those_with_one_keep_it(void **state)
{
    const uint64_t periods[] = {1000000000};
    const struct archive_offer some = offer_of(1, periods, 1), none = {0};
    struct copy_table *t;
    struct copy_state s;
    struct copy_totals totals;
    struct copy_name name = {"lab", ""};
    (void)state;
    assert_int_equal(copy_table_create(&t), 0);
    copy_table_begin_round(t);
    for (uint32_t i = 0; i < COPIES_MAX + 2; i++) {
        uint32_t place = 0;
        snprintf(name.radio, sizeof name.radio, "r%u", i);
        copy_table_exchange(t, &place, &name, &none, &s);
        assert_int_equal(place, 0);
        copy_table_exchange(t, &place, &name, &some, &s);
        assert_int_equal(place, i < COPIES_MAX ? i + 1 : 0);
        assert_int_equal(s.on, i < COPIES_MAX);
    }
    copy_table_begin_round(t);
    copy_table_totals(t, &totals);
    assert_int_equal(totals.radios, COPIES_MAX);
    assert_int_equal(totals.without_place, 2);
    assert_true(copy_table_find(t, "lab.r7", &name));
    assert_string_equal(name.radio, "r7");
    assert_false(copy_table_find(t, "lab.r5000", &name));
    assert_false(copy_table_find(t, "lab", &name));
    copy_table_destroy(t);
}

static void a_folder_is_of_a_radio_if_it_could_be_in_a_subject(void **state)
{
    static const char *const wrong[] = {"..", ".",     "lab",     "lab.",
                                        ".r", "a.b.c", "lab.r/x", "a b.c"};
    struct copy_name name;
    char longest[200];
    (void)state;
    assert_true(collector_folder_name("lab-1.r_2", &name));
    assert_string_equal(name.site, "lab-1");
    assert_string_equal(name.radio, "r_2");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(collector_folder_name(wrong[i], &name));
    memset(longest, 'x', sizeof longest);
    longest[40] = '.';
    longest[199] = '\0';
    assert_false(collector_folder_name(longest, &name));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* A sensor whose clock is years ahead is still asked for its rows of the present. */
static void rows_are_asked_for_from_the_present_if_the_newest_are_of_the_future(void **state)
{
    const int64_t year_ns = INT64_C(31536000) * 1000000000, now_ns = 60 * year_ns;
    const struct archive_offer future = {.count = 1, .tier = {{1000000000, now_ns + 5 * year_ns}}};
    const struct archive_tiers hub = {1, {{1000000000, (uint64_t)year_ns}}};
    struct copy c = {0};
    struct archive_ask a;
    (void)state;
    copy_set_offer(&c, &future, &hub);
    copy_ask(&c, 0, now_ns, &a);
    assert_true(a.from_ns == now_ns - year_ns);
    copy_ask(&c, 0, now_ns + 9 * year_ns, &a);
    assert_true(a.from_ns == now_ns + 4 * year_ns);
    copy_finish(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_tier_is_kept_as_long_as_the_next_finer_one_of_the_hub),
        TEST(rows_are_asked_for_from_the_present_if_the_newest_are_of_the_future),
        TEST(coarse_tiers_come_first_and_each_until_it_has_no_more),
        TEST(offers_during_a_request_are_not_lost),
        TEST(what_is_older_than_the_hub_keeps_is_not_asked_for),
        TEST(parts_become_a_block_and_the_next_one_is_asked_for),
        TEST(a_part_of_another_block_does_not_enter_this_one),
        TEST(a_block_that_the_sensor_deleted_meanwhile_is_followed_by_another_from_its_start),
        TEST(nothing_is_taken_that_was_not_asked_for),
        TEST(a_radio_without_a_place_is_counted_and_those_with_one_keep_it),
        TEST(a_folder_is_of_a_radio_if_it_could_be_in_a_subject),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
