/* qpu_isa_setup.c - builds the setup words of the VPM and of its two DMA engines. */
#include "fft/qpu/qpu_isa.h"

enum { SIZE_32 = 2 };

uint32_t qpu_vpm_horizontal(uint32_t row)
{
    return 1u << 11 | SIZE_32 << 8 | (row & 63);
}

uint32_t qpu_vpm_vertical(uint32_t row, uint32_t column)
{
    return SIZE_32 << 8 | (row / 16 & 3) << 4 | (column & 15);
}

uint32_t qpu_vpm_setup(uint32_t count, uint32_t step, uint32_t first)
{
    return (count & 15) << 20 | (step & 63) << 12 | first;
}

uint32_t qpu_vdw_setup(uint32_t rows, uint32_t words, uint32_t row, uint32_t column)
{
    return 2u << 30 | (rows & 127) << 23 | (words & 127) << 16 | 1u << 14 | (row & 63) << 7 |
           (column & 15) << 3;
}

uint32_t qpu_vdw_stride(uint32_t gap)
{
    return 3u << 30 | (gap & 0xffff);
}

uint32_t qpu_vdr_setup(uint32_t pitch, uint32_t words, uint32_t rows, uint32_t step, uint32_t row,
                       uint32_t column)
{
    return 1u << 31 | (pitch & 15) << 24 | (words & 15) << 20 | (rows & 15) << 16 |
           (step & 15) << 12 | (row & 63) << 4 | (column & 15);
}

uint32_t qpu_vdr_stride(uint32_t bytes)
{
    return 9u << 28 | (bytes & 0x1fff);
}
