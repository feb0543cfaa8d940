/*
 * memory_limit.h - limits a process's memory with a control group of its own (memory.max, or
 * memory.limit_in_bytes in version 1), where the user may make one.
 */
#ifndef FFTD_STUDIES_FOUR_EASY_WAYS_MEMORY_LIMIT_H
#define FFTD_STUDIES_FOUR_EASY_WAYS_MEMORY_LIMIT_H

#include <stddef.h>

struct memory_limit {
    char folder[400];
};

/* -EACCES, -ENOENT, ...: no such group can be made. Call finish only after a success. */
int memory_limit_init(struct memory_limit *m, size_t bytes);
int memory_limit_enter(
    const struct memory_limit *m); /* moves the calling process into the group, for good */
void memory_limit_finish(struct memory_limit *m); /* after all of its processes have ended */

#endif
