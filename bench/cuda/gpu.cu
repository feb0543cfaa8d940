/* gpu.cu - medians by events, random memory and copy rates on the device. */
#include "bench/cuda/gpu.h"

namespace
{

__device__ uint32_t mixed(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

__global__ void fill_bits(uint32_t *to, size_t count, uint32_t seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = mixed((uint32_t)i * 2654435761U + seed + (uint32_t)(i >> 32));
}

__global__ void fill_floats(float *to, size_t count, uint32_t seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = (float)(int)mixed((uint32_t)i * 2654435761U + seed) / 2147483648.0F;
}

__global__ void count_differing(const uint32_t *a, const uint32_t *b, size_t count,
                                unsigned long long *differing)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        if (a[i] != b[i])
            atomicAdd(differing, 1ULL);
}

__global__ void copy_all(const uint4 *from, uint4 *to, size_t count)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        __stcs(to + i, __ldcs(from + i));
}

__global__ void read_all(const uint4 *from, size_t count, uint32_t *sink)
{
    uint32_t sum = 0;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (; i + 3 * step < count; i += 4 * step) {
        const uint4 a = __ldcs(from + i), b = __ldcs(from + i + step);
        const uint4 c = __ldcs(from + i + 2 * step), d = __ldcs(from + i + 3 * step);
        sum += a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w;
        sum += c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
    }
    if (sum == 0x12345678)
        *sink = sum; /* keeps the compiler from removing the loads */
}

} // namespace

double gpu_median_ms(cudaStream_t stream, int runs, const std::function<void()> &work)
{
    cudaEvent_t begin, end;
    std::vector<float> times;
    GPU(cudaEventCreate(&begin));
    GPU(cudaEventCreate(&end));
    /* A GPU lowers its clock while idle: this keeps it busy before the measurement. */
    const float enough_ms = getenv("WARM_MS") ? (float)atof(getenv("WARM_MS")) : 60;
    for (float warm_ms = 0; warm_ms < enough_ms;) {
        float ms = 0;
        GPU(cudaEventRecord(begin, stream));
        work();
        GPU(cudaEventRecord(end, stream));
        GPU(cudaEventSynchronize(end));
        GPU(cudaEventElapsedTime(&ms, begin, end));
        warm_ms += ms;
    }
    for (int i = 0; i < runs; i++) {
        float ms = 0;
        GPU(cudaEventRecord(begin, stream));
        work();
        GPU(cudaEventRecord(end, stream));
        GPU(cudaEventSynchronize(end));
        GPU(cudaEventElapsedTime(&ms, begin, end));
        times.push_back(ms);
    }
    GPU(cudaGetLastError());
    GPU(cudaEventDestroy(begin));
    GPU(cudaEventDestroy(end));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void gpu_fill_bits(void *to, size_t bytes, uint32_t seed)
{
    fill_bits<<<1024, 256>>>((uint32_t *)to, bytes / 4, seed);
    GPU(cudaDeviceSynchronize());
}

void gpu_fill_floats(void *to, size_t count, uint32_t seed)
{
    fill_floats<<<1024, 256>>>((float *)to, count, seed);
    GPU(cudaDeviceSynchronize());
}

size_t gpu_differing(const void *a, const void *b, size_t bytes)
{
    gpu_block counter(8);
    unsigned long long differing = 0;
    GPU(cudaMemset(counter.at, 0, 8));
    count_differing<<<1024, 256>>>((const uint32_t *)a, (const uint32_t *)b, bytes / 4,
                                   (unsigned long long *)counter.at);
    GPU(cudaMemcpy(&differing, counter.at, 8, cudaMemcpyDeviceToHost));
    return differing;
}

double gpu_copy_rate(cudaStream_t stream, size_t bytes)
{
    gpu_block from(bytes), to(bytes);
    gpu_fill_bits(from.at, bytes, 1);
    const size_t count = bytes / 16;
    const double ms = gpu_median_ms(stream, 9, [&] {
        copy_all<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>((uint4 *)from.at,
                                                                      (uint4 *)to.at, count);
    });
    return 2.0 * (double)bytes / ms / 1e6;
}

double gpu_read_rate(cudaStream_t stream, size_t bytes)
{
    gpu_block from(bytes), sink(256);
    gpu_fill_bits(from.at, bytes, 2);
    const double ms = gpu_median_ms(stream, 9, [&] {
        read_all<<<132 * 8, 512, 0, stream>>>((uint4 *)from.at, bytes / 16, (uint32_t *)sink.at);
    });
    return (double)bytes / ms / 1e6;
}
