/* launches.cu - loads kernels by name, and launches them as planned. */
#include "bench/cuda/launches.h"

#include <map>
#include <string>

cuda_facts facts;
cudaStream_t stream;

static std::string images;

void *kernel_of(const cuda_launch &launch)
{
    static std::map<std::string, cudaLibrary_t> libraries;
    static std::map<std::string, void *> kernels;
    void *&kernel = kernels[launch.kernel];
    if (!kernel) {
        cudaLibrary_t &library = libraries[launch.module];
        if (!library)
            GPU(cudaLibraryLoadFromFile(&library,
                                        (images + "/" + launch.module + ".fatbin").c_str(), nullptr,
                                        nullptr, 0, nullptr, nullptr, 0));
        cudaKernel_t found;
        GPU(cudaLibraryGetKernel(&found, library, launch.kernel));
        kernel = (void *)found;
        GPU(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)facts.shared_block));
    }
    return kernel;
}

static cudaLaunchAttribute cluster_of(const cuda_launch &l)
{
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {l.cluster, 1, 1};
    return cluster;
}

static cudaLaunchAttribute attribute_of(const cuda_launch &l)
{
    cudaLaunchAttribute together = {};
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    return l.together ? together : cluster_of(l);
}

void launch_one(const cuda_launch &l)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(l.grid[0], l.grid[1], l.grid[2]);
    config.blockDim = dim3(l.block);
    config.dynamicSmemBytes = l.shared;
    config.stream = stream;
    cudaLaunchAttribute attribute = attribute_of(l);
    config.attrs = &attribute;
    config.numAttrs = l.cluster > 1 || l.together;
    void *arguments[] = {(void *)&l.args};
    GPU(cudaLaunchKernelExC(&config, kernel_of(l), arguments));
}

void limit_clusters(cuda_spectrum &s)
{
    cuda_launch l;
    if (!cuda_spectrum_cluster(&s, &l))
        return;
    cudaLaunchAttribute cluster = cluster_of(l);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(l.cluster);
    config.blockDim = dim3(l.block);
    config.dynamicSmemBytes = l.shared;
    config.attrs = &cluster;
    config.numAttrs = 1;
    int most = 0;
    GPU(cudaOccupancyMaxActiveClusters(&most, kernel_of(l), &config));
    cuda_spectrum_limit_clusters(&s, (uint32_t)most);
}

void upload_tables(const cuda_spectrum &s, const gpu_block &tables)
{
    std::vector<char> host(s.tables_bytes);
    cuda_spectrum_tables(&s, host.data());
    GPU(cudaMemcpy(tables.at, host.data(), host.size(), cudaMemcpyHostToDevice));
    GPU(cudaDeviceSynchronize()); // the non-blocking stream does not wait for the copy
}

static void find_facts()
{
    cudaDeviceProp p;
    GPU(cudaGetDeviceProperties(&p, 0));
    facts.capability = (uint32_t)(10 * p.major + p.minor);
    facts.processors = (uint32_t)p.multiProcessorCount;
    facts.shared_block = (uint32_t)p.sharedMemPerBlockOptin;
    facts.shared_processor = (uint32_t)p.sharedMemPerMultiprocessor;
    facts.threads_processor = (uint32_t)p.maxThreadsPerMultiProcessor;
    facts.l2_bytes = (uint64_t)p.l2CacheSize;
    printf("%s, %d processors, %d MiB of L2\n", p.name, p.multiProcessorCount, p.l2CacheSize >> 20);
}

void launches_open(const char *folder)
{
    images = folder;
    find_facts();
    GPU(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}
