/* stores.cpp - counts the memory sectors that the stores of a warp touch (emulate.h). */
#include "emulate/cuda/stores.h"

#include <algorithm>
#include <map>
#include <set>
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
