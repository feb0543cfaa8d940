/* test_concurrent_plans.c - engines that make a plan while another one is in use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/engine/concurrent_plans.h"
#include "tests/support/engine/test_engines.h"

static void a_plan_is_made_while_another_one_runs(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    skip_unless(e, fft_engine_plans_concurrently(e));
    concurrent_plans_check(e, 1024, 4);
    concurrent_plans_check(e, 1 << 16, 2);
    fft_engine_close(e);
}

static int run_concurrent_plans_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_plan_is_made_while_another_one_runs, state),
    };
    print_message("engine %s %s\n", state->engine, state->isa ? state->isa : "");
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return test_engine_each_once(run_concurrent_plans_tests);
}
