/* cpu_affinity.c - moves a thread by narrowing its set of processors for a moment. */
#include "fft/cpu/threads/cpu_affinity.h"

#include <sched.h>

uint32_t cpu_affinity_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    const int count = CPU_COUNT(&set);
    return count > 0 ? (uint32_t)count : 1;
}

int cpu_affinity_current(void)
{
    return sched_getcpu();
}

int cpu_affinity_leave(int from)
{
    cpu_set_t all, others;
    if (from < 0 || from != sched_getcpu() || sched_getaffinity(0, sizeof all, &all) != 0)
        return -1;
    others = all;
    CPU_CLR((size_t)from, &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0)
        return -1;
    const int to = sched_getcpu();
    sched_setaffinity(0, sizeof all, &all);
    return to;
}
