/*
 * cpu_workers.h - threads that take the parts of tasks as they become free.
 *
 * A task is work in steps; the parts of a step are independent of each other. Each worker takes one
 * part after the other from an atomic counter, so a worker that the system suspends delays the part
 * that it computes and no other one. When the last part of a step is done, the worker that did it
 * opens the next step. Which worker does which part depends on timing; results must not.
 *
 * Up to `max_tasks` tasks are unfinished at a time: the tasks are numbered 0, 1, 2, ... in the
 * order of cpu_workers_start, and task i has index i % max_tasks. Worker 0 is the caller, who works
 * in cpu_workers_finish; every other worker has a thread. What a worker wrote in a step is visible
 * to all workers in the next one, and to the caller after cpu_workers_finish returned true.
 *
 * Lazy workers: the threads sleep while there is one task, which the caller does alone. A caller
 * that falls behind starts the next task before it has finished the first one, and so has their
 * help. Once awake, they go on while the caller does something else than wait in
 * cpu_workers_finish.
 *
 * One thread owns the workers. Where each worker can have a processor, none works on the caller's.
 */
#ifndef FFTD_FFT_CPU_THREADS_CPU_WORKERS_H
#define FFTD_FFT_CPU_THREADS_CPU_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

/* `task` is the index of the task: its number % max_tasks. */
struct cpu_task_ops {
    /* Does one part of the open step. */
    void (*run)(void *user, uint32_t worker, uint32_t task, uint32_t part);
    /* After one or more parts of a step: this worker takes no other part now. (optional) */
    void (*leave)(void *user, uint32_t worker, uint32_t task);
    /* All parts are done. Prepares the next step: returns its number of parts; 0: no more steps. */
    uint32_t (*next_step)(void *user, uint32_t worker, uint32_t task);
};

struct cpu_workers_config {
    uint32_t workers; /* with the caller; >= 1 */
    uint32_t max_tasks;
    bool in_order;     /* a task begins after the one before it has finished */
    bool lazy_workers; /* the threads wake up for a second unfinished task only */
    const struct cpu_task_ops *ops;
    void *user;
};

struct cpu_workers;

/*
 * 0, -ENOMEM, or why a thread could not be started. Not -EAGAIN: where the system's limit of
 * threads is reached, fewer workers, at least the caller, do the work.
 */
int cpu_workers_create(struct cpu_workers **out, const struct cpu_workers_config *config);
/* Waits for the parts that are being done; drops the others. NULL is fine. */
void cpu_workers_destroy(struct cpu_workers *w);

/* Opens the first step of the next task. Its index must be free: no task, or a finished one. */
void cpu_workers_start(struct cpu_workers *w, uint32_t parts);

/* No thread takes parts, and none is called: the caller does all of the work. Any worker. */
bool cpu_workers_alone(struct cpu_workers *w);

/*
 * Works on task `number` until it has finished: true. false after timeout_ms (< 0: for ever), but
 * not before one part was done if one was left to take.
 */
bool cpu_workers_finish(struct cpu_workers *w, uint64_t number, int timeout_ms);

#endif
