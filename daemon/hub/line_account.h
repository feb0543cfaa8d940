/*
 * line_account.h - counts the lines of a radio by their numbers: came, missing, sent twice. The
 * rule is in docs/sensor-messages.md. Loop thread.
 */
#ifndef FFTD_DAEMON_HUB_LINE_ACCOUNT_H
#define FFTD_DAEMON_HUB_LINE_ACCOUNT_H

#include <stdbool.h>

#include "daemon/nats/line_message.h"
#include "daemon/wire/coded_place.h"

struct radio;

/* Which lines a message has. */
struct line_place {
    struct line_message message;
    bool known; /* its base came; else `coded` has no line */
    struct coded_place coded;
};

/* radio: NULL: its first message. -EINVAL: no line. */
int line_place_read(const uint8_t *bytes, size_t size, const struct radio *radio,
                    struct line_place *out);
/* Counts it. False: viewers do not need it, because it came before or its base did not. */
bool line_account_add(struct radio *radio, const struct line_place *place, int64_t now_ns);
/* The sensor has ended after this many lines of its run: lines that did not arrive are missing. */
void line_account_end(struct radio *radio, uint32_t run, uint64_t lines);

#endif
