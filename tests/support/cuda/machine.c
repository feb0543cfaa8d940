/* machine.c - sets up the mock driver and opens the engine on it. */
#include "tests/support/cuda/machine.h"

#include "tests/support/cmocka_all.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "fft/cuda/engine_cuda.h"

struct mock_cuda *machine_reset(void)
{
    void *library = dlopen(MOCK_DRIVER, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    struct mock_cuda *mock = dlsym(library, "mock_cuda");
    assert_non_null(mock);
    *mock = (struct mock_cuda){.version = 13000,
                               .devices = 1,
                               .major = 9,
                               .minor = 0,
                               .clusters = MOCK_CLUSTERS,
                               .memory = (size_t)8 << 30};
    setenv("FFTD_CUDA_DRIVER", MOCK_DRIVER, 1);
    return mock;
}

int machine_open(struct fft_engine **out, const char *name, char *why, size_t size)
{
    static const struct engine_ops *const list[] = {&cuda_engine_ops, NULL};
    const struct fft_engine_config config = {.name = name};
    return fft_engine_open_from(list, &config, out, (struct fft_reason){why, size});
}

struct fft_engine *machine_engine(const char *name)
{
    struct fft_engine *e;
    char why[200];
    if (machine_open(&e, name, why, sizeof why) < 0)
        fail_msg("%s: %s", name, why);
    return e;
}

static void clear_counts(void *mock)
{
    ((struct mock_cuda *)mock)->did = (struct mock_counts){0};
}

struct fft_fold *machine_stream(const struct batch_stream *r, const char *name,
                                struct mock_cuda *mock)
{
    struct fft_engine *e = machine_engine(name);
    struct fft_fold *fold = stream_run(r, e, clear_counts, mock);
    fft_engine_close(e);
    return fold;
}
