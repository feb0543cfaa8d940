/* line_message.c - writes the header of a published line, and asks for the host clock's error. */
#include "daemon/nats/line_message.h"

#include <errno.h>
#include <string.h>
#include <sys/timex.h>

#include "daemon/base/bytes.h"

enum { AFTER_LOSS = 1, FOLLOWS_US = 50000 };

static const uint8_t magic[] = {'F', 'F', 'T', 'N', 1};

struct ws_message *line_message_create(const struct line_message *m, const struct ws_message *frame)
{
    struct ws_message *out = ws_message_create(LINE_MESSAGE_HEADER + frame->size);
    if (!out)
        return NULL;
    uint8_t *h = out->data;
    memset(h, 0, LINE_MESSAGE_HEADER);
    memcpy(h, magic, sizeof magic);
    h[5] = m->after_loss ? AFTER_LOSS : 0;
    bytes_put(h + 8, m->run, 4);
    bytes_put(h + 12, m->base, 4);
    bytes_put(h + 16, (uint64_t)m->host_time_ns, 8);
    bytes_put(h + 24, m->uncertainty_us, 4);
    bytes_put(h + 28, LINE_MESSAGE_HEADER, 4);
    memcpy(h + LINE_MESSAGE_HEADER, frame->data, frame->size);
    return out;
}

int line_message_read(const uint8_t *bytes, size_t size, struct line_message *out, size_t *frame)
{
    if (size < LINE_MESSAGE_HEADER || memcmp(bytes, magic, sizeof magic) != 0)
        return -EINVAL;
    *frame = (size_t)bytes_get(bytes + 28, 4);
    if (*frame < LINE_MESSAGE_HEADER || *frame >= size)
        return -EINVAL;
    *out = (struct line_message){.after_loss = bytes[5] & AFTER_LOSS,
                                 .run = (uint32_t)bytes_get(bytes + 8, 4),
                                 .base = (uint32_t)bytes_get(bytes + 12, 4),
                                 .host_time_ns = (int64_t)bytes_get(bytes + 16, 8),
                                 .uncertainty_us = (uint32_t)bytes_get(bytes + 24, 4)};
    return 0;
}

uint32_t line_message_uncertainty(bool host_clock)
{
    struct timex clock = {.modes = 0};
    if (!host_clock)
        return LINE_MESSAGE_UNKNOWN;
    const int state = adjtimex(&clock);
    if (state < 0 || state == TIME_ERROR || clock.maxerror < 0 ||
        clock.maxerror >= (long)(INT32_MAX - FOLLOWS_US))
        return LINE_MESSAGE_UNKNOWN;
    return (uint32_t)clock.maxerror + FOLLOWS_US;
}
