/* link_requests.c - publishes requests, and passes on what comes of them. */
#include "daemon/hub/link_requests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "daemon/base/bytes.h"
#include "daemon/hub/hub_requests.h"

static const char inbox_prefix[] = "_INBOX.";

int link_reply_create(char into[LINK_REPLY])
{
    uint64_t number[2];
    if (getrandom(number, sizeof number, 0) != sizeof number)
        return -EIO;
    snprintf(into, LINK_REPLY, "%s%016llx%016llx", inbox_prefix, (unsigned long long)number[0],
             (unsigned long long)number[1]);
    return 0;
}

int link_requests_init(struct link_requests *r)
{
    const int err = link_reply_create(r->reply);
    snprintf(r->subject, sizeof r->subject, "%s.*", r->reply);
    return err;
}

void link_requests_take_answer(struct link_requests *r, const struct link_frame *answer)
{
    const char *number = strrchr(answer->subject, '.');
    if (number)
        inbox_put(r->in, number + 1, answer->data,
                  answer->kind == LINK_FRAME_NOBODY ? 0 : answer->size);
    r->changed(r->user);
}

static void free_all(struct inbox_message *m)
{
    while (m) {
        struct inbox_message *next = m->next;
        free(m);
        m = next;
    }
}

void link_requests_open(struct link_requests *r)
{
    atomic_store(&r->no_answers, false);
    free_all(inbox_take(r->out));
}

static bool send(const struct link_requests *r, struct link_broker *to,
                 const struct inbox_message *m)
{
    char reply[LINK_REPLY + 24];
    snprintf(reply, sizeof reply, "%s.%llu", r->reply,
             (unsigned long long)bytes_get(m->data, CALL_HEAD));
    return link_broker_publish(to, LINK_FRAME_PUBLISH, m->subject, reply, m->data + CALL_HEAD,
                               m->size - CALL_HEAD);
}

bool link_requests_send(struct link_requests *r, struct link_broker *to)
{
    bool up = true;
    struct inbox_message *all = inbox_take(r->out);
    for (const struct inbox_message *m = all; m && up; m = m->next)
        up = send(r, to, m);
    free_all(all);
    return up;
}

bool link_requests_refused(struct link_requests *r, const char *text)
{
    char subject[256] = "";
    const char *quote = strchr(text, '"');
    if (!quote || sscanf(quote + 1, "%255[^\"]", subject) != 1)
        return false;
    const char *last = strrchr(subject, '.');
    const bool is_answers = strncmp(subject, inbox_prefix, sizeof inbox_prefix - 1) == 0;
    if (!is_answers && (!last || strcmp(last, ".control") != 0))
        return false;
    if (is_answers)
        atomic_store(&r->no_answers, true);
    inbox_put(r->in, subject, NULL, 0);
    r->changed(r->user);
    return true;
}
