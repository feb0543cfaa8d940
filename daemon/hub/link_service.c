/* link_service.c - passes requests and replies on. */
#include "daemon/hub/link_service.h"

#include <stdlib.h>

natsStatus link_read_requests(natsSubscription *from, const struct link_service *to)
{
    natsMsg *m = NULL;
    uint64_t queued = 0;
    natsStatus s = natsSubscription_QueuedMsgs(from, &queued);
    const bool any = queued > 0;
    for (; s == NATS_OK && queued > 0; queued--) {
        s = natsSubscription_NextMsg(&m, from, 1);
        if (s != NATS_OK)
            break;
        const char *reply = natsMsg_GetReply(m);
        const int size = natsMsg_GetDataLength(m);
        inbox_put(to->requests, reply ? reply : "", natsMsg_GetData(m),
                  size > 0 ? (size_t)size : 0);
        natsMsg_Destroy(m);
    }
    if (any && to->arrived)
        to->arrived(to->user);
    return s;
}

natsStatus link_send_replies(natsConnection *to, struct inbox *from)
{
    natsStatus s = NATS_OK;
    for (struct inbox_message *m = inbox_take(from); m;) {
        struct inbox_message *next = m->next;
        if (s == NATS_OK && m->subject[0])
            s = natsConnection_Publish(to, m->subject, m->data, (int)m->size);
        if (s == NATS_INVALID_SUBJECT || s == NATS_MAX_PAYLOAD)
            s = NATS_OK; /* the requester's mistake; a broker that accepts 8 KiB no more */
        free(m);
        m = next;
    }
    return s;
}
