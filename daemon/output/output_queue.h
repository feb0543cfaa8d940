/*
 * output_queue.h - an output whose rows are made of items that another thread pushes.
 *
 * Items that do not fit into the queue are missed and counted, unless the pushing thread waits.
 * Faults of the file are handled as in output.h.
 */
#ifndef FFTD_DAEMON_OUTPUT_OUTPUT_QUEUE_H
#define FFTD_DAEMON_OUTPUT_OUTPUT_QUEUE_H

#include "daemon/base/text.h"
#include "daemon/files/out_file.h"
#include "daemon/status/output_state.h"

struct output_queue_config {
    struct out_file_config file;
    bool seconds;              /* times are rounded down to seconds, as with --csv-time seconds */
    bool lossless;             /* a fault of the file ends the output */
    void (*ended)(void *user); /* on the output's thread, after the last row */
    void *user;
};

/* What the items are. The functions are called by the output's thread; drop also by others. */
struct output_items {
    const char *name; /* for the status */
    size_t most;      /* that wait, at most */
    size_t at_once;   /* that are written together, at most */
    bool waits;       /* a lossless output makes the pushing thread wait for room */
    /* Appends the rows of an item. Returns how many they are. */
    uint64_t (*add)(struct text *rows, const void *item, bool seconds);
    void (*drop)(void *item);
};

struct reason;
struct output_queue;

/* As output_start, output_start_writing and output_reopen. */
int output_queue_start(struct output_queue **out, const struct output_items *items,
                       const struct output_queue_config *config, struct reason *why);
int output_queue_start_writing(struct output_queue *q, struct reason *why);
void output_queue_reopen(struct output_queue *q);
/* On the pushing thread: the item now is the output's. NULL, for lack of memory, is missed. */
void output_queue_push(struct output_queue *q, void *item);
void output_queue_close(struct output_queue *q); /* any thread: none will follow */
void output_queue_state(struct output_queue *q, struct output_state *out);
/* Ends the thread now. Rows that are not written yet are lost. NULL is fine. */
void output_queue_stop(struct output_queue *q);
void output_queue_destroy(struct output_queue *q); /* NULL is fine */

#endif
