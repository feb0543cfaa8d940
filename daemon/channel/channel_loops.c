/* channel_loops.c - the instruction sets of the loops of a bank. */
#include "daemon/channel/channel_loops.h"

#include <stdbool.h>

extern const struct channel_loops channel_loops_base;

#ifdef __x86_64__
extern const struct channel_loops channel_loops_avx2;

const struct channel_loops *channel_loops_at(size_t i)
{
    const struct channel_loops *const all[] = {&channel_loops_avx2, &channel_loops_base, NULL};
    const size_t best = __builtin_cpu_supports("avx2") ? 0 : 1;
    return best + i < 3 ? all[best + i] : NULL;
}
#else
const struct channel_loops *channel_loops_at(size_t i)
{
    return i == 0 ? &channel_loops_base : NULL;
}
#endif
