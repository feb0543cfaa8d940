/* test_sensor_call.c - the rights of rows, for calls that come through a broker with the token. */
#include "tests/support/cmocka_all.h"

#include <string.h>

#include "daemon/sensor/sensor_call.h"

static void on_status(void *user, struct status *out)
{
    (void)user;
    (void)out;
}

static unsigned call(struct radio_control *radio, const char *verb, const char *path)
{
    size_t size;
    bool changed;
    struct call_reply reply;
    const struct services on = {.radio = radio};
    json_t *values = json_object();
    const struct remote_request request = {
        .from = "192.0.2.7", .verb = verb, .path = path, .values = values};
    uint8_t *bytes = sensor_call_run(&on, &request, "/api/v1/radios/a.b/", &size, &changed);
    assert_non_null(bytes);
    assert_int_equal(call_reply_read(&reply, bytes, size), 0);
    const unsigned status = reply.status;
    if (status == 409)
        assert_non_null(strstr(reply.why.sentence, "PUT /api/v1/radios/a.b/lease takes it over"));
    call_reply_finish(&reply);
    free(bytes);
    json_decref(values);
    return status;
}

static void assert_statuses(struct radio_control *radio, const unsigned wanted[3])
{
    static const char *const paths[] = {"/api/v1/watch", "/api/v1/operate", "/api/v1/tune"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(call(radio, "GET", paths[i]), wanted[i]);
        assert_int_equal(call(radio, "PUT", paths[i]), wanted[i]);
    }
}

static void a_call_with_the_token_has_the_right_of_each_row(void **state)
{
    struct radio_control radio;
    struct reason why = {0};
    const struct radio_hooks hooks = {.status = on_status};
    const struct lease_user other = {.address = "198.51.100.1"};
    (void)state;
    assert_int_equal(radio_control_init(&radio, &hooks, 60, NULL), 0);
    assert_statuses(&radio, (const unsigned[]){200, 200, 200});
    assert_int_equal(radio_control_take_lease(&radio, &other, &why), 0);
    assert_statuses(&radio, (const unsigned[]){200, 200, 409});
    assert_int_equal(radio_control_release_lease(&radio, &other, &why), 0);
    assert_statuses(&radio, (const unsigned[]){200, 200, 200});
    radio_control_finish(&radio);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_with_the_token_has_the_right_of_each_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
