/*
 * output_thread.h - the life of an output's thread: it opens a file, writes rows, reports its
 * state, and ends. A table of functions supplies the rows.
 *
 * Faults of the file are handled as in row_file.h. Each change is logged in one line.
 */
#ifndef FFTD_DAEMON_OUTPUT_OUTPUT_THREAD_H
#define FFTD_DAEMON_OUTPUT_OUTPUT_THREAD_H

#include <stdatomic.h>
#include <uv.h>

#include "daemon/output/row_file.h"
#include "daemon/status/output_state.h"

struct reason;

/* All: on the output's thread, with the `maker` of the config. */
struct output_maker {
    /* Reads what waits, and makes the next row unless the file is busy. *closed: none will follow.
     * -errno ends the output. */
    int (*make)(void *maker, bool *closed);
    /* The file cannot be written now: drops what waits, and counts it. */
    void (*drop)(void *maker, bool *closed);
    /* (optional) After the end of the input: makes one more row. False: none. */
    bool (*make_last)(void *maker);
    void (*finish)(void *maker); /* no function of the maker follows */
};

struct output_thread_config {
    const char *name; /* for the status */
    struct out_file_config file;
    bool lossless;
    const struct output_maker *ops;
    void *maker;
    void (*ended)(void *user); /* on the output's thread, after the last row */
    void *user;
};

/* Zeroed at first. */
struct output_thread {
    struct output_thread_config config;
    uv_thread_t thread;
    uv_sem_t begin;
    bool has_locks, running;
    atomic_bool stop, reopen;

    /* used by the thread only */
    struct row_file file;
    uint64_t dropped_before; /* when the file was last written */

    uv_mutex_t lock;
    struct output_state state; /* under lock */
};

/* Called by the loop thread. 0, -ENOMEM, or -errno with one line in *why that names the file. */
int output_thread_open(struct output_thread *t, const struct output_thread_config *config,
                       struct reason *why);
int output_thread_run(struct output_thread *t); /* starts the thread, which waits */
int output_thread_start_writing(struct output_thread *t, struct reason *why);
/* Any thread: opens what has the file's name now, after the row that is being written. */
void output_thread_reopen(struct output_thread *t);
void output_thread_state(struct output_thread *t, struct output_state *out);
/* Ends the thread now. */
void output_thread_stop(struct output_thread *t);
void output_thread_finish(struct output_thread *t);

/* Any thread: adds to a count of the state. */
void output_thread_count(struct output_thread *t, uint64_t *count, uint64_t more);

#endif
