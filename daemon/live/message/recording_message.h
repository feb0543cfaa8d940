/* recording_message.h - recordings for clients: those that are new or have changed. Loop thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_RECORDING_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_RECORDING_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/record/recorder.h"

struct frame;
struct live;
struct subscriber;

/* The newest recordings, as they were sent. */
enum { RECORDINGS_TOLD = 20 };
struct recording_news {
    uint64_t number;       /* counts the messages, from 1 */
    struct frame *all;     /* NULL before the first */
    struct frame *changes; /* since the one before */
    struct record_info told[RECORDINGS_TOLD];
    size_t count;
    uint64_t look_ns, progress_ns; /* not before */
};

void recording_message_push(struct live *l); /* if there is news and it is time */
bool recording_message_is_news(const struct subscriber *u);
struct frame *recording_message_next(struct subscriber *u); /* held */
void recording_message_finish(struct recording_news *news);

#endif
