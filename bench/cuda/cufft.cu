/* cufft.cu - the pipelines around cuFFT. */
#include "bench/cuda/cufft.h"

#include <dlfcn.h>

namespace
{

/* cuFFT's C interface (NVIDIA, "cuFFT API reference"). */
enum { forward = -1, c2c = 0x29 };
int (*plan_many)(int *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                 int ostride, int odist, int type, int batch);
int (*set_stream)(int plan, cudaStream_t stream);
int (*execute)(int plan, float2 *from, float2 *to, int direction);
int (*destroy)(int plan);

template <class Function> bool find(void *library, Function &function, const char *name)
{
    function = (Function)dlsym(library, name);
    return function != nullptr;
}

struct plan {
    int handle = 0;
    plan(uint32_t n, size_t count, cudaStream_t stream)
    {
        int length = (int)n;
        if (plan_many(&handle, 1, &length, nullptr, 1, length, nullptr, 1, length, c2c,
                      (int)(count / n)) != 0 ||
            set_stream(handle, stream) != 0) {
            fprintf(stderr, "cufft: no plan for n = %u\n", n);
            exit(1);
        }
    }
    ~plan()
    {
        destroy(handle);
    }
    plan(const plan &) = delete;
    void run(float2 *from, float2 *to) const
    {
        if (execute(handle, from, to, forward) != 0)
            exit(1);
    }
};

/* Converts two samples a thread. */
__global__ void unpack(const int2 *from, const float2 *window, float4 *to, size_t pairs,
                       uint32_t pair_mask)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= pairs)
        return;
    const int2 x = from[i];
    const float2 w = __ldg(window + (i & pair_mask));
    to[i] = make_float4((short)x.x * w.x, (short)(x.x >> 16) * w.x, (short)x.y * w.y,
                        (short)(x.y >> 16) * w.y);
}

__global__ void power(const float2 *from, float *lines, uint32_t n, uint32_t line_frames,
                      size_t bins)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= bins)
        return;
    const float2 *bin = from + i / n * n * line_frames + i % n;
    float sum = 0;
#pragma unroll 8
    for (uint32_t f = 0; f < line_frames; f++, bin += n)
        sum += bin->x * bin->x + bin->y * bin->y;
    lines[i] = sum;
}

struct pipeline {
    const char *samples;
    size_t count, chunk;
    const float *window;
    uint32_t n, line_frames;
    float *lines;
    float2 *middle[2];

    void enqueue(const plan &p, float2 *buffer, size_t first, cudaStream_t stream) const
    {
        const size_t pairs = chunk / 2, bins = chunk / line_frames;
        unpack<<<(unsigned)((pairs + 255) / 256), 256, 0, stream>>>(
            (const int2 *)(samples + 4 * first), (const float2 *)window, (float4 *)buffer, pairs,
            n / 2 - 1);
        p.run(buffer, buffer);
        power<<<(unsigned)((bins + 255) / 256), 256, 0, stream>>>(
            buffer, lines + first / line_frames, n, line_frames, bins);
    }
};

/* Runs all chunks as one graph on one or two streams. */
double graph_rate(cudaStream_t stream, const pipeline &job, int streams)
{
    cudaStream_t other;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    GPU(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    GPU(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    GPU(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    double ms;
    {
        const plan first(job.n, job.chunk, stream), second(job.n, job.chunk, other);
        GPU(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        GPU(cudaEventRecord(fork, stream));
        GPU(cudaStreamWaitEvent(other, fork, 0));
        size_t number = 0;
        for (size_t at = 0; at < job.count; at += job.chunk, number++) {
            const bool second_turn = streams == 2 && number % 2 == 1;
            job.enqueue(second_turn ? second : first, job.middle[second_turn], at,
                        second_turn ? other : stream);
        }
        GPU(cudaEventRecord(join, other));
        GPU(cudaStreamWaitEvent(stream, join, 0));
        GPU(cudaStreamEndCapture(stream, &graph));
        GPU(cudaGraphInstantiate(&ready, graph, 0));
        ms = gpu_median_ms(stream, 5, [&] { GPU(cudaGraphLaunch(ready, stream)); });
        GPU(cudaGraphExecDestroy(ready));
        GPU(cudaGraphDestroy(graph));
    }
    GPU(cudaEventDestroy(fork));
    GPU(cudaEventDestroy(join));
    GPU(cudaStreamDestroy(other));
    return (double)job.count / ms / 1e6;
}

} // namespace

bool cufft_open()
{
    static const char *const names[] = {
        "libcufft.so.12", "/usr/local/cuda/lib64/libcufft.so.12",
        "/opt/torch/.venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcufft.so.12",
        "libcufft.so.11"};
    void *library = nullptr;
    for (const char *name : names)
        if (!library)
            library = dlopen(name, RTLD_NOW);
    return library && find(library, plan_many, "cufftPlanMany") &&
           find(library, set_stream, "cufftSetStream") && find(library, execute, "cufftExecC2C") &&
           find(library, destroy, "cufftDestroy");
}

double cufft_spectrum_rate(cudaStream_t stream, const void *samples, size_t count,
                           const float *window, uint32_t n, uint32_t line_frames, float *lines)
{
    double best = 0;
    const size_t line = (size_t)n * line_frames;
    for (size_t chunk : {(size_t)1 << 21, (size_t)1 << 23, (size_t)1 << 25, count}) {
        if (chunk < line || count % chunk != 0)
            continue;
        gpu_block a(chunk * sizeof(float2)), b(chunk * sizeof(float2));
        const pipeline job = {
            (const char *)samples,           count, chunk, window, n, line_frames, lines,
            {(float2 *)a.at, (float2 *)b.at}};
        for (int streams = 1; streams <= 2; streams++)
            best = std::max(best, graph_rate(stream, job, streams));
    }
    return best;
}

void cufft_plain(cudaStream_t stream, float2 *from, float2 *to, size_t count, uint32_t n)
{
    const plan p(n, count, stream);
    p.run(from, to);
    GPU(cudaStreamSynchronize(stream));
}

double cufft_plain_rate(cudaStream_t stream, float2 *from, float2 *to, size_t count, uint32_t n)
{
    const plan p(n, count, stream);
    const double ms = gpu_median_ms(stream, 9, [&] { p.run(from, to); });
    return (double)count / ms / 1e6;
}
