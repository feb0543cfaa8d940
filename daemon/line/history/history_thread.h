/*
 * history_thread.h - the history thread: reads lines from their ring and stores them.
 *
 * In real time the thread skips lines when it is too slow, and marks their rows; no other thread
 * waits for it. In replay (lossless) every line is stored.
 */
#ifndef FFTD_DAEMON_LINE_HISTORY_HISTORY_THREAD_H
#define FFTD_DAEMON_LINE_HISTORY_HISTORY_THREAD_H

#include "daemon/line/history/history.h"
#include "daemon/line/line_ring.h"

struct history_thread;

/* Starts the thread, from the next line on. Its store takes `bytes`. -ENOMEM, -EAGAIN. */
int history_thread_start(struct history_thread **out, struct line_ring *lines, size_t bytes,
                         bool lossless);
/* Ends the thread and its store. The ring still exists. NULL is fine. */
void history_thread_stop(struct history_thread *t);
struct history *history_thread_store(struct history_thread *t); /* NULL gives NULL */

#endif
