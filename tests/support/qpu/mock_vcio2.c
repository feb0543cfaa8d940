/* mock_vcio2.c - simulates the driver vcio2 beside the mock Raspberry Pi. */
#undef NDEBUG /* its assertions are part of the tests, in a release, too */

#include "tests/support/qpu/mock_vcio2.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_FD = 100 };

/* The numbers of the driver's header, computed by hand: direction, size, type 101, number. */
enum request {
    VERSION = 0x000065c0,
    ALLOCATE = (int)0xc00c650c,
    LOCK = (int)0xc004650d,
    ENABLE = 0x00006512,
    EXECUTE = 0x40106511,
};

static struct mock_vcio2_file *file_of(void *self, int fd)
{
    struct mock_vcio2 *v = self;
    if (fd < FIRST_FD)
        return NULL;
    assert(fd < FIRST_FD + MOCK_VCIO2_FILES && v->files[fd - FIRST_FD].open);
    return &v->files[fd - FIRST_FD];
}

/* The power is on while one file wants it. */
static void set_enabled(struct mock_vcio2 *v, struct mock_vcio2_file *file, bool enabled)
{
    file->enabled = enabled;
    v->pi.enabled = 0;
    for (int i = 0; i < MOCK_VCIO2_FILES; i++)
        v->pi.enabled |= v->files[i].enabled;
}

static int vcio2_open(void *self, const char *path)
{
    struct mock_vcio2 *v = self;
    int i = 0;
    if (strcmp(path, "/dev/vcio2") != 0)
        return v->base.open(self, path);
    if (v->open_error)
        return v->open_error;
    while (v->files[i].open)
        assert(++i < MOCK_VCIO2_FILES);
    v->files[i] = (struct mock_vcio2_file){.open = true};
    v->pi.files_open++;
    return FIRST_FD + i;
}

static void vcio2_close(void *self, int fd)
{
    struct mock_vcio2 *v = self;
    struct mock_vcio2_file *file = file_of(self, fd);
    if (!file) {
        v->base.close(self, fd);
        return;
    }
    set_enabled(v, file, false);
    free(file->bytes);
    *file = (struct mock_vcio2_file){0};
    v->pi.files_open--;
}

static int allocate(struct mock_vcio2 *v, struct mock_vcio2_file *file, uint32_t *values)
{
    assert(values[1] == 4096 && values[0] % 4096 == 0);
    if (v->pi.no_gpu_memory || file->bytes) /* "allocated handle twice" */
        return -ENOMEM;
    file->handle = ++v->pi.next_handle;
    file->bus = 0xc0000000 | 0x1000000 * file->handle;
    file->size = values[0];
    file->flags = values[2];
    file->bytes = malloc(file->size);
    assert(file->bytes);
    memset(file->bytes, 0xa5, file->size);
    values[0] = file->handle;
    return 0;
}

static int execute(struct mock_vcio2 *v, struct mock_vcio2_file *file, const uint32_t *values)
{
    if (!file->bytes || values[1] < file->bus || values[1] >= file->bus + file->size)
        return -EACCES;
    set_enabled(v, file, true);
    v->pi.executes++;
    memcpy(v->pi.execute_values, values, sizeof v->pi.execute_values);
    memcpy(v->pi.control, (char *)file->bytes + (values[1] - file->bus), sizeof v->pi.control);
    return v->pi.execute_answer ? -ENOEXEC : 0;
}

static int vcio2_control(void *self, int fd, unsigned long request, void *argument)
{
    struct mock_vcio2 *v = self;
    struct mock_vcio2_file *file = file_of(self, fd);
    assert(file);
    switch ((enum request)request) {
    case VERSION:
        return v->version;
    case ALLOCATE:
        return allocate(v, file, argument);
    case LOCK:
        assert(*(uint32_t *)argument == file->handle);
        *(uint32_t *)argument = file->bus;
        return 0;
    case ENABLE:
        if (v->pi.firmware_refuses && argument)
            return -ENODEV;
        set_enabled(v, file, argument != NULL);
        return 0;
    case EXECUTE:
        return execute(v, file, argument);
    }
    assert(!"a request that the driver does not know");
    return -EINVAL;
}

/* The driver ignores the bit by which a Pi 0 or 1 bypasses the cache. */
static int vcio2_map(void *self, int fd, uint64_t physical, size_t size, void **out)
{
    struct mock_vcio2 *v = self;
    struct mock_vcio2_file *file = file_of(self, fd);
    assert(file);
    if (v->map_error)
        return v->map_error;
    if (!file->bytes || (physical & 0x1fffffff) != (file->bus & 0x1fffffff) || size > file->size)
        return -EACCES;
    *out = file->bytes;
    v->pi.maps++;
    return 0;
}

void mock_vcio2_init(struct mock_vcio2 *v, const char *compatible)
{
    *v = (struct mock_vcio2){.version = 3};
    mock_pi_init(&v->pi, compatible);
    v->pi.vcio_error = v->pi.mem_error = v->pi.lock_error = -EACCES;
    v->base = v->pi.os;
    v->pi.os.open = vcio2_open;
    v->pi.os.close = vcio2_close;
    v->pi.os.control = vcio2_control;
    v->pi.os.map = vcio2_map;
}

void mock_vcio2_finish(struct mock_vcio2 *v)
{
    for (int i = 0; i < MOCK_VCIO2_FILES; i++)
        free(v->files[i].bytes);
    mock_pi_finish(&v->pi);
}

int mock_vcio2_allocations(const struct mock_vcio2 *v)
{
    int count = 0;
    for (int i = 0; i < MOCK_VCIO2_FILES; i++)
        count += v->files[i].bytes != NULL;
    return count;
}
