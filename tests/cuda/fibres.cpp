/* fibres.cpp - threads of a block on one CPU thread: each runs up to its next barrier, in turn. */
#include "fibres.h"

#include <ucontext.h>

#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "shim.h"

shim_index threadIdx, blockIdx, blockDim, gridDim;

namespace
{

constexpr size_t stack_bytes = 256 * 1024, guard_bytes = 4096;
constexpr unsigned warp = 32;

struct fibre {
    ucontext_t context;
    std::unique_ptr<unsigned char[]> stack;
    bool done;
};

/* Threads that meet: how many have come, and how often all have. */
struct barrier {
    unsigned arrived, turns;
};

struct copy {
    void *to;
    const void *from;
    unsigned bytes, landed;
    bool flying;
};

ucontext_t scheduler;
std::vector<fibre> fibres;
std::vector<unsigned char> memory;
std::map<int, barrier> barriers; /* -1 the block, -2 - w warp w, else a row */
std::map<const void *, copy> copies;
void (*the_body)(const void *);
const void *the_argument;
bool progress;

void pause()
{
    const unsigned self = threadIdx.x;
    swapcontext(&fibres[self].context, &scheduler);
    threadIdx.x = self;
}

void meet(int name, unsigned members)
{
    barrier &here = barriers[name];
    const unsigned turn = here.turns;
    progress = true;
    if (++here.arrived == members) {
        here.arrived = 0;
        here.turns++;
        return;
    }
    while (here.turns == turn)
        pause();
    progress = true;
}

void enter()
{
    the_body(the_argument);
    fibres[threadIdx.x].done = true;
    progress = true;
}

void start(unsigned i)
{
    fibre &f = fibres[i];
    if (!f.stack)
        f.stack.reset(new unsigned char[stack_bytes]);
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = stack_bytes;
    f.context.uc_link = &scheduler;
    makecontext(&f.context, enter, 0);
    f.done = false;
}

bool guards_hold()
{
    for (size_t i = 0; i < guard_bytes; i++)
        if (memory[i] != 0xa5 || memory[memory.size() - 1 - i] != 0xa5)
            return false;
    return true;
}

} // namespace

unsigned char *shim_shared()
{
    return memory.data() + guard_bytes;
}

void __syncthreads()
{
    meet(-1, blockDim.x);
}

void __syncwarp()
{
    const unsigned number = threadIdx.x / warp, first = number * warp;
    meet(-2 - (int)number, blockDim.x - first < warp ? blockDim.x - first : warp);
}

void shim_row_barrier(int row, int threads)
{
    meet(row, (unsigned)threads);
}

void bulk_open(uint64_t *barrier)
{
    copies[barrier] = copy{};
}

void bulk_copy(void *to, const void *from, unsigned bytes, uint64_t *barrier)
{
    copy &c = copies.at(barrier);
    if (c.flying || ((uintptr_t)to | (uintptr_t)from | bytes) % 16 != 0)
        memory[0] = 0; /* reported as a write outside */
    c = {to, from, bytes, c.landed, true};
    memset(to, 0xff, bytes);
}

void bulk_wait(uint64_t *barrier, unsigned turn)
{
    copy &c = copies.at(barrier);
    while (c.landed == turn && !c.flying)
        pause();
    if (c.landed == turn) {
        memcpy(c.to, c.from, c.bytes);
        c.flying = false;
        c.landed++;
        progress = true;
    }
}

const char *fibres_run(unsigned threads, size_t shared, void (*body)(const void *),
                       const void *argument)
{
    memory.assign(shared + 2 * guard_bytes, 0xa5);
    memset(shim_shared(), 0xff, shared);
    barriers.clear();
    copies.clear();
    the_body = body;
    the_argument = argument;
    blockDim = {threads, 1, 1};
    if (fibres.size() < threads)
        fibres.resize(threads);
    for (unsigned i = 0; i < threads; i++)
        start(i);

    for (unsigned running = threads; running > 0;) {
        progress = false;
        running = 0;
        for (unsigned i = 0; i < threads; i++) {
            if (fibres[i].done)
                continue;
            threadIdx = {i, 0, 0};
            swapcontext(&scheduler, &fibres[i].context);
            running += !fibres[i].done;
        }
        if (running > 0 && !progress)
            return "some threads wait at a barrier that the others never reach";
    }
    return guards_hold() ? nullptr : "a write outside of shared memory, or an invalid bulk copy";
}
