/*
 * test_webhook.c - tests that nobody waits for requests that nothing sends, without libwebsockets:
 * the linker puts a function that fails in place of the one that starts it.
 */
#include "tests/support/cmocka_all.h"

#include <semaphore.h>

#include "daemon/trigger/webhook/webhook.h"

struct lws_context;
struct lws_context *__wrap_webhook_post_context(void);
struct lws_context *__wrap_webhook_post_context(void)
{
    return NULL;
}

static void on_done(void *user)
{
    sem_post(user);
}

static void push(struct webhooks *w, uint64_t event)
{
    const struct webhook hook = {
        .url = "http://127.0.0.1:1/", .name = "t", .event = event, .timeout_s = 1, .body = "{}"};
    webhooks_push(w, &hook);
}

static void events_are_dropped_if_libwebsockets_does_not_start(void **state)
{
    (void)state;
    enum { LATER = 3 };
    struct webhooks *w;
    struct webhooks_state now;
    sem_t done;
    sem_init(&done, 0, 0);
    assert_int_equal(webhooks_create(&w, on_done, &done), 0);
    push(w, 1);
    sem_wait(&done); /* the thread has ended */
    for (uint64_t i = 0; i < LATER; i++)
        push(w, 2 + i);
    assert_true(webhooks_idle(w)); /* else a replay would not end */
    webhooks_state(w, &now);
    assert_int_equal(now.dropped, 1 + LATER);
    assert_int_equal(now.waiting, 0);
    webhooks_destroy(w);
    sem_destroy(&done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_dropped_if_libwebsockets_does_not_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
