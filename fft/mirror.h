/*
 * mirror.h - a block of memory that may be mapped a second time directly after itself, as the ring
 * of samples is (struct fft_spectrum_config). Devices know its first mapping alone. Internal.
 */
#ifndef FFTD_FFT_MIRROR_H
#define FFTD_FFT_MIRROR_H

#include <stddef.h>

/*
 * Where a span that begins in either mapping begins in the first one; reduces *bytes to what
 * follows there. The rest begins at the start of the block.
 */
static inline const void *fft_mirror_piece(const void *block, size_t block_bytes, const void *span,
                                           size_t *bytes)
{
    size_t offset = (size_t)((const char *)span - (const char *)block);
    if (offset >= block_bytes)
        offset -= block_bytes;
    if (*bytes > block_bytes - offset)
        *bytes = block_bytes - offset;
    return (const char *)block + offset;
}

#endif
