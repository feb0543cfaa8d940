/* link_requests.c - publishes requests, and passes on what comes of them. */
#include "daemon/hub/link_requests.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/hub/hub_requests.h"
#include "daemon/hub/link_subscription.h"

static const char inbox_prefix[] = "_INBOX.";

/* A thread of the library. */
static void on_answer(natsConnection *connection, natsSubscription *subscription, natsMsg *m,
                      void *user)
{
    struct link_requests *r = user;
    const char *number = strrchr(natsMsg_GetSubject(m), '.');
    const int size = natsMsg_IsNoResponders(m) ? 0 : natsMsg_GetDataLength(m);
    (void)connection;
    (void)subscription;
    inbox_put(r->in, number + 1, natsMsg_GetData(m), size > 0 ? (size_t)size : 0);
    natsMsg_Destroy(m);
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

natsStatus link_requests_open(struct link_requests *r, natsConnection *connection)
{
    char subject[LINK_REPLY_SUBJECT + 2];
    natsInbox *inbox = NULL;
    atomic_store(&r->no_answers, false);
    free_all(inbox_take(r->out));
    const natsStatus s = natsInbox_Create(&inbox);
    if (s != NATS_OK)
        return s;
    snprintf(r->reply, sizeof r->reply, "%s", inbox);
    natsInbox_Destroy(inbox);
    snprintf(subject, sizeof subject, "%s.*", r->reply);
    return link_subscribe(&r->answers, connection, subject, on_answer, r, r->open);
}

void link_requests_close(struct link_requests *r)
{
    natsSubscription_Destroy(r->answers);
    r->answers = NULL;
}

static natsStatus send(const struct link_requests *r, natsConnection *connection,
                       const struct inbox_message *m)
{
    char reply[LINK_REPLY_SUBJECT + 24];
    snprintf(reply, sizeof reply, "%s.%" PRIu64, r->reply, bytes_get(m->data, HUB_REQUEST_HEAD));
    return natsConnection_PublishRequest(connection, m->subject, reply, m->data + HUB_REQUEST_HEAD,
                                         (int)(m->size - HUB_REQUEST_HEAD));
}

natsStatus link_requests_send(struct link_requests *r, natsConnection *connection)
{
    natsStatus s = NATS_OK;
    struct inbox_message *all = inbox_take(r->out);
    for (const struct inbox_message *m = all; m && s == NATS_OK; m = m->next)
        s = send(r, connection, m);
    free_all(all);
    return s;
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
