/* test_line_message.c - tests the header of a published line against the table of the document. */
#include <string.h>

#include "daemon/nats/line_message.h"
#include "tests/support/cmocka_all.h"

static void the_header_has_the_bytes_of_the_table(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        'F',  'F',  'T',  'N',  1,    1,    0,    0,    0x44, 0x33, 0x22, 0x11, 7, 0, 0, 0,   0xf8,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x50, 0xc3, 0,    0,    32,   0, 0, 0, 'L', 0xaa};
    const struct line_message m = {.after_loss = true,
                                   .run = 0x11223344,
                                   .base = 7,
                                   .host_time_ns = -8,
                                   .uncertainty_us = 50000};
    struct ws_message *inner = ws_message_create(2);
    memcpy(inner->data, "L\xaa", 2);
    struct ws_message *frame = line_message_create(&m, inner);
    assert_int_equal(frame->size, sizeof expected);
    assert_memory_equal(frame->data, expected, sizeof expected);
    ws_message_unref(frame);
    ws_message_unref(inner);
}

static void the_uncertainty_is_unknown_or_no_less_than_what_samples_follow_by(void **state)
{
    (void)state;
    assert_int_equal(line_message_uncertainty(false), LINE_MESSAGE_UNKNOWN);
    assert_true(line_message_uncertainty(true) >= 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_has_the_bytes_of_the_table),
        cmocka_unit_test(the_uncertainty_is_unknown_or_no_less_than_what_samples_follow_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
