/* stores.cpp - counts the memory sectors that the stores of a warp touch, and the banks of shared
 * memory that its accesses meet in (emulate.h). */
#include "emulate/cuda/stores.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "emulate/cuda/emulate.h"
#include "emulate/cuda/shim.h"

namespace
{

constexpr unsigned warp = 32, sector_bytes = 32, most_threads = 1024;

struct emulate_stores total;
/* Of the running block. A warp's n-th stores make one request: all its threads run the same code.
 */
uint64_t block_bytes;
std::vector<unsigned> stores_of_thread(most_threads);
std::map<std::pair<unsigned, unsigned>, std::set<uintptr_t>> sectors;

} // namespace

void stores_begin_launch()
{
    total = {};
}

void stores_end_block()
{
    for (const auto &request : sectors)
        total.sectors += request.second.size();
    total.bytes += block_bytes;
    total.block_bytes = std::max(total.block_bytes, block_bytes);
    block_bytes = 0;
    sectors.clear();
    std::fill(stores_of_thread.begin(), stores_of_thread.end(), 0);
}

void shim_note_store(const void *at, unsigned bytes)
{
    std::set<uintptr_t> &request = sectors[{threadIdx.x / warp, stores_of_thread[threadIdx.x]++}];
    block_bytes += bytes;
    for (uintptr_t byte = 0; byte < bytes; byte++)
        request.insert(((uintptr_t)at + byte) / sector_bytes);
}

struct emulate_stores emulate_last_stores(void)
{
    return total;
}

namespace
{

constexpr unsigned banks = 32, word_bytes = 4;

struct emulate_shared shared_total;
std::vector<unsigned> accesses_of_thread(most_threads);
/* The words of each bank, of a request: warp, number of the access, and part of the warp. */
struct request {
    std::set<uintptr_t> words[banks];
};
std::map<std::tuple<unsigned, unsigned, unsigned>, request> requests;

} // namespace

void shim_note_shared(const void *at, unsigned bytes)
{
    const unsigned lane = threadIdx.x % warp,
                   lanes = warp * word_bytes / bytes; /* served at once */
    request &r = requests[{threadIdx.x / warp, accesses_of_thread[threadIdx.x]++, lane / lanes}];
    for (uintptr_t word = (uintptr_t)at / word_bytes; word < ((uintptr_t)at + bytes) / word_bytes;
         word++)
        r.words[word % banks].insert(word);
    shared_total.bytes += bytes;
}

void shared_begin_launch()
{
    shared_total = {};
}

void shared_end_block()
{
    for (const auto &[key, r] : requests) {
        size_t steps = 0;
        for (const std::set<uintptr_t> &words : r.words)
            steps = std::max(steps, words.size());
        shared_total.steps += steps;
    }
    requests.clear();
    std::fill(accesses_of_thread.begin(), accesses_of_thread.end(), 0);
}

struct emulate_shared emulate_last_shared(void)
{
    return shared_total;
}
