/*
 * crew.h - threads that each do their part of every item, in order.
 *
 * Items are numbered 0, 1, 2, ...; work(user, worker, item) is called once for every worker and
 * item, by that worker's own thread, items in order. What the caller wrote before crew_push is
 * visible to work, and what work wrote is visible to the caller after crew_wait said true. One
 * thread owns the crew and calls everything below.
 */
#ifndef FFTD_FFT_CPU_CREW_H
#define FFTD_FFT_CPU_CREW_H

#include <stdbool.h>
#include <stdint.h>

typedef void crew_work(void *user, uint32_t worker, uint64_t item);

struct crew;

int crew_create(struct crew **out, uint32_t workers, crew_work *work, void *user);
void crew_destroy(struct crew *c); /* NULL is fine; items that were not begun are dropped */
void crew_push(struct crew *c);    /* the next item may be worked on */
/* Until every worker has done `item`: true, or false after timeout_ms (< 0: waits for ever). */
bool crew_wait(struct crew *c, uint64_t item, int timeout_ms);

#endif
