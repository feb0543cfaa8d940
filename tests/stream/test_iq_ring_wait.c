/* test_iq_ring_wait.c - readers of the IQ ring wake at their positions, at marks and at the end. */
#include "tests/stream/iq_ring_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

struct waiting {
    struct iq_ring *r;
    uint64_t position;
    struct iq_ring_state state;
};

static void wait_long(void *arg)
{
    struct waiting *w = arg;
    iq_ring_wait(w->r, w->position, 600000, &w->state);
}

/* Two readers wait for different positions; each wakes in the write that reaches its own. */
static void readers_wake_at_the_positions_that_they_wait_for(void **state)
{
    (void)state;
    for (int round = 0; round < 5; round++) {
        struct iq_ring *r = make_ring(64, false);
        struct waiting near = {.r = r, .position = 2 * BLOCK},
                       far = {.r = r, .position = 9 * BLOCK + 1};
        uv_thread_t threads[2];
        uint32_t number = 0;
        uv_thread_create(&threads[0], wait_long, &far);
        uv_thread_create(&threads[1], wait_long, &near);
        uv_sleep(20); /* most likely both wait now; if not, the test proves less */
        for (int block = 0; block < 2; block++)
            assert_true(write_counted(r, &number, BLOCK));
        uv_thread_join(&threads[1]);
        assert_true(near.state.head >= 2 * BLOCK);
        for (int block = 0; block < 8; block++)
            assert_true(write_counted(r, &number, BLOCK));
        uv_thread_join(&threads[0]);
        assert_int_equal(far.state.head, 10 * BLOCK);
        iq_ring_destroy(r);
    }
}

static void a_waiting_reader_wakes_for_a_mark_and_for_the_end(void **state)
{
    (void)state;
    for (int end = 0; end < 2; end++) {
        struct iq_ring *r = make_ring(64, false);
        struct waiting far = {.r = r, .position = 20 * BLOCK};
        const struct iq_mark mark = {.lost[LOSS_GAP] = 5, .events[LOSS_GAP] = 1};
        uv_thread_t thread;
        uint32_t number = 0;
        uv_thread_create(&thread, wait_long, &far);
        uv_sleep(20);
        if (end) {
            iq_ring_close(r);
        } else {
            iq_ring_mark(r, &mark);
            assert_true(write_counted(r, &number, BLOCK));
        }
        uv_thread_join(&thread);
        assert_true(far.state.closed == (end != 0) && far.state.has_mark == (end == 0));
        iq_ring_destroy(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_wake_at_the_positions_that_they_wait_for),
        cmocka_unit_test(a_waiting_reader_wakes_for_a_mark_and_for_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
