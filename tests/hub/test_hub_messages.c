/* test_hub_messages.c - tests what waits for a hub, and what its viewers say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/hub/hub_requests.h"
#include "daemon/hub/viewer_message.h"
#include "daemon/nats/call_message.h"
#include "daemon/nats/inbox.h"
#include "daemon/sensor/remote_request.h"
#include "tests/support/cmocka_all.h"

static size_t free_all(struct inbox_message *m)
{
    size_t count = 0;
    while (m) {
        struct inbox_message *next = m->next;
        free(m);
        m = next;
        count++;
    }
    return count;
}

static void messages_leave_in_the_order_in_which_they_came(void **state)
{
    (void)state;
    struct inbox *i = NULL;
    assert_int_equal(inbox_create(&i, INBOX_HUB_BYTES), 0);
    assert_true(inbox_put(i, "a", "one", 3));
    assert_true(inbox_put(i, "b.c", NULL, 0));
    struct inbox_message *m = inbox_take(i);
    assert_string_equal(m->subject, "a");
    assert_memory_equal(m->data, "one", 3);
    assert_string_equal(m->next->subject, "b.c");
    assert_int_equal(m->next->size, 0);
    assert_int_equal(free_all(m), 2);
    assert_null(inbox_take(i));
    inbox_destroy(i);
}

static void what_has_no_room_is_dropped_and_counted(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    struct inbox *i = NULL;
    uint8_t *data = calloc(1, SIZE);
    size_t put = 0;
    assert_int_equal(inbox_create(&i, INBOX_HUB_BYTES), 0);
    while (inbox_put(i, "a", data, SIZE))
        put++;
    assert_int_equal(put, INBOX_HUB_BYTES / SIZE - 1); /* subjects need room, too */
    assert_int_equal(inbox_dropped(i), 1);
    assert_int_equal(free_all(inbox_take(i)), put);
    assert_true(inbox_put(i, "a", data, SIZE));
    inbox_destroy(i);
    free(data);
}

static int read_message(struct viewer_message *w, const char *text, struct reason *why)
{
    *why = (struct reason){0};
    return viewer_message_read(w, text, strlen(text), why);
}

static void a_viewer_wants_each_radio_once(void **state)
{
    (void)state;
    struct viewer_message w;
    struct reason why = {0};
    assert_int_equal(read_message(&w, "{\"type\":\"want\",\"radios\":[3,1,3]}", &why), 0);
    assert_int_equal(w.kind, VIEWER_WANT);
    assert_int_equal(w.count, 2);
    assert_int_equal(w.radios[0], 3);
    assert_int_equal(w.radios[1], 1);
    assert_true(w.past_s == 0);
    viewer_message_finish(&w);
    assert_int_equal(read_message(&w, "{\"type\":\"want\",\"radios\":[],\"past_s\":2.5}", &why), 0);
    assert_true(w.past_s == 2.5);
    viewer_message_finish(&w);
}

static void a_malformed_message_is_refused_with_one_line(void **state)
{
    (void)state;
    static const char *const cases[] = {"",
                                        "[]",
                                        "{}",
                                        "{\"type\":\"view\"}",
                                        "{\"type\":\"set\",\"radio\":1,\"token\":\"t\"}",
                                        "{\"put\":\"/a\"}",
                                        "{\"id\":[],\"put\":\"/a\"}",
                                        "{\"id\":1,\"put\":1}",
                                        "{\"id\":1,\"put\":\"/a?b\"}",
                                        "{\"id\":1,\"put\":\"/a\\u0000\"}",
                                        "{\"id\":1,\"put\":\"/a\",\"token\":1}",
                                        "{\"id\":1,\"put\":\"/a\",\"name\":{}}",
                                        "{\"id\":1,\"put\":\"/a\",\"body\":[]}",
                                        "{\"id\":1,\"put\":\"/a\",\"get\":\"/a\"}",
                                        "{\"type\":\"want\"}",
                                        "{\"type\":\"want\",\"radios\":{}}",
                                        "{\"type\":\"want\",\"radios\":[0]}",
                                        "{\"type\":\"want\",\"radios\":[1.5]}",
                                        "{\"type\":\"want\",\"radios\":[4294967296]}",
                                        "{\"type\":\"want\",\"radios\":[1],\"again\":1}",
                                        "{\"type\":\"want\",\"radios\":[1],\"serial\":0.5}",
                                        "{\"type\":\"want\",\"radios\":[1],\"past_s\":-1}",
                                        "{\"type\":\"want\",\"radios\":[1],\"past_s\":\"1\"}",
                                        "{\"type\":\"want\",\"radios\":[1],\"past_s\":1e9}",
                                        "{\"type\":\"hello\",\"token\":1}"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct viewer_message w;
        struct reason why = {0};
        assert_true(read_message(&w, cases[i], &why) < 0);
        assert_true(why.sentence[0] && !strchr(why.sentence, '\n'));
        viewer_message_finish(&w);
    }
}

static int read_request(struct remote_request *r, const char *text, struct reason *why)
{
    *why = (struct reason){0};
    return remote_request_read(r, text, strlen(text), why);
}

static void a_mistaken_request_is_refused_with_its_token_read(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{\"token\":\"t\"}",
        "{\"token\":\"t\",\"type\":\"hello\"}",
        "{\"token\":\"t\",\"type\":\"set\",\"center_hz\":1e8}",
        "{\"token\":\"t\",\"type\":\"choices\"}",
        "{\"token\":\"t\",\"type\":\"call\",\"name\":1}",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct remote_request r;
        struct reason why = {0};
        assert_true(read_request(&r, cases[i], &why) < 0);
        assert_true(why.sentence[0] && !strchr(why.sentence, '\n'));
        assert_string_equal(r.token, "t");
        remote_request_finish(&r);
    }
}

static void a_call_has_a_client_a_path_and_values(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        ",\"verb\":\"GET\",\"path\":\"/\"",
        ",\"verb\":7,\"path\":\"/\",\"values\":{}",
        ",\"verb\":\"GET\",\"path\":\"/\",\"values\":[]",
        ",\"verb\":\"GET\",\"path\":\"/\",\"values\":{},\"a\":1",
        ",\"verb\":\"GET\",\"path\":\"/\",\"values\":{},\"from\":\"a\\nb\"",
    };
    struct remote_request r;
    struct reason why = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "{\"type\":\"call\",\"token\":\"t\"%s}", wrong[i]);
        assert_true(read_request(&r, text, &why) < 0);
        assert_true(why.sentence[0] && !strchr(why.sentence, '\n'));
        assert_string_equal(r.token, "t");
        remote_request_finish(&r);
    }
    json_t *values = json_pack("{sf ss}", "center_hz", 0.1, "text", "\xc3\xbc");
    const struct call_ask ask = {.token = "t",
                                 .name = "a",
                                 .from = "192.0.2.7",
                                 .verb = "PUT",
                                 .path = "/api/v1/settings",
                                 .values = values};
    size_t size;
    uint8_t *data = call_ask_write(&ask, &size);
    assert_int_equal(remote_request_read(&r, (char *)data + CALL_HEAD, size, &why), 0);
    assert_string_equal(r.token, "t");
    assert_string_equal(r.name, "a");
    assert_string_equal(r.from, "192.0.2.7");
    assert_string_equal(r.verb, "PUT");
    assert_string_equal(r.path, "/api/v1/settings");
    assert_true(json_equal(r.values, values));
    remote_request_finish(&r);
    free(data);
    json_decref(values);
}

static void a_body_of_any_size_that_is_read_has_room_in_a_call(void **state)
{
    (void)state;
    json_t *values = json_object();
    char *text = malloc(64 << 10);
    memset(text, 'x', (64 << 10) - 1);
    text[(64 << 10) - 1] = '\0';
    json_object_set_new(values, "label", json_string(text));
    const struct call_ask ask = {.verb = "PUT", .from = "", .path = "/", .values = values};
    struct remote_request r;
    struct reason why = {0};
    size_t size;
    uint8_t *data = call_ask_write(&ask, &size);
    assert_true(size <= CALL_MAX);
    assert_int_equal(remote_request_read(&r, (char *)data + CALL_HEAD, size, &why), 0);
    remote_request_finish(&r);
    assert_true(remote_request_read(&r, (char *)data + CALL_HEAD, CALL_MAX + 1, &why) < 0);
    remote_request_finish(&r);
    free(data);
    free(text);
    json_decref(values);
}

static void a_reply_is_read_as_it_was_written(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0, '\n', 255, '}'};
    struct call_reply all[] = {
        {.status = 201, .location = "/api/v1/presets/a b"},
        {.status = 200, .bytes = bytes, .size = sizeof bytes},
        {.status = 400, .why = {.sentence = "gain: 7 is not a gain", .key = "gain"}},
        {.status = 401, .why.sentence = "wrong", .wrong_token = true},
    };
    all[0].body = json_pack("{sf sf}", "hz", 1e10 + 1.0 / 524288, "db", 0.1);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct call_reply r;
        size_t size;
        uint8_t *data = call_reply_write(&all[i], &size);
        assert_int_equal(call_reply_read(&r, data, size), 0);
        assert_int_equal(r.status, all[i].status);
        assert_int_equal(r.wrong_token, all[i].wrong_token);
        assert_string_equal(r.location, all[i].location);
        assert_string_equal(r.why.sentence, all[i].why.sentence);
        assert_string_equal(r.why.key, all[i].why.key);
        assert_true(all[i].body ? json_equal(r.body, all[i].body) : !r.body);
        assert_int_equal(r.size, all[i].size);
        assert_true(r.size == 0 || memcmp(r.bytes, bytes, r.size) == 0);
        call_reply_finish(&r);
        assert_true(call_reply_read(&r, data, size - 1) < 0); /* cut */
        free(data);
    }
    call_reply_finish(&all[0]);
}

static void a_call_of_a_viewer_has_its_id_also_when_it_is_refused(void **state)
{
    (void)state;
    struct viewer_message w;
    struct reason why = {0};
    assert_int_equal(
        read_message(&w,
                     "{\"id\":7,\"put\":\"/api/v1/radios/a.b/settings\",\"token\":\"t\","
                     "\"name\":\"n\",\"body\":{\"new\":[1]}}",
                     &why),
        0);
    assert_int_equal(w.kind, VIEWER_CALL);
    assert_int_equal(json_integer_value(w.id), 7);
    assert_string_equal(w.verb, "put");
    assert_string_equal(w.path, "/api/v1/radios/a.b/settings");
    assert_string_equal(w.token, "t");
    assert_string_equal(w.name, "n");
    assert_int_equal(json_object_size(w.values), 1);
    viewer_message_finish(&w);
    assert_true(read_message(&w, "{\"id\":\"x\",\"get\":\"/a\",\"more\":1}", &why) < 0);
    assert_string_equal(json_string_value(w.id), "x");
    viewer_message_finish(&w);
}

struct decided {
    uint64_t numbers[HUB_REQUESTS];
    int count;
    const void *viewer;
    unsigned status;
    char message[sizeof((struct reason *)0)->sentence];
    bool wrong_token;
};

static void note(void *user, const struct hub_request *request, const struct hub_answer *answer)
{
    struct decided *d = user;
    d->numbers[d->count++] = request->number;
    d->viewer = request->viewer;
    d->wrong_token = answer->wrong_token;
    d->status = answer->call.status;
    snprintf(d->message, sizeof d->message, "%s",
             answer->failure ? answer->failure : answer->call.why.sentence);
    struct call_reply reply = answer->call;
    call_reply_finish(&reply);
}

static struct hub_request *add_request(struct hub_requests *r, void *viewer, uint32_t radio)
{
    struct reason why = {0};
    struct hub_request *q = hub_requests_add(r, viewer, radio, 0, &why);
    assert_true(q ? !why.sentence[0] : why.sentence[0]);
    return q;
}

static void answer_request(struct hub_requests *r, const struct hub_request *q, const char *text,
                           struct decided *d)
{
    char number[24];
    *d = (struct decided){.count = 0};
    snprintf(number, sizeof number, "%llu", (unsigned long long)q->number);
    hub_requests_take(r, number, text, strlen(text), note, d);
}

static void an_answer_goes_to_the_viewer_that_asked_and_only_once(void **state)
{
    (void)state;
    struct hub_requests r = {0};
    struct decided d;
    int one = 0, two = 0;
    const struct hub_request first = *add_request(&r, &one, 5), second = *add_request(&r, &two, 5);
    static const char done[] = "{\"type\":\"reply\",\"status\":200,\"body\":{}}";
    answer_request(&r, &second, done, &d);
    assert_int_equal(d.count, 1);
    assert_ptr_equal(d.viewer, &two);
    assert_int_equal(d.status, 200);
    answer_request(&r, &second, done, &d);
    assert_int_equal(d.count, 0);
    hub_requests_forget(&r, &one);
    answer_request(&r, &first,
                   "{\"type\":\"reply\",\"status\":401,\"error\":\"no\",\"cause\":\"token\"}", &d);
    assert_null(d.viewer);
    assert_true(d.wrong_token);
    assert_string_equal(d.message, "no");
    assert_int_equal(r.outcomes[HUB_DONE] + r.outcomes[HUB_REFUSED], 2);
}

static void what_is_no_answer_is_said_to_be_none(void **state)
{
    (void)state;
    static const char *const cases[] = {"[]",
                                        "{}",
                                        "x",
                                        "{\"type\":\"done\"",
                                        "{\"type\":7}",
                                        "{\"type\":\"done\"}",
                                        "{\"type\":\"error\",\"message\":\"no\"}",
                                        "{\"type\":\"reply\",\"status\":400}",
                                        "{\"type\":\"reply\",\"status\":400,\"error\":\"a\\nb\"}",
                                        "{\"type\":\"choices\",\"choices\":{},\"status\":{}}"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct hub_requests r = {0};
        struct decided d;
        answer_request(&r, add_request(&r, &r, 5), cases[i], &d);
        assert_string_equal(d.message, "the radio's answer cannot be read");
    }
}

static void nobody_s_answer_is_that_of_a_sensor_that_is_gone(void **state)
{
    (void)state;
    struct hub_answer a;
    struct reason why = {0};
    hub_answer_read(&a, "", 0);
    assert_true(a.is_gone);
    assert_int_equal(hub_answer_fault(&a, "lab.r1", false, &why), 503);
    assert_ptr_equal(strstr(why.sentence, "lab.r1: its sensor is gone"), why.sentence);
}

static void a_viewer_has_few_requests(void **state)
{
    (void)state;
    struct hub_requests r = {0};
    int viewers[HUB_REQUESTS];
    assert_non_null(add_request(&r, viewers, 1));
    assert_non_null(add_request(&r, viewers, 1)); /* their ids tell their answers apart */
    for (uint32_t i = 3; i <= HUB_REQUESTS_EACH; i++)
        assert_non_null(add_request(&r, viewers, i));
    assert_null(add_request(&r, viewers, 9));
    for (int i = HUB_REQUESTS_EACH; i < HUB_REQUESTS; i++)
        assert_non_null(add_request(&r, &viewers[i], 1));
    assert_null(add_request(&r, &viewers[1], 1));
}

static void requests_are_given_up_when_they_are_late_or_their_connection_is_lost(void **state)
{
    (void)state;
    const uint64_t limit_ns = HUB_REQUEST_MS * 1000000ULL;
    struct hub_requests r = {0};
    struct decided d = {.count = 0};
    int viewers[2];
    for (uint32_t i = 0; i < 2; i++)
        add_request(&r, &viewers[i], 1)->links = 1 + i;
    hub_requests_expire(&r, limit_ns - 1, 2, note, &d);
    assert_int_equal(d.count, 1);
    assert_ptr_equal(d.viewer, &viewers[0]);
    hub_requests_expire(&r, limit_ns, 2, note, &d);
    assert_int_equal(d.count, 2);
    assert_string_equal(d.message,
                        "no answer within 5 s: whether the radio was changed is not known");
    assert_int_equal(r.outcomes[HUB_UNANSWERED], 2);
}

static void a_right_that_is_missing_fails_the_requests_that_need_it(void **state)
{
    (void)state;
    struct hub_requests r = {0};
    struct decided d = {.count = 0};
    int viewers[3];
    for (int i = 0; i < 3; i++)
        snprintf(add_request(&r, &viewers[i], 1)->subject, HUB_SUBJECT, "f.s.r%d.control", i);
    hub_requests_take(&r, "f.s.r1.control", NULL, 0, note, &d);
    assert_int_equal(d.count, 1);
    assert_ptr_equal(d.viewer, &viewers[1]);
    hub_requests_take(&r, "_INBOX.x.*", NULL, 0, note, &d);
    assert_int_equal(d.count, 3);
    assert_string_equal(d.message, hub_no_answers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_leave_in_the_order_in_which_they_came),
        cmocka_unit_test(what_has_no_room_is_dropped_and_counted),
        cmocka_unit_test(a_viewer_wants_each_radio_once),
        cmocka_unit_test(a_mistaken_request_is_refused_with_its_token_read),
        cmocka_unit_test(a_malformed_message_is_refused_with_one_line),
        cmocka_unit_test(a_call_has_a_client_a_path_and_values),
        cmocka_unit_test(a_body_of_any_size_that_is_read_has_room_in_a_call),
        cmocka_unit_test(a_reply_is_read_as_it_was_written),
        cmocka_unit_test(a_call_of_a_viewer_has_its_id_also_when_it_is_refused),
        cmocka_unit_test(an_answer_goes_to_the_viewer_that_asked_and_only_once),
        cmocka_unit_test(what_is_no_answer_is_said_to_be_none),
        cmocka_unit_test(nobody_s_answer_is_that_of_a_sensor_that_is_gone),
        cmocka_unit_test(a_viewer_has_few_requests),
        cmocka_unit_test(requests_are_given_up_when_they_are_late_or_their_connection_is_lost),
        cmocka_unit_test(a_right_that_is_missing_fails_the_requests_that_need_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
