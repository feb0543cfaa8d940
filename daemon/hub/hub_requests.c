/* hub_requests.c - finds the request of each answer, and gives up requests without an answer. */
#include "daemon/hub/hub_requests.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"

static const char *const outcomes[HUB_OUTCOMES] = {
    [HUB_DONE] = "done", [HUB_REFUSED] = "refused", [HUB_UNANSWERED] = "unanswered"};

const char *hub_outcome_name(enum hub_outcome outcome)
{
    return outcomes[outcome];
}

const char hub_no_answers[] = "the broker does not let this hub read answers of radios";

/* The broker says so, of a radio whose announcements were those of one with a control token. */
const char hub_nobody_answers[] =
    "its sensor is gone, or the broker does not let it take requests: nobody answers there";

static const char unreadable[] = "the radio's answer cannot be read";

/* ---- the table --------------------------------------------------------------------------- */

/* NULL, or anything: refused. */
static struct hub_request *find_vacant(struct hub_requests *r, const void *viewer,
                                       const char **refused)
{
    struct hub_request *vacant = NULL;
    int own = 0;
    for (int i = 0; i < HUB_REQUESTS; i++) {
        struct hub_request *q = &r->all[i];
        if (!q->number)
            vacant = q;
        own += q->number && q->viewer == viewer;
    }
    if (own >= HUB_REQUESTS_EACH)
        *refused = "too many requests of this viewer wait for their answers";
    else if (!vacant)
        *refused = "too many requests of this hub wait for their answers";
    return vacant;
}

struct hub_request *hub_requests_add(struct hub_requests *r, void *viewer, uint32_t radio,
                                     uint64_t now_ns, struct reason *why)
{
    const char *refused = NULL;
    struct hub_request *q = find_vacant(r, viewer, &refused);
    if (refused) {
        reason_set(why, -EBUSY, "%s", refused);
        return NULL;
    }
    *q = (struct hub_request){.number = ++r->last,
                              .viewer = viewer,
                              .radio = radio,
                              .deadline_ns = now_ns + HUB_REQUEST_MS * 1000000ULL};
    return q;
}

void hub_requests_forget(struct hub_requests *r, const void *viewer)
{
    for (int i = 0; i < HUB_REQUESTS; i++)
        if (r->all[i].viewer == viewer) {
            r->all[i].viewer = NULL;
            json_decref(r->all[i].id);
            r->all[i].id = NULL;
        }
}

/* ---- answers ----------------------------------------------------------------------------- */

void hub_answer_read(struct hub_answer *out, const void *data, size_t size)
{
    struct call_reply reply;
    if (call_reply_read(&reply, data, size) == 0)
        *out = (struct hub_answer){.outcome = reply.status < 400 ? HUB_DONE : HUB_REFUSED,
                                   .wrong_token = reply.wrong_token,
                                   .call = reply};
    else
        *out = (struct hub_answer){.outcome = HUB_REFUSED,
                                   .is_gone = size == 0,
                                   .failure = size == 0 ? hub_nobody_answers : unreadable};
}

unsigned hub_answer_fault(const struct hub_answer *a, const char *radio, bool is_read,
                          struct reason *why)
{
    const char *text = a->failure;
    if (a->is_gone)
        reason_set(why, -ENOENT, "%s: %s", radio, text);
    else if (a->outcome != HUB_UNANSWERED)
        reason_set(why, -EIO, "%s: %s; /api/v1/radios/%s shows its state", radio, text, radio);
    else if (is_read)
        reason_set(why, -ETIMEDOUT, "%s: %.*s; ask again", radio, (int)strcspn(text, ":"), text);
    else
        reason_set(why, -ETIMEDOUT, "%s: %s; read what it has before you ask again", radio, text);
    return a->is_gone ? 503 : a->outcome == HUB_UNANSWERED ? 504 : 502;
}

/* ---- what comes of requests -------------------------------------------------------------- */

static void finish(struct hub_requests *r, struct hub_request *q, const struct hub_answer *answer,
                   hub_request_done *done, void *user)
{
    const struct hub_request finished = *q;
    r->outcomes[answer->outcome]++;
    q->number = 0;
    q->viewer = NULL;
    q->id = NULL;
    done(user, &finished, answer);
    json_decref(finished.id);
}

static void fail_subject(struct hub_requests *r, const char *subject, hub_request_done *done,
                         void *user)
{
    const bool is_control = subject[0] != '_';
    const struct hub_answer answer = {
        .outcome = HUB_REFUSED,
        .failure = is_control ? "the broker does not let this hub send requests to the radio"
                              : hub_no_answers};
    for (int i = 0; i < HUB_REQUESTS; i++) {
        struct hub_request *q = &r->all[i];
        if (!q->number || (is_control && strcmp(q->subject, subject) != 0))
            continue;
        finish(r, q, &answer, done, user);
    }
}

void hub_requests_take(struct hub_requests *r, const char *subject, const void *data, size_t size,
                       hub_request_done *done, void *user)
{
    char *end = NULL;
    struct hub_answer answer;
    if (!isdigit((unsigned char)subject[0])) {
        fail_subject(r, subject, done, user);
        return;
    }
    const uint64_t number = strtoull(subject, &end, 10);
    for (int i = 0; i < HUB_REQUESTS && !*end && number > 0; i++)
        if (r->all[i].number == number) {
            hub_answer_read(&answer, data, size);
            finish(r, &r->all[i], &answer, done, user);
            return;
        }
}

void hub_requests_expire(struct hub_requests *r, uint64_t now_ns, uint64_t links,
                         hub_request_done *done, void *user)
{
    for (int i = 0; i < HUB_REQUESTS; i++) {
        struct hub_request *q = &r->all[i];
        const bool is_late = now_ns >= q->deadline_ns;
        if (!q->number || (!is_late && q->links == links))
            continue;
        const struct hub_answer answer = {
            .outcome = HUB_UNANSWERED,
            .failure = is_late ? "no answer within 5 s: whether the radio was changed is not known"
                               : "the connection to the broker was lost: whether the radio was "
                                 "changed is not known"};
        finish(r, q, &answer, done, user);
    }
}
