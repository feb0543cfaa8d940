/*
 * fuzz_remote_request.c - libFuzzer target: what a broker's clients and a hub's viewers say, and
 * what sensors answer.
 *
 * A message that is refused has one line that says why; one that is accepted is within its bounds.
 * Every answer is a reply, or becomes a sentence for the viewer.
 */
#include "daemon/base/reason.h"
#include "daemon/control/fields.h"
#include "daemon/control/lease.h"
#include "daemon/hub/hub_requests.h"
#include "daemon/hub/viewer_message.h"
#include "daemon/sensor/remote_request.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct remote_request r;
    struct viewer_message w;
    struct reason why = {0};
    const int err = remote_request_read(&r, (const char *)bytes, size, &why);
    check_error(err, why.sentence);
    check(err < 0 || !r.name || strlen(r.name) < CLIENT_NAME);
    check(err < 0 ||
          (r.verb && r.path && json_is_object(r.values) &&
           strlen(r.from) + sizeof " via hub" <= LEASE_ADDRESS && !strpbrk(r.from, "\r\n\"<")));
    remote_request_finish(&r);

    why = (struct reason){0};
    const int wrong = viewer_message_read(&w, (const char *)bytes, size, &why);
    check_error(wrong, why.sentence);
    check(w.count <= VIEWER_RADIOS);
    for (uint32_t i = 0; wrong == 0 && i < w.count; i++)
        check(w.radios[i] > 0);
    check(wrong < 0 || w.kind != VIEWER_CALL || (w.id && w.verb && strlen(w.path) < VIEWER_PATH));
    viewer_message_finish(&w);

    struct hub_answer answer;
    hub_answer_read(&answer, bytes, size);
    check(answer.call.status > 0 || (answer.failure && !strchr(answer.failure, '\n')));
    call_reply_finish(&answer.call);
    return 0;
}
