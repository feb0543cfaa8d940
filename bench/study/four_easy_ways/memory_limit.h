/*
 * memory_limit.h - a process with little memory: a control group of its own (memory.max, or
 * memory.limit_in_bytes of the first version) where one may be made.
 */
#ifndef FFTD_BENCH_STUDY_FOUR_EASY_WAYS_MEMORY_LIMIT_H
#define FFTD_BENCH_STUDY_FOUR_EASY_WAYS_MEMORY_LIMIT_H

#include <stddef.h>

struct memory_limit {
    char folder[400];
};

/* -EACCES, -ENOENT, ...: no such group may be made here; finish follows only after a success. */
int memory_limit_init(struct memory_limit *m, size_t bytes);
int memory_limit_enter(const struct memory_limit *m); /* the calling process, for good */
void memory_limit_finish(struct memory_limit *m);     /* every process of it gone */

#endif
