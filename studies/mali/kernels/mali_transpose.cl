/*
 * mali_transpose.cl - transposes [height][width] into [width][height], for images of which only
 * rows can be transformed (M. Pflanzer, the third part of the document of mali_digit_reverse.cl,
 * begins with that). A work-item moves one point. transpose_tile goes through local memory, so that
 * both sides are accessed in runs. Dimension 0: width; dimension 1: height; dimension 2: images.
 * Work-groups are TILE x TILE.
 */
#define TILE 16

__kernel void transpose(__global const float2 *in, __global float2 *out, uint width, uint height)
{
    const uint x = get_global_id(0), y = get_global_id(1);
    const uint image = get_global_id(2) * width * height;
    if (x < width && y < height)
        out[image + x * height + y] = in[image + y * width + x];
}

__kernel void transpose_tile(__global const float2 *in, __global float2 *out, uint width,
                             uint height)
{
    __local float2 tile[TILE][TILE + 1];
    const uint image = get_global_id(2) * width * height, i = get_local_id(0), j = get_local_id(1);
    const uint x = get_group_id(0) * TILE, y = get_group_id(1) * TILE;
    if (x + i < width && y + j < height)
        tile[j][i] = in[image + (y + j) * width + x + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x + j < width && y + i < height)
        out[image + (x + j) * height + y + i] = tile[i][j];
}
