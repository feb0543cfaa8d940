/* mock_device.c - mock driver: devices, contexts, modules and launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cuda/mock_internal.h"

enum {
    MAX_DEVICES = 8,
    CONTEXTS = 16,
    LOST = 700,    /* an illegal address */
    TOO_MANY = 720 /* blocks that run together */
};

struct mock_cuda mock_cuda = {.version = 13000,
                              .devices = 1,
                              .major = 9,
                              .minor = 0,
                              .processors = 132,
                              .clusters = MOCK_CLUSTERS,
                              .memory = (size_t)8 << 30};

static struct CUctx_st {
    int device;
} contexts[MAX_DEVICES];
static _Thread_local struct CUctx_st *current[CONTEXTS];
static _Thread_local int depth;

pthread_mutex_t *mock_lock(void)
{
    static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&lock);
    return &lock;
}

void mock_unlock(pthread_mutex_t *const *lock)
{
    pthread_mutex_unlock(*lock);
}

int mock_enter(const char *name)
{
    mock_cuda.did.calls++;
    if (mock_cuda.lost)
        return LOST;
    if (!mock_cuda.fail || strcmp(name, mock_cuda.fail) != 0 || mock_cuda.fail_after == 0)
        return CUDA_OK;
    if (--mock_cuda.fail_after > 0)
        return CUDA_OK;
    mock_cuda.lost = mock_cuda.fatal;
    return mock_cuda.fail_code;
}

int mock_here(void)
{
    return depth ? current[depth - 1]->device : -1;
}

/* ---- devices ---------------------------------------------------------------------------- */

CALL(cuDriverGetVersion, int *version)
{
    ENTER;
    *version = mock_cuda.version;
    return CUDA_OK;
}

CALL(cuInit, unsigned flags)
{
    ENTER;
    return flags == 0 ? CUDA_OK : 1;
}

CALL(cuGetErrorName, int result, const char **name)
{
    ALONE;
    *name = result == CUDA_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
            : result == CUDA_NO_DEVICE   ? "CUDA_ERROR_NO_DEVICE"
            : result == CUDA_NO_BINARY   ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
            : result == LOST             ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                         : NULL;
    return CUDA_OK;
}

CALL(cuDeviceGetCount, int *count)
{
    ENTER;
    *count = mock_cuda.devices;
    return mock_cuda.devices ? CUDA_OK : CUDA_NO_DEVICE;
}

CALL(cuDeviceGet, int *device, int index)
{
    ENTER;
    *device = index;
    return index < mock_cuda.devices ? CUDA_OK : CUDA_INVALID_DEVICE;
}

CALL(cuDeviceGetName, char *name, int size, int device)
{
    ENTER;
    strncpy(name, device ? "Mock 200" : "Mock 100", (size_t)size);
    return CUDA_OK;
}

CALL(cuDeviceTotalMem_v2, size_t *bytes, int device)
{
    ENTER;
    (void)device;
    *bytes = mock_cuda.memory;
    return CUDA_OK;
}

CALL(cuDeviceGetAttribute, int *value, int attribute, int device)
{
    ENTER;
    (void)device;
    switch (attribute) {
    case CUDA_ATTRIBUTE_MAJOR:
        *value = mock_cuda.major;
        return CUDA_OK;
    case CUDA_ATTRIBUTE_MINOR:
        *value = mock_cuda.minor;
        return CUDA_OK;
    case CUDA_ATTRIBUTE_PROCESSORS:
        *value = mock_cuda.processors;
        return CUDA_OK;
    case CUDA_ATTRIBUTE_L2_BYTES:
        *value = 50 << 20;
        return CUDA_OK;
    case CUDA_ATTRIBUTE_THREADS_SM:
        *value = 2048;
        return CUDA_OK;
    case CUDA_ATTRIBUTE_SHARED_SM:
        *value = 228 << 10;
        return CUDA_OK;
    case CUDA_ATTRIBUTE_SHARED_BLOCK:
        *value = 227 << 10;
        return CUDA_OK;
    default:
        *value = 0;
        return 1;
    }
}

CALL(cuDevicePrimaryCtxRetain, struct CUctx_st **context, int device)
{
    ENTER;
    contexts[device].device = device;
    *context = &contexts[device];
    mock_cuda.alive++;
    return CUDA_OK;
}

CALL(cuDevicePrimaryCtxRelease_v2, int device)
{
    ALONE;
    (void)device;
    mock_cuda.alive--;
    return CUDA_OK;
}

CALL(cuCtxPushCurrent_v2, struct CUctx_st *context)
{
    ALONE;
    if (depth == CONTEXTS)
        abort(); /* pushed and never popped */
    current[depth++] = context;
    return CUDA_OK;
}

CALL(cuCtxPopCurrent_v2, struct CUctx_st **context)
{
    ALONE;
    *context = current[--depth];
    return CUDA_OK;
}

/* ---- kernels ---------------------------------------------------------------------------- */

struct CUfunc_st {
    char name[64];
    uint32_t shared;
    bool large_cluster; /* of more than 8 blocks */
};

struct CUmod_st {
    struct CUfunc_st functions[256];
    int count;
};

CALL(cuModuleLoadData, struct CUmod_st **module, const void *image)
{
    ENTER;
    if (!image || mock_here() < 0)
        return CUDA_INVALID_IMAGE;
    *module = calloc(1, sizeof **module);
    mock_cuda.alive++;
    return CUDA_OK;
}

CALL(cuModuleUnload, struct CUmod_st *module)
{
    ALONE;
    free(module);
    mock_cuda.alive--;
    return CUDA_OK;
}

/* Every name exists: the mock runs whatever the planner may ask for. */
CALL(cuModuleGetFunction, struct CUfunc_st **function, struct CUmod_st *module, const char *name)
{
    ENTER;
    struct CUfunc_st *f = module->functions;
    while (f < module->functions + module->count && strcmp(f->name, name) != 0)
        f++;
    if (f == module->functions + 256 || strlen(name) >= sizeof f->name)
        abort();
    if (f == module->functions + module->count) {
        snprintf(f->name, sizeof f->name, "%s", name);
        module->count++;
    }
    *function = f;
    return CUDA_OK;
}

CALL(cuFuncSetAttribute, struct CUfunc_st *function, int attribute, int value)
{
    ENTER;
    if (attribute == CUDA_FUNCTION_LARGE_CLUSTER)
        function->large_cluster = value != 0;
    else if (attribute == CUDA_FUNCTION_DYNAMIC_SHARED && value <= 227 << 10)
        function->shared = (uint32_t)value;
    else
        return 1;
    return CUDA_OK;
}

CALL(cuLaunchKernelEx, const struct cuda_launch_config *config, struct CUfunc_st *function,
     void **arguments, void **extra)
{
    ENTER;
    struct op op = {.kind = OP_LAUNCH};
    const uint64_t threads = (uint64_t)config->block[0] * config->block[1] * config->block[2];
    const uint64_t blocks = (uint64_t)config->grid[0] * config->grid[1] * config->grid[2];
    if (extra || threads == 0 || threads > 1024 || blocks == 0 || config->grid[1] > 65535 ||
        config->grid[2] > 65535 || config->stream->device != mock_here())
        return 1;
    if (config->shared_bytes > (48 << 10) && config->shared_bytes > function->shared)
        return 1; /* not allowed before */
    const struct cuda_launch_attribute *attribute = config->attributes;
    const bool clusters = config->attribute_count && attribute->id == CUDA_LAUNCH_CLUSTER;
    const bool together = config->attribute_count && attribute->id == CUDA_LAUNCH_TOGETHER;
    const uint32_t cluster = clusters ? attribute->value.cluster[0] : 1;
    if (together && blocks > (uint64_t)mock_cuda.processors)
        return TOO_MANY;
    if (cluster == 0 || config->grid[0] % cluster || (cluster > 8 && !function->large_cluster) ||
        (clusters && mock_cuda.clusters == 0))
        return 1;
    snprintf(op.kernel, sizeof op.kernel, "%s", function->name);
    op.launch = (struct cuda_launch){
        .grid = {config->grid[0], config->grid[1], config->grid[2]},
        .block = config->block[0],
        .cluster = cluster,
        .together = together && attribute->value.together,
        .shared = config->shared_bytes,
    };
    memcpy(&op.launch.args, arguments[0], sizeof op.launch.args);
    mock_cuda.did.launches++;
    mock_cuda.did.clusters += clusters;
    mock_cuda.did.together += op.launch.together;
    if (cluster > 1 && blocks / cluster > mock_cuda.did.widest)
        mock_cuda.did.widest = blocks / cluster;
    mock_cuda.did.by_device[mock_here()]++;
    queue_add(config->stream, &op);
    return CUDA_OK;
}

CALL(cuOccupancyMaxActiveClusters, int *count, struct CUfunc_st *function,
     const struct cuda_launch_config *config)
{
    ENTER;
    if (config->shared_bytes > function->shared || config->attribute_count != 1)
        return 1;
    *count = mock_cuda.clusters;
    return CUDA_OK;
}

int mock_kernel_retarget(struct op *launch, const struct cuda_kernel_node *what)
{
    if (what->block[0] == 0 || what->grid[0] == 0 ||
        (what->shared_bytes > (48 << 10) && what->shared_bytes > what->function->shared))
        return 1;
    snprintf(launch->kernel, sizeof launch->kernel, "%s", what->function->name);
    launch->launch.block = what->block[0];
    launch->launch.shared = what->shared_bytes;
    memcpy(launch->launch.grid, what->grid, sizeof launch->launch.grid);
    memcpy(&launch->launch.args, what->arguments[0], sizeof launch->launch.args);
    return CUDA_OK;
}
