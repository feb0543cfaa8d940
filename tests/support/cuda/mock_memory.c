/* mock_memory.c - mock driver: "device" memory is host memory full of NaN. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cuda/mock_internal.h"

/* The size of each block is stored in the 256 bytes before it, which keep it aligned. */
enum { HEAD = 256, MAX_REGIONS = 8 };

static size_t taken; /* bytes of device memory */

static struct {
    char *at;
    size_t bytes;
} regions[MAX_REGIONS]; /* registered */

static volatile char mock_read;

static void *pointer(cuda_address address)
{
    return (void *)(uintptr_t)address;
}

static void *take(size_t bytes)
{
    unsigned char *memory = aligned_alloc(HEAD, (bytes + 3 * HEAD - 1) / HEAD * HEAD);
    memset(memory, 0xFF, (bytes + 3 * HEAD - 1) / HEAD * HEAD);
    memcpy(memory, &bytes, sizeof bytes);
    mock_cuda.alive++;
    return memory + HEAD;
}

static size_t give(void *memory)
{
    size_t bytes;
    memcpy(&bytes, (char *)memory - HEAD, sizeof bytes);
    for (size_t i = bytes; i < bytes + HEAD; i++)
        if (((unsigned char *)memory)[i] != 0xFF) {
            fprintf(stderr, "mock driver: a write after a block of %zu bytes\n", bytes);
            abort();
        }
    free((char *)memory - HEAD);
    mock_cuda.alive--;
    return bytes;
}

CALL(cuMemAlloc_v2, cuda_address *address, size_t bytes)
{
    ENTER;
    if (bytes == 0 || mock_here() < 0)
        return 1;
    if (bytes > mock_cuda.memory - taken)
        return CUDA_OUT_OF_MEMORY;
    taken += bytes;
    *address = (cuda_address)(uintptr_t)take(bytes);
    return CUDA_OK;
}

CALL(cuMemFree_v2, cuda_address address)
{
    ALONE;
    taken -= give(pointer(address));
    return CUDA_OK;
}

CALL(cuMemHostAlloc, void **memory, size_t bytes, unsigned flags)
{
    ENTER;
    if (bytes == 0 || mock_here() < 0 || !(flags & CUDA_HOST_PORTABLE))
        return 1;
    *memory = take(bytes);
    mock_cuda.host += bytes;
    return CUDA_OK;
}

CALL(cuMemFreeHost, void *memory)
{
    ALONE;
    mock_cuda.host -= give(memory);
    return CUDA_OK;
}

CALL(cuMemHostRegister_v2, void *memory, size_t bytes, unsigned flags)
{
    ENTER;
    size_t i = 0;
    if (mock_cuda.unpinned || !(flags & CUDA_HOST_PORTABLE))
        return 1;
    for (size_t k = 0; k < MAX_REGIONS; k++)
        if (regions[k].at == memory)
            return 712; /* CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED */
    while (i < MAX_REGIONS && regions[i].at)
        i++;
    if (i == MAX_REGIONS)
        abort();
    regions[i].at = memory;
    regions[i].bytes = bytes;
    mock_cuda.registered++;
    mock_cuda.did.pinned++;
    return CUDA_OK;
}

CALL(cuMemHostUnregister, void *memory)
{
    ALONE;
    for (size_t i = 0; i < MAX_REGIONS; i++) {
        if (regions[i].at == memory) {
            mock_read = regions[i].at[regions[i].bytes - 1]; /* it must still be mapped */
            regions[i].at = NULL;
            mock_cuda.registered--;
            return CUDA_OK;
        }
    }
    return 1;
}

CALL(cuMemHostGetDevicePointer_v2, cuda_address *address, void *memory, unsigned flags)
{
    ENTER;
    *address = (cuda_address)(uintptr_t)memory;
    return flags == 0 ? CUDA_OK : 1;
}

/* A transfer that touches a registered region must be entirely inside it. */
static bool straddles(const char *from, size_t bytes)
{
    for (size_t i = 0; i < MAX_REGIONS; i++) {
        const char *end = regions[i].at + regions[i].bytes;
        if (regions[i].at && from < end && from + bytes > regions[i].at &&
            (from < regions[i].at || from + bytes > end))
            return true;
    }
    return false;
}

CALL(cuMemcpyHtoDAsync_v2, cuda_address to, const void *from, size_t bytes,
     struct CUstream_st *stream)
{
    ENTER;
    if (straddles(from, bytes) || stream->device != mock_here())
        return 1;
    mock_cuda.did.copies_in++;
    mock_cuda.did.bytes_in += bytes;
    queue_add(stream,
              &(struct op){.kind = OP_COPY, .to = pointer(to), .from = from, .bytes = bytes});
    return CUDA_OK;
}

CALL(cuMemcpyDtoHAsync_v2, void *to, cuda_address from, size_t bytes, struct CUstream_st *stream)
{
    ENTER;
    mock_cuda.did.bytes_out += bytes;
    queue_add(stream,
              &(struct op){.kind = OP_COPY, .to = to, .from = pointer(from), .bytes = bytes});
    return CUDA_OK;
}

CALL(cuMemcpyDtoDAsync_v2, cuda_address to, cuda_address from, size_t bytes,
     struct CUstream_st *stream)
{
    ENTER;
    const cuda_address apart = to > from ? to - from : from - to;
    if (apart < bytes)
        return 1; /* overlap: undefined in the driver */
    mock_cuda.did.bytes_within += bytes;
    queue_add(
        stream,
        &(struct op){.kind = OP_COPY, .to = pointer(to), .from = pointer(from), .bytes = bytes});
    return CUDA_OK;
}
