/* cuda_pinned.c - allocates pinned host memory, pins existing memory and maps spans to it. */
#include "fft/cuda/cuda_pinned.h"

int cuda_pinned_alloc(struct cuda_pinned *p, const struct cuda_driver *d, size_t bytes,
                      struct fft_reason why)
{
    int result = d->host_alloc(&p->memory, bytes, CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED);
    if (result == CUDA_OK) {
        p->bytes = bytes;
        result = d->host_address(&p->address, p->memory, 0);
    }
    return cuda_check(d, result, "pinned memory", why);
}

void cuda_pinned_free(struct cuda_pinned *p, const struct cuda_driver *d)
{
    if (p->bytes)
        d->host_free(p->memory);
    *p = (struct cuda_pinned){0};
}

int cuda_pinned_register(struct cuda_pinned_region *r, const struct cuda_driver *d,
                         const void *memory, size_t bytes, struct fft_reason why)
{
    int result = d->host_register(memory, bytes, CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED);
    if (result == CUDA_OK) {
        *r = (struct cuda_pinned_region){memory, bytes, 0};
        if (d->host_address(&r->address, memory, 0) != CUDA_OK)
            r->address = 0;
    }
    return cuda_check(d, result, "the IQ ring cannot be pinned", why);
}

void cuda_pinned_unregister(struct cuda_pinned_region *r, const struct cuda_driver *d)
{
    if (r->bytes)
        d->host_unregister(r->memory);
    *r = (struct cuda_pinned_region){0};
}

bool cuda_pinned_contains(const struct cuda_pinned_region *r, const void *span, size_t bytes)
{
    const char *at = span;
    return at >= r->memory && at < r->memory + 2 * r->bytes &&
           bytes <= (size_t)(r->memory + 2 * r->bytes - at);
}

cuda_address cuda_pinned_address(const struct cuda_pinned_region *r, const void *span, size_t bytes)
{
    const char *at = span;
    if (!r->address || at < r->memory)
        return 0;
    size_t offset = (size_t)(at - r->memory);
    if (offset >= r->bytes)
        offset -= r->bytes;
    return offset < r->bytes && bytes <= r->bytes - offset ? r->address + offset : 0;
}
