/*
 * fuzz_call_reply.c - libFuzzer target: what a radio replies to a call through a broker.
 *
 * A reply has a status, and what belongs to it: a body or bytes of its own, or one line that says
 * why not. It can be written, and is read as it was. What is no reply is a failure with a reason.
 */
#include "daemon/hub/hub_requests.h"
#include "tests/fuzz/fuzz.h"

static void check_line(const char *text)
{
    for (; *text; text++)
        check((unsigned char)*text >= ' ' && *text != 127);
}

static void check_reply(const struct call_reply *r, const uint8_t *data, size_t size)
{
    const bool is_result = r->status >= 200 && r->status <= 202;
    check(is_result || (r->status >= 400 && r->status < 600));
    check(is_result ? (r->body == NULL) != (r->bytes == NULL) : r->why.sentence[0] && !r->body);
    check(!r->bytes || (r->bytes > data && r->bytes + r->size == data + size));
    check(!r->location[0] || strncmp(r->location, "/api/v1/", 8) == 0);
    check_line(r->why.sentence);
    check_line(r->why.key);
    check_line(r->location);
}

static void check_written(const struct call_reply *r)
{
    struct call_reply again;
    size_t size = 0;
    uint8_t *data = call_reply_write(r, &size);
    if (!data) /* a number that is too large to be written */
        return;
    check(size > CALL_REPLY_MAX || call_reply_read(&again, data, size) == 0);
    if (size <= CALL_REPLY_MAX) {
        check(again.status == r->status && again.size == r->size);
        check(strcmp(again.location, r->location) == 0 &&
              strcmp(again.why.sentence, r->why.sentence) == 0);
        check(r->size == 0 || memcmp(again.bytes, r->bytes, r->size) == 0);
        call_reply_finish(&again);
    }
    free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct hub_answer answer;
    hub_answer_read(&answer, bytes, size);
    if (answer.call.status == 0) {
        check(answer.outcome == HUB_REFUSED && answer.failure);
        check_line(answer.failure);
    } else {
        check(!answer.failure);
        check_reply(&answer.call, bytes, size);
        check_written(&answer.call);
    }
    call_reply_finish(&answer.call);
    return 0;
}
