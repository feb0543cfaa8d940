/*
 * fibres.cpp - runs the threads of a cluster of blocks on one CPU thread: each fibre runs up to its
 * next barrier.
 */
#include "emulate/cuda/fibres.h"

#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "emulate/cuda/context.h"
#include "emulate/cuda/shim.h"

shim_index threadIdx, blockIdx, blockDim, gridDim;

namespace
{

constexpr size_t stack_bytes = 256 * 1024, guard_bytes = 4096;
/* Stacks begin at different lines of the cache. */
constexpr size_t colours = 64, colour_bytes = 256 + 64;
constexpr unsigned warp = 32;

struct copy {
    void *to;
    const void *from;
    std::vector<unsigned char> bytes; /* when it was requested */
};

struct fibre {
    context saved; /* while another runs */
    std::unique_ptr<unsigned char[]> stack;
    shim_index thread, block;
    unsigned rank; /* of the block in its cluster */
    bool done;
    bool written;                        /* its writes may be stored by bulk copies */
    std::vector<copy> in_flight, stores; /* unit copies; bulk copies from shared memory */
};

/* A barrier: threads that have arrived, and completed rounds. */
struct barrier {
    unsigned arrived, rounds;
};

/* A barrier in halves: a phase is complete after so many arrivals. */
struct split_barrier {
    unsigned members, arrived, completed;
};

/* A barrier of copies: a phase is complete after so many. */
struct copy_barrier {
    unsigned copies, completed;
    std::vector<copy> in_flight;
};

context scheduler;
std::vector<fibre> fibres;
std::vector<std::vector<unsigned char>> memory; /* of each block */
/* Barriers by block rank (or `cluster`) and name: -1 the block, -2 - w warp w, else a group. */
std::map<std::pair<unsigned, int>, barrier> barriers;
constexpr unsigned cluster = ~0U;
unsigned current; /* the running fibre */
std::map<const void *, copy_barrier> copies;
std::map<const void *, split_barrier> split_barriers;
void (*the_body)(const void *);
const void *the_argument;
bool progress;

void resume(unsigned i)
{
    current = i;
    threadIdx = fibres[i].thread;
    blockIdx = fibres[i].block;
    context_switch(&scheduler, &fibres[i].saved);
}

void pause()
{
    context_switch(&fibres[current].saved, &scheduler);
}

void meet(unsigned rank, int name, unsigned members, bool waits = true)
{
    barrier &here = barriers[{rank, name}];
    const unsigned round = here.rounds;
    progress = true;
    if (++here.arrived == members) {
        here.arrived = 0;
        here.rounds++;
        return;
    }
    while (waits && here.rounds == round)
        pause();
    progress = true;
}

void enter()
{
    the_body(the_argument);
    fibres[current].done = true;
    progress = true;
    pause();
}

void start(unsigned i, unsigned threads, shim_index first_block)
{
    fibre &f = fibres[i];
    f.rank = i / threads;
    f.thread = {i % threads, 0, 0};
    f.block = {first_block.x + f.rank, first_block.y, first_block.z};
    if (!f.stack)
        f.stack.reset(new unsigned char[stack_bytes]);
    context_init(&f.saved, f.stack.get(), stack_bytes - i % colours * colour_bytes, enter);
    f.done = f.written = false;
    f.in_flight.clear();
    f.stores.clear();
}

bool guards_hold()
{
    for (const std::vector<unsigned char> &m : memory)
        for (size_t i = 0; i < guard_bytes; i++)
            if (m[i] != 0xa5 || m[m.size() - 1 - i] != 0xa5)
                return false;
    return true;
}

} // namespace

unsigned char *shim_shared()
{
    return memory[fibres[current].rank].data() + guard_bytes;
}

unsigned shim_cluster_rank()
{
    return fibres[current].rank;
}

void *shim_cluster_shared(void *mine, unsigned rank)
{
    return memory[rank].data() + guard_bytes + ((unsigned char *)mine - shim_shared());
}

void shim_cluster_barrier()
{
    meet(cluster, 0, blockDim.x * (unsigned)memory.size());
}

size_t shim_shared_bytes()
{
    return memory[0].size() - 2 * guard_bytes;
}

void __syncthreads()
{
    meet(shim_cluster_rank(), -1, blockDim.x);
}

void __syncwarp()
{
    const unsigned number = threadIdx.x / warp, first = number * warp;
    meet(shim_cluster_rank(), -2 - (int)number,
         blockDim.x - first < warp ? blockDim.x - first : warp);
}

float shim_from_lane(float v, int mask)
{
    static std::vector<float> lanes; /* of all blocks of the cluster */
    lanes.resize(fibres.size());
    lanes[current] = v;
    __syncwarp();
    const float other = lanes[current ^ (unsigned)mask];
    __syncwarp();
    return other;
}

void shim_group_barrier(int number, int threads)
{
    meet(shim_cluster_rank(), number, (unsigned)threads);
}

static copy requested(void *to, const void *from, unsigned bytes)
{
    const unsigned char *first = (const unsigned char *)from;
    return {to, from, {first, first + bytes}};
}

static void complete(std::vector<copy> &all)
{
    for (const copy &one : all) {
        if (memcmp(one.from, one.bytes.data(), one.bytes.size()) != 0)
            memory[0][0] = 0; /* a device might have read either */
        memcpy(one.to, one.bytes.data(), one.bytes.size());
    }
    all.clear();
}

void shim_meet(int number, int threads, bool waits)
{
    meet(shim_cluster_rank(), number, (unsigned)threads, waits);
}

void shim_split_open(uint64_t *barrier, unsigned arrivals)
{
    split_barriers[barrier] = split_barrier{arrivals, 0, 0};
}

void shim_split_arrive(uint64_t *barrier)
{
    split_barrier &b = split_barriers.at(barrier);
    progress = true;
    if (++b.arrived == b.members) {
        b.arrived = 0;
        b.completed++;
    }
}

void shim_split_wait(uint64_t *barrier, unsigned phase)
{
    const split_barrier &b = split_barriers.at(barrier);
    while (b.completed == phase)
        pause();
    progress = true;
    if (b.completed != phase + 1)
        memory[0][0] = 0; /* a device takes the phase after next for this one */
}

void bulk_open(uint64_t *barrier, unsigned count)
{
    copies[barrier] = copy_barrier{count, 0, {}};
}

void bulk_copy(void *to, const void *from, unsigned bytes, uint64_t *barrier)
{
    copy_barrier &c = copies.at(barrier);
    if (c.in_flight.size() == c.copies || ((uintptr_t)to | (uintptr_t)from | bytes) % 16 != 0)
        memory[0][0] = 0; /* reported as a write outside shared memory */
    c.in_flight.push_back(requested(to, from, bytes));
    memset(to, 0xff, bytes);
}

void bulk_prefetch(const void *from, unsigned bytes)
{
    volatile const char *at = (const char *)from;
    if (bytes % 16 != 0)
        memory[0][0] = 0;
    for (unsigned i = 0; i < bytes; i += 16)
        (void)at[i];
}

void bulk_wait(uint64_t *barrier, unsigned phase)
{
    copy_barrier &c = copies.at(barrier);
    while (c.completed == phase && c.in_flight.size() < c.copies)
        pause();
    if (c.completed == phase) {
        complete(c.in_flight);
        c.completed++;
        progress = true;
    }
}

void shim_counter_raise(uint32_t *counter)
{
    progress = true;
    ++*counter;
}

void shim_counter_wait(const uint32_t *counter, uint32_t least)
{
    while (*(const volatile uint32_t *)counter < least)
        pause();
    progress = true;
}

void bulk_store(void *to, const void *from, unsigned bytes)
{
    bool valid = ((uintptr_t)to | (uintptr_t)from | bytes) % 16 == 0;
    for (const fibre &f : fibres)
        valid &= f.rank != fibres[current].rank || f.done || f.written;
    if (!valid)
        memory[0][0] = 0;
    fibres[current].stores.push_back(requested(to, from, bytes));
}

void bulk_written()
{
    fibres[current].written = true;
}

void bulk_stored()
{
    complete(fibres[current].stores);
}

void unit_copy(void *to, const void *from)
{
    if (((uintptr_t)to | (uintptr_t)from) % 16 != 0)
        memory[0][0] = 0;
    fibres[current].in_flight.push_back(requested(to, from, 16));
    memset(to, 0xff, 16);
}

void unit_wait()
{
    complete(fibres[current].in_flight);
}

const char *fibres_run(unsigned blocks, unsigned threads, size_t shared, void (*body)(const void *),
                       const void *argument)
{
    const unsigned count = blocks * threads;
    const shim_index first = blockIdx;
    memory.assign(blocks, std::vector<unsigned char>(shared + 2 * guard_bytes, 0xa5));
    for (std::vector<unsigned char> &m : memory)
        memset(m.data() + guard_bytes, 0xff, shared);
    barriers.clear();
    copies.clear();
    split_barriers.clear();
    the_body = body;
    the_argument = argument;
    blockDim = {threads, 1, 1};
    if (fibres.size() < count)
        fibres.resize(count);
    for (unsigned i = 0; i < count; i++)
        start(i, threads, first);

    for (unsigned running = count; running > 0;) {
        progress = false;
        running = 0;
        for (unsigned i = 0; i < count; i++) {
            if (fibres[i].done)
                continue;
            resume(i);
            running += !fibres[i].done;
        }
        if (running > 0 && !progress)
            return "some threads wait at a barrier that the others never reach";
    }
    return guards_hold() ? nullptr
                         : "a write outside of shared memory, an invalid bulk copy, or a wait that "
                           "is too late";
}
