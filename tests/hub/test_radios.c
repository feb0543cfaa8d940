/* test_radios.c - tests the table of a hub's radios: accounts of lines, states, malformed messages,
 * bounds. */
#include <stdio.h>
#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/hub/radio_report.h"
#include "daemon/nats/line_message.h"
#include "daemon/wire/coded_frame.h"
#include "tests/support/cmocka_all.h"

static const int64_t second_ns = 1000000000;
static struct radios radios;
static int64_t clock_ns; /* Unix time at which lines come */

static int setup(void **state)
{
    (void)state;
    radios_init(&radios, "fftd");
    clock_ns = 100 * second_ns + 2500000;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    radios_finish(&radios);
    assert_int_equal(radios.log_bytes, 0);
    return 0;
}

/* A sensor: what it would publish. */
struct sensor {
    struct coded_base base;
    uint32_t run;
    uint64_t next; /* number of the next line */
};

/* A line message of `merged` lines; with its base if it is new, or `complete`. */
static struct ws_message *make_line(struct sensor *s, uint32_t merged, bool complete)
{
    static const uint8_t levels[16] = {1, 2, 3};
    struct wire_header h = {.line = s->next + merged - 1,
                            .merged = merged,
                            .columns = 16,
                            .frames = merged,
                            .n = 64,
                            .hop = 64,
                            .rate_hz = 1000,
                            .column_hz = 60,
                            .first_sample = s->next * 64,
                            .samples = merged * 64,
                            .line_rate_hz = 10};
    const uint32_t before = s->base.number;
    s->next += merged;
    struct ws_message *frame = coded_frame_create(&s->base, &h, levels);
    if (complete || s->base.number != before) {
        struct ws_message *whole = coded_frame_complete(&s->base, frame);
        ws_message_unref(frame);
        frame = whole;
    }
    const struct line_message m = {
        .run = s->run, .base = s->base.number, .host_time_ns = 100 * second_ns};
    struct ws_message *message = line_message_create(&m, frame);
    ws_message_unref(frame);
    return message;
}

static void take(const char *subject, const struct ws_message *message)
{
    radios_take(&radios, subject, message->data, message->size, clock_ns);
}

static void send_line(struct sensor *s, uint32_t merged, bool complete)
{
    struct ws_message *message = make_line(s, merged, complete);
    take("fftd.lab.one.lines", message);
    ws_message_unref(message);
}

/* Complete frames, with so many others after each. */
static void send_lines(struct sensor *s, int complete, int others)
{
    for (int i = 0; i < complete; i++) {
        send_line(s, 1, true);
        for (int k = 0; k < others; k++)
            send_line(s, 1, false);
    }
}

static void say(const char *subject, const char *text, int64_t now_ns)
{
    radios_take(&radios, subject, text, strlen(text), now_ns);
}

#define ANNOUNCE(site, radio, state, more)                                                         \
    "{\"protocol\":1,\"site\":\"" site "\",\"radio\":\"" radio "\",\"state\":\"" state             \
    "\",\"interval_s\":2,\"run\":7,\"sent_ns\":1" more "}"

static struct radio *one(void)
{
    struct radio *radio = radios_find_name(&radios, "lab", "one");
    assert_non_null(radio);
    return radio;
}

static void lines_are_counted_by_their_numbers(void **state)
{
    (void)state;
    struct sensor s = {.run = 7, .next = 40};
    send_line(&s, 4, true);  /* 40..43: the hub came late */
    send_line(&s, 1, false); /* 44 */
    s.next += 5;             /* 45..49 are in no frame */
    send_line(&s, 2, false); /* 50, 51 */
    const struct radio *radio = one();
    assert_int_equal(radio->before, 40);
    assert_int_equal(radio->lines, 7);
    assert_int_equal(radio->missing, 5);
    assert_int_equal(radio->newest, 51);
    assert_int_equal(radio->undecoded + radio->again, 0);
    assert_true(radio->skew_ms > 2.49 && radio->skew_ms < 2.51);
}

static void a_duplicate_frame_counts_once(void **state)
{
    (void)state;
    struct sensor s = {.run = 7};
    send_line(&s, 2, true);
    struct ws_message *message = make_line(&s, 3, false);
    take("fftd.lab.one.lines", message);
    take("fftd.lab.one.lines", message);
    ws_message_unref(message);
    assert_int_equal(one()->lines, 5);
    assert_int_equal(one()->again, 1);
    assert_int_equal(one()->log.end, 2);
}

static void a_frame_without_its_base_waits_for_one_and_its_lines_are_missing(void **state)
{
    (void)state;
    struct sensor s = {.run = 7};
    send_line(&s, 1, true);
    struct sensor other = {.run = 7, .next = 1};
    ws_message_unref(make_line(&other, 1, true));
    other.base.number = 9;
    send_line(&other, 3, false); /* of base 9, which did not come: 2..4 */
    assert_int_equal(one()->undecoded, 1);
    send_line(&other, 2, true); /* 5, 6 */
    assert_int_equal(one()->lines, 3);
    assert_int_equal(one()->missing, 4); /* 1 was in no frame */
}

static void another_run_counts_from_0_and_its_first_lines_are_missing(void **state)
{
    (void)state;
    struct sensor first = {.run = 7, .next = 100}, second = {.run = 8, .next = 3};
    send_line(&first, 1, true);
    send_line(&second, 2, true); /* 3, 4 */
    assert_int_equal(one()->before, 100);
    assert_int_equal(one()->lines, 3);
    assert_int_equal(one()->missing, 3);
    assert_int_equal(one()->runs, 2);
}

static void the_last_announcement_tells_what_did_not_come(void **state)
{
    (void)state;
    struct sensor s = {.run = 7};
    send_line(&s, 10, true);
    say("fftd.lab.one.announce", ANNOUNCE("lab", "one", "gone", ",\"lines\":12,\"missed\":3"),
        5 * second_ns);
    assert_int_equal(one()->state, RADIO_GONE);
    assert_int_equal(one()->gone_since_ns, 5 * second_ns);
    assert_int_equal(one()->missing, 5);
}

static void a_silent_radio_is_gone_since_its_last_announcement(void **state)
{
    (void)state;
    say("fftd.lab.one.announce", ANNOUNCE("lab", "one", "running", ""), 10 * second_ns);
    radios.changed = false;
    radios_check_silence(&radios, 16 * second_ns);
    assert_int_equal(one()->state, RADIO_RUNNING);
    assert_false(radios.changed);
    radios_check_silence(&radios, 16 * second_ns + 1);
    assert_int_equal(one()->state, RADIO_GONE);
    assert_int_equal(one()->gone_since_ns, 10 * second_ns);
    assert_true(radios.changed);
    say("fftd.lab.one.announce", ANNOUNCE("lab", "one", "running", ""), 20 * second_ns);
    assert_int_equal(one()->state, RADIO_RUNNING);
}

static struct frame_cursor begin(const struct radio *radio, int64_t past_s)
{
    return frame_log_start(&radio->log, clock_ns, past_s * second_ns);
}

/* Reads what there is. Returns the number of frames. */
static int read_all(struct radio *radio, struct frame_cursor *c, uint64_t *dropped)
{
    int count = 0;
    for (struct ws_message *f; (f = frame_log_next(&radio->log, c, dropped)); count++)
        ws_message_unref(f);
    return count;
}

static void a_viewer_begins_with_the_newest_complete_frame_and_gets_all_after_it(void **state)
{
    (void)state;
    struct sensor s = {.run = 7};
    send_lines(&s, 3, 1);
    struct radio *radio = one();
    uint64_t dropped = 0;
    struct frame_cursor at = begin(radio, 0);
    assert_int_equal(at.next, 4);
    struct ws_message *f = frame_log_next(&radio->log, &at, &dropped);
    assert_int_equal(bytes_get(f->data, 4), radio->id);
    assert_memory_equal(f->data + 4, "FFTN", 4);
    assert_memory_equal(f->data + 4 + LINE_MESSAGE_HEADER, "FFTD", 4);
    ws_message_unref(f);
    ws_message_unref(frame_log_next(&radio->log, &at, &dropped));
    assert_null(frame_log_next(&radio->log, &at, &dropped));
    assert_int_equal(dropped, 0);
}

static void the_frames_of_a_run_before_stay_for_those_who_want_the_past(void **state)
{
    (void)state;
    struct sensor s = {.run = 7}, again = {.run = 8};
    uint64_t dropped = 0;
    send_lines(&s, 2, 1);
    send_lines(&again, 1, 1);
    struct frame_cursor at = begin(one(), 3600);
    assert_int_equal(read_all(one(), &at, &dropped), 6);
    assert_int_equal(one()->runs, 2);
}

static void many_logs_share_the_memory(void **state)
{
    (void)state;
    struct sensor s = {.run = 7};
    send_line(&s, 1, true);
    const struct frame_log *log = &one()->log;
    while (log->first == 0) /* until it is full */
        send_lines(&s, 1, 39);
    assert_int_equal(radios.log_bytes, log->bytes);
    for (uint32_t logs = 1; logs <= RADIOS_MAX; logs++)
        assert_true(logs * frame_log_share(logs) <= FRAME_LOGS_BYTES);
    for (int i = 0; i < 255; i++) {
        char subject[64];
        snprintf(subject, sizeof subject, "fftd.lab.r%d.ledger", i);
        say(subject, "{\"run\":1,\"sent_ns\":1}", clock_ns);
    }
    assert_true(log->bytes <= FRAME_LOGS_BYTES / 256 && log->end - log->first > 1000);
    assert_int_equal(log->entries[log->first % log->capacity].start, log->first);
}

static void malformed_messages_are_counted_by_cause_and_make_no_radio(void **state)
{
    (void)state;
    static const struct {
        const char *subject, *text;
        enum hub_fault fault;
    } cases[] = {
        {"fftd.lab.one", "", HUB_FAULT_SUBJECT},
        {"fftd.lab.one.lines.x", "", HUB_FAULT_SUBJECT},
        {"fftd..one.lines", "", HUB_FAULT_SUBJECT},
        {"other.lab.one.lines", "", HUB_FAULT_SUBJECT},
        {"fftd.lab.o/e.lines", "", HUB_FAULT_SUBJECT},
        {"fftd.lab.one.measurements", "{}", HUB_FAULT_SUBJECT},
        {"fftd.lab.one.announce", "", HUB_FAULT_JSON},
        {"fftd.lab.one.ledger", "{\"run\":7}", HUB_FAULT_JSON},
        {"fftd.lab.one.ledger", "{\"run\":-1,\"sent_ns\":1}", HUB_FAULT_JSON},
        {"fftd.lab.one.announce", ANNOUNCE("lab", "two", "running", ""), HUB_FAULT_JSON},
        {"fftd.lab.one.announce", ANNOUNCE("lab", "one", "fine", ""), HUB_FAULT_JSON},
        {"fftd.lab.one.announce", ANNOUNCE("lab", "one", "running", ",\"latitude\":1"),
         HUB_FAULT_JSON},
        {"fftd.lab.one.announce",
         ANNOUNCE("lab", "one", "running", ",\"latitude\":1,\"longitude\":181"), HUB_FAULT_JSON},
        {"fftd.lab.one.lines", "FFTN", HUB_FAULT_LINE},
    };
    uint64_t expected[HUB_FAULTS] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        say(cases[i].subject, cases[i].text, 1);
        expected[cases[i].fault]++;
    }
    for (int i = 0; i < HUB_FAULTS; i++)
        assert_int_equal(radios.faults[i], expected[i]);
    assert_int_equal(radios.count, 0);
}

static void a_line_that_is_cut_anywhere_is_no_line(void **state)
{
    (void)state;
    struct sensor s = {.run = 7};
    struct ws_message *message = make_line(&s, 1, true);
    const size_t numbers = LINE_MESSAGE_HEADER + WIRE_HEADER + 5 + 8;
    for (size_t size = 0; size < numbers; size++)
        radios_take(&radios, "fftd.lab.one.lines", message->data, size, 1);
    assert_int_equal(radios.faults[HUB_FAULT_LINE], numbers);
    assert_int_equal(radios.count, 0);
    take("fftd.lab.one.lines", message);
    assert_int_equal(radios.count, 1);
    ws_message_unref(message);
}

static void the_table_is_bounded_and_the_radio_gone_longest_leaves(void **state)
{
    (void)state;
    char subject[64], text[200];
    static const char form[] = "{\"protocol\":1,\"site\":\"lab\",\"radio\":\"r%d\",\"state\":"
                               "\"%s\",\"interval_s\":2,\"run\":7,\"sent_ns\":1}";
    for (int i = 0; i <= RADIOS_MAX; i++) {
        snprintf(subject, sizeof subject, "fftd.lab.r%d.announce", i);
        snprintf(text, sizeof text, form, i, "running");
        say(subject, text, second_ns);
    }
    assert_int_equal(radios.count, RADIOS_MAX);
    assert_int_equal(radios.faults[HUB_FAULT_RADIOS], 1);
    const struct radio *fifth = radios_find_name(&radios, "lab", "r5");
    const uint32_t id = fifth->id;
    snprintf(text, sizeof text, form, 5, "gone");
    say("fftd.lab.r5.announce", text, second_ns);
    say("fftd.lab.one.announce", ANNOUNCE("lab", "one", "running", ""), second_ns);
    assert_int_equal(radios.count, RADIOS_MAX);
    assert_null(radios_find_name(&radios, "lab", "r5"));
    assert_null(radios_find(&radios, id));
    assert_ptr_equal(radios_find(&radios, one()->id), one());
}

static void the_list_has_what_was_announced(void **state)
{
    (void)state;
    const struct link_reader_state broker = {.connected = true, .links = 1};
    say("fftd.lab.one.announce",
        ANNOUNCE("lab", "one", "waiting", ",\"latitude\":-1.5,\"longitude\":2,\"new\":true"), 1);
    json_t *list = radio_report_list(&radios, &broker, 3);
    json_t *radio = json_array_get(json_object_get(list, "radios"), 0);
    assert_string_equal(json_string_value(json_object_get(radio, "state")), "waiting");
    assert_true(json_number_value(json_object_get(radio, "latitude")) < -1.4);
    assert_true(json_is_true(json_object_get(json_object_get(radio, "announce"), "new")));
    assert_null(json_object_get(radio, "gone_since_ns"));
    json_decref(list);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(lines_are_counted_by_their_numbers),
        T(a_duplicate_frame_counts_once),
        T(a_frame_without_its_base_waits_for_one_and_its_lines_are_missing),
        T(another_run_counts_from_0_and_its_first_lines_are_missing),
        T(the_last_announcement_tells_what_did_not_come),
        T(a_silent_radio_is_gone_since_its_last_announcement),
        T(a_viewer_begins_with_the_newest_complete_frame_and_gets_all_after_it),
        T(the_frames_of_a_run_before_stay_for_those_who_want_the_past),
        T(many_logs_share_the_memory),
        T(malformed_messages_are_counted_by_cause_and_make_no_radio),
        T(a_line_that_is_cut_anywhere_is_no_line),
        T(the_table_is_bounded_and_the_radio_gone_longest_leaves),
        T(the_list_has_what_was_announced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
