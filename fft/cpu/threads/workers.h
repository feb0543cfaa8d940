/*
 * workers.h - threads that each do their part of every item, in order, and may meet on the way.
 *
 * Items are numbered 0, 1, 2, ...; work(user, worker, item) is called once for every worker but the
 * first and every item, by that worker's own thread, items in order. Worker 0 is the caller: it
 * does its own part of an item between crew_push and crew_wait, when it likes. What the caller
 * wrote before crew_push is visible to work, and what work wrote is visible to the caller after
 * crew_wait said true. One thread owns the crew. Where each worker can have a processor, none works
 * on the caller's.
 */
#ifndef FFTD_FFT_CPU_THREADS_WORKERS_H
#define FFTD_FFT_CPU_THREADS_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

typedef void crew_work(void *user, uint32_t worker, uint64_t item);

struct crew;

int crew_create(struct crew **out, uint32_t workers, crew_work *work, void *user);
/* NULL is fine. Items that were not begun are dropped, those that were may end at a meeting. */
void crew_destroy(struct crew *c);
void crew_push(struct crew *c); /* the next item may be worked on */
/* Until every other worker has done `item`: true, or false after timeout_ms (< 0: for ever). */
bool crew_wait(struct crew *c, uint64_t item, int timeout_ms);

/*
 * Called by every worker, in an item, the same number of times: returns when all have come. What
 * any of them wrote before is visible to all behind it. false: the crew is being destroyed; leave
 * the item.
 */
bool crew_meet(struct crew *c, uint32_t worker);

#endif
