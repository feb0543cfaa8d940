/*
 * memory.h - how much memory this process may still take: of the machine, and of its control group.
 *
 * Reads /proc and the files of cgroup v2 or v1 on each call; no privileges are needed. Any thread.
 */
#ifndef FFTD_DAEMON_SYSTEM_MEMORY_H
#define FFTD_DAEMON_SYSTEM_MEMORY_H

#include <stdint.h>

struct memory_limits {
    uint64_t total;     /* bytes that processes may use together */
    uint64_t available; /* bytes of them that are free now, or hold files that can be read again */
    const char *owner;  /* whose limit is the closest: "this machine", "the control group" */
};

struct memory_limits memory_limits(void);

/* For tests: other folders for /proc and /sys/fs/cgroup (NULL: as in the system), and limits that
 * memory_limits returns from then on (NULL: the real one). */
struct memory_limits memory_limits_of(const char *proc, const char *cgroup);
void memory_set_limits(const struct memory_limits *limits);

#endif
