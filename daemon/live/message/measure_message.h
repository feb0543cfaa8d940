/* measure_message.h - the message "measure": the newest results, for clients that want them. Loop
 * thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_MEASURE_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_MEASURE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

struct frame;
struct live;
struct measure_snapshot;
struct subscriber;

enum { MEASURE_MESSAGES_PER_S = 10 };

struct measure_news {
    struct frame *frame;               /* NULL before the first */
    struct measure_snapshot *measured; /* held: what it says */
    bool changed;                      /* measurements or the clients that want them */
    uint64_t next_ns;                  /* not before */
};

void measure_message_push(struct live *l);                /* if there is news and it is time */
struct frame *measure_message_next(struct subscriber *u); /* held */
void measure_message_finish(struct measure_news *news);

#endif
