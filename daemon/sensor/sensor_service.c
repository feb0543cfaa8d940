/* sensor_service.c - passes requests and replies on. */
#include "daemon/sensor/sensor_service.h"

#include <stdlib.h>

void sensor_service_take(const struct sensor_service *to, const struct link_frame *request)
{
    inbox_put(to->requests, request->reply, request->data, request->size);
    if (to->arrived)
        to->arrived(to->user);
}

bool sensor_service_send(struct link_broker *to, struct inbox *from)
{
    bool up = true;
    for (struct inbox_message *m = inbox_take(from); m;) {
        struct inbox_message *next = m->next;
        if (up && m->subject[0])
            up =
                link_broker_publish(to, LINK_FRAME_PUBLISH_REPLY, m->subject, "", m->data, m->size);
        free(m);
        m = next;
    }
    return up;
}
