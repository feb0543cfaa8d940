/* radio_call.c - calls of a hub's clients to its radios: their paths, and what keeps them back. */
#include "daemon/hub/serve/radio_call.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/api/carry.h"
#include "daemon/base/bytes.h"
#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/hub/serve/hub_service.h"

static const char below[] = "/api/v1/";

const char radio_call_paths[] = "/api/v1/radios/";

bool radio_call_split(const char *path, struct radio_call_target *t)
{
    if (strncmp(path, radio_call_paths, sizeof radio_call_paths - 1) != 0)
        return false;
    const char *name = path + sizeof radio_call_paths - 1;
    const size_t length = strcspn(name, "/");
    if (!name[length] || length >= sizeof t->radio)
        return false;
    memcpy(t->radio, name, length);
    t->radio[length] = '\0';
    const int size = snprintf(t->path, sizeof t->path, "%s%s", below, name + length + 1);
    return size >= 0 && (size_t)size < sizeof t->path;
}

void radio_call_location(char *into, size_t size, const char *radio, const char *location)
{
    const char *const parts[] = {radio_call_paths, radio, "/", location + sizeof below - 1};
    size_t at = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        at = api_encode(into, size, at, parts[i]);
}

unsigned radio_call_fault(const struct hub_service *h, const struct hub_answer *answer,
                          const char *radio, bool is_read, struct reason *why)
{
    const struct radio *of = hub_service_radio(h, radio);
    const unsigned status = hub_answer_fault(answer, radio, is_read, why);
    if (answer->is_gone && of)
        reason_add(why, "; it was heard last %lld s ago", radio_silence_s(of, clock_unix_ns()));
    return status;
}

int radio_call_check(const struct hub_service *h, const struct radio *radio, struct reason *why)
{
    struct link_reader_state link;
    hub_service_link(h, &link);
    if (!link.connected)
        return reason_set(why, -ENOTCONN, "the hub has no connection to its broker");
    if (link.no_answers)
        return reason_set(why, -EACCES, "%s", hub_no_answers);
    if (radio->state == RADIO_GONE)
        return reason_set(why, -ENOENT, "%s.%s is gone, it was heard last %lld s ago", radio->site,
                          radio->name, radio_silence_s(radio, clock_unix_ns()));
    if (!json_is_true(json_object_get(radio->announce, "controllable")))
        return reason_set(why, -ENOKEY, "%s.%s takes no requests: its fftd has no control token",
                          radio->site, radio->name);
    return 0;
}

int radio_call_send(struct hub_service *h, const struct radio_call *what, struct reason *why)
{
    struct link_reader_state link;
    struct hub_request *q =
        hub_requests_add(&h->requests, what->viewer, what->radio->id, clock_now_ns(), why);
    if (!q)
        return -EBUSY;
    hub_service_link(h, &link);
    q->links = link.links;
    q->is_read = what->is_read;
    snprintf(q->subject, sizeof q->subject, "%s.%s.%s.control", h->nats.prefix, what->radio->site,
             what->radio->name);
    if (what->data)
        bytes_put(what->data, q->number, CALL_HEAD);
    if (what->data && inbox_put(h->to_sensors, q->subject, what->data, CALL_HEAD + what->size)) {
        q->id = json_incref((json_t *)what->id);
        return 0;
    }
    *q = (struct hub_request){.number = 0};
    return reason_set(why, -EBUSY, "too many requests of this hub wait for the broker");
}
