/* machine.c - resets the mock driver and opens the engine on it. */
#include "tests/support/opencl/machine.h"

#include "tests/support/cmocka_all.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "fft/opencl/engine_opencl.h"

struct mock_opencl *machine_reset(void)
{
    void *library = dlopen(MOCK_DRIVER, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    struct mock_opencl *mock = dlsym(library, "mock_opencl");
    assert_non_null(mock);
    *mock = (struct mock_opencl){
        .platforms = 3, .unified = true, .memory = (size_t)1 << 30, .group = 256};
    setenv("FFTD_OPENCL_DRIVER", MOCK_DRIVER, 1);
    return mock;
}

int machine_open(struct fft_engine **out, const char *name, const char *options, char *why,
                 size_t size)
{
    static const struct engine_ops *const list[] = {&opencl_engine_ops, NULL};
    const struct fft_engine_config config = {.name = name,
                                             .options = options ? options : "cache=off"};
    return fft_engine_open_from(list, &config, out, (struct fft_reason){why, size});
}

struct fft_engine *machine_engine(const char *name, const char *options)
{
    struct fft_engine *e;
    char why[400];
    if (machine_open(&e, name, options, why, sizeof why) < 0)
        fail_msg("%s: %s", name, why);
    return e;
}

static void clear_counts(void *mock)
{
    ((struct mock_opencl *)mock)->counts = (struct mock_counts){0};
}

struct fft_fold *machine_stream(const struct batch_stream *r, struct mock_opencl *mock)
{
    struct fft_engine *e = machine_engine("opencl", NULL);
    struct fft_fold *fold = stream_run(r, e, clear_counts, mock);
    fft_engine_close(e);
    return fold;
}
