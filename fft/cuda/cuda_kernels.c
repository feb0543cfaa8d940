/* cuda_kernels.c - looks up and launches the kernels of one plan. */
#include "fft/cuda/cuda_kernels.h"

#include <errno.h>
#include <string.h>

int cuda_kernels_add(struct cuda_kernels *k, struct cuda_device *d, const char *module,
                     const char *name, uint32_t shared, struct fft_reason why)
{
    if (k->count == CUDA_KERNELS_MAX) {
        fft_reason_set(why, "a plan of more than %d kernels", CUDA_KERNELS_MAX);
        return -EIO;
    }
    k->names[k->count] = name;
    return cuda_device_kernel(d, module, name, shared, &k->functions[k->count++], why);
}

static struct CUfunc_st *find(const struct cuda_kernels *k, const char *name)
{
    for (uint32_t i = 0; i < k->count; i++) {
        if (strcmp(k->names[i], name) == 0)
            return k->functions[i];
    }
    return NULL;
}

static int find_announced(const struct cuda_kernels *k, const char *name, struct CUfunc_st **out,
                          struct fft_reason why)
{
    *out = find(k, name);
    if (!*out)
        fft_reason_set(why, "kernel %s was not announced by its plan", name);
    return *out ? 0 : -EIO;
}

int cuda_kernels_node(const struct cuda_kernels *k, struct cuda_launch *what, void **arguments,
                      struct cuda_kernel_node *out, struct fft_reason why)
{
    *arguments = &what->args;
    *out = (struct cuda_kernel_node){
        .grid = {what->grid[0], what->grid[1], what->grid[2]},
        .block = {what->block, 1, 1},
        .shared_bytes = what->shared,
        .arguments = arguments,
    };
    return find_announced(k, what->kernel, &out->function, why);
}

/* The one attribute that a launch may have: a cluster, or that all blocks run together. */
static struct cuda_launch_attribute attribute_of(const struct cuda_launch *what)
{
    if (what->together)
        return (struct cuda_launch_attribute){.id = CUDA_LAUNCH_TOGETHER, .value.together = 1};
    return (struct cuda_launch_attribute){.id = CUDA_LAUNCH_CLUSTER,
                                          .value.cluster = {what->cluster, 1, 1}};
}

static struct cuda_launch_config config_of(const struct cuda_launch *what,
                                           const struct cuda_launch_attribute *attribute,
                                           struct CUstream_st *stream)
{
    return (struct cuda_launch_config){
        .grid = {what->grid[0], what->grid[1], what->grid[2]},
        .block = {what->block, 1, 1},
        .shared_bytes = what->shared,
        .stream = stream,
        .attributes = attribute,
        .attribute_count = what->cluster > 1 || what->together,
    };
}

int cuda_kernels_launch(const struct cuda_kernels *k, const struct cuda_device *d,
                        struct CUstream_st *stream, struct cuda_launch *what, struct fft_reason why)
{
    const struct cuda_launch_attribute attribute = attribute_of(what);
    const struct cuda_launch_config config = config_of(what, &attribute, stream);
    struct CUfunc_st *function;
    const int err = find_announced(k, what->kernel, &function, why);
    if (err < 0)
        return err;
    void *arguments[] = {&what->args};
    return cuda_check(d->driver, d->driver->launch(&config, function, arguments, NULL),
                      what->kernel, why);
}

int cuda_kernels_clusters(const struct cuda_kernels *k, const struct cuda_device *d,
                          const struct cuda_launch *what, uint32_t *most, struct fft_reason why)
{
    const struct cuda_launch_attribute attribute = attribute_of(what);
    const struct cuda_launch_config config = config_of(what, &attribute, NULL);
    struct CUfunc_st *function;
    int count = 0;
    int err = find_announced(k, what->kernel, &function, why);
    if (err == 0)
        err = cuda_check(d->driver, d->driver->clusters(&count, function, &config), what->kernel,
                         why);
    *most = count > 0 ? (uint32_t)count : 0;
    return err;
}
