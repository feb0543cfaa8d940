/*
 * fuzz_hub_message.c - libFuzzer target: what a hub gets from a broker.
 *
 * The input is a list of messages: a byte that selects one of three radios and a kind, or a subject
 * of its own; two bytes of size; the data. Whatever comes, the accounts hold and the memory is
 * bounded: a message is taken or counted as malformed, lines never outnumber the newest one within
 * a run, and a viewer can begin at every time.
 */
#include "daemon/hub/radio_report.h"
#include "tests/fuzz/fuzz.h"

static const char *const subjects[] = {
    "fftd.a.one.announce", "fftd.a.one.lines",    "fftd.a.one.ledger", "fftd.a.one.status",
    "fftd.a.one.link",     "fftd.a.one.events",   "fftd.a.two.lines",  "fftd.a.two.announce",
    "fftd.b.one.lines",    "fftd.b.one.announce",
};

/* A viewer can begin there. */
static void check_start(struct radio *radio, int64_t now_ns, int64_t past_ns)
{
    uint64_t dropped = 0;
    struct frame_cursor at = frame_log_start(&radio->log, now_ns, past_ns);
    check(radio->log.first <= at.next && at.next <= radio->log.end);
    struct ws_message *f = frame_log_next(&radio->log, &at, &dropped);
    check(dropped == 0 && (!f || memcmp(f->data + 4 + 32, "FFTD", 4) == 0));
    ws_message_unref(f);
}

static void check_radio(const struct radios *r, struct radio *radio, int64_t now_ns)
{
    check(radios_find(r, radio->id) == radio);
    check(radio->state < RADIO_STATES);
    check(radio->log.bytes <= FRAME_LOG_BYTES && radio->log.bytes <= r->log_bytes);
    for (int64_t past_ns = 0; past_ns < 8000000000; past_ns += 1000000000)
        check_start(radio, now_ns, past_ns);
}

static void check_all(struct radios *r, int64_t now_ns)
{
    const struct link_reader_state broker = {0};
    uint64_t faults = 0, malformed = 0;
    for (uint32_t i = 0; i < r->used; i++) {
        check_radio(r, r->all[i], now_ns);
        malformed += r->all[i]->malformed;
    }
    for (int i = 0; i < HUB_FAULTS; i++)
        faults += r->faults[i];
    check(faults <= r->messages && malformed <= faults);
    json_t *list = radio_report_list(r, &broker, 0);
    char *text = json_dumps(list, JSON_COMPACT);
    check(text != NULL);
    free(text);
    json_decref(list);
    size_t size = 0;
    struct metric_writer m;
    metrics_open(&m, METRICS_TEXT);
    check(m.f != NULL);
    radio_report_metrics(&m, r, &broker, 0);
    char *metrics = metrics_close(&m, &size);
    check(metrics != NULL && size > 0);
    free(metrics);
}

static void take_message(struct radios *r, struct input *in, int64_t now_ns)
{
    uint8_t head[3];
    char *subject = NULL;
    take_bytes(in, head, sizeof head);
    if (head[0] >= sizeof subjects / sizeof subjects[0])
        subject = take_text(in);
    const size_t wanted = head[1] | (size_t)head[2] << 8;
    const size_t size = wanted < in->size ? wanted : in->size;
    radios_take(r, subject ? subject : subjects[head[0]], in->at, size, now_ns);
    in->at += size;
    in->size -= size;
    free(subject);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct radios r;
    struct input in = {bytes, size};
    int64_t now_ns = 1;
    radios_init(&r, "fftd");
    while (in.size > 0) {
        take_message(&r, &in, now_ns);
        now_ns += 500000000;
        radios_check_silence(&r, now_ns);
    }
    check_all(&r, now_ns);
    radios_finish(&r);
    check(r.log_bytes == 0);
    return 0;
}
