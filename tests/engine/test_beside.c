/* test_beside.c - engines that make a plan while another one is in use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/engine/beside.h"
#include "tests/support/engine/test_engines.h"

static void plans_are_made_beside_a_running_one(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    skip_unless(e, fft_engine_plans_beside(e));
    beside_check(e, 1024, 4);
    beside_check(e, 1 << 16, 2);
    fft_engine_close(e);
}

static int run_beside_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(plans_are_made_beside_a_running_one, state),
    };
    print_message("engine %s %s\n", state->engine, state->isa ? state->isa : "");
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return test_engine_each_once(run_beside_tests);
}
