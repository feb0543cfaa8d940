/* test_advice.c - what the levels of samples say to a user. */
#include "tests/support/cmocka_all.h"

#include <string.h>

#include "daemon/status/advice.h"

static void many_invalid_samples_of_a_recording_question_its_format(void **state)
{
    (void)state;
    struct status s = {.dsp.ledger = {.produced = 25000, .invalid = 17173}};
    assert_non_null(strstr(advice_text(&s), "--format"));
    s.dsp.ledger.invalid = 3; /* a few are the recorder's */
    assert_null(strstr(advice_text(&s), "--format"));
    assert_non_null(strstr(advice_text(&s), "invalid"));
    s.dsp.ledger.invalid = 17173;
    s.radio = true; /* its driver chooses the format */
    assert_null(strstr(advice_text(&s), "--format"));
    s.dsp.ledger.invalid = 0;
    assert_string_equal(advice_text(&s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_invalid_samples_of_a_recording_question_its_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
