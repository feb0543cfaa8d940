/* mock_pi.c - simulates the kernel, the firmware and the GPU of a Raspberry Pi. */
#undef NDEBUG /* its assertions are part of the tests, in a release, too */

#include "tests/support/qpu/mock_pi.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fft/qpu/qpu_mailbox.h"
#include "fft/qpu/qpu_v3d.h"

enum { FD_LOCK = 10, FD_VCIO, FD_MEM };

/* Device trees are big-endian. */
static int put_cells(const uint32_t *cells, int count, void *to, size_t size)
{
    uint8_t *at = to;
    for (int i = 0; i < count * 4 && (size_t)i < size; i++)
        at[i] = (uint8_t)(cells[i / 4] >> (24 - i % 4 * 8));
    return (int)size < count * 4 ? (int)size : count * 4;
}

static int mock_read_file(void *self, const char *path, void *to, size_t size)
{
    struct mock_pi *pi = self;
    if (!strcmp(path, "/proc/device-tree/compatible") && pi->compatible) {
        size_t length = 0;
        while (pi->compatible[length])
            length += strlen(pi->compatible + length) + 1;
        assert(length <= size);
        memcpy(to, pi->compatible, length);
        return (int)length;
    }
    if (!strcmp(path, "/proc/device-tree/soc/ranges") && pi->ranges) {
        const uint32_t cells[] = {0x7e000000, pi->ranges, 0x01000000};
        return put_cells(cells, 3, to, size);
    }
    if (!strcmp(path, "/proc/device-tree/axi/vc_mem/reg") && pi->memory_alias) {
        const uint32_t cells[] = {0x1ec00000, 0x20000000, pi->memory_alias};
        return put_cells(cells, 3, to, size);
    }
    if (!strcmp(path, "/proc/device-tree/soc/v3d@7ec00000/status") && pi->gpu_status) {
        memcpy(to, pi->gpu_status, strlen(pi->gpu_status) + 1);
        return (int)strlen(pi->gpu_status) + 1;
    }
    return -ENOENT;
}

static int mock_open(void *self, const char *path)
{
    struct mock_pi *pi = self;
    int error = 0, fd = -ENOENT;
    if (!strcmp(path, QPU_LOCK_FILE)) {
        fd = FD_LOCK;
        error = pi->lock_error;
        pi->lock_opened = true;
    } else if (!strcmp(path, "/dev/vcio")) {
        fd = FD_VCIO;
        error = pi->vcio_error;
    } else if (!strcmp(path, "/dev/mem")) {
        fd = FD_MEM;
        error = pi->mem_error;
    }
    if (error || fd < 0)
        return error ? error : fd;
    pi->files_open++;
    return fd;
}

static void mock_close(void *self, int fd)
{
    struct mock_pi *pi = self;
    assert(fd >= FD_LOCK && fd <= FD_MEM);
    pi->files_open--;
    if (fd == FD_LOCK)
        pi->holds_lock = false;
}

static int mock_lock(void *self, int fd)
{
    struct mock_pi *pi = self;
    assert(fd == FD_LOCK);
    if (pi->locked_by_other)
        return -EWOULDBLOCK;
    pi->holds_lock = true;
    return 0;
}

static int mock_load(void *self, int fd, void *to, size_t size)
{
    struct mock_pi *pi = self;
    assert(fd == FD_LOCK);
    int bytes = (int)size < pi->journal_size ? (int)size : pi->journal_size;
    memcpy(to, pi->journal, (size_t)bytes);
    return bytes;
}

static int mock_store(void *self, int fd, const void *from, size_t size)
{
    struct mock_pi *pi = self;
    assert(fd == FD_LOCK && pi->holds_lock && size <= sizeof pi->journal);
    if (pi->store_error)
        return pi->store_error;
    memcpy(pi->journal, from, size);
    pi->journal_size = (int)size;
    return (int)size;
}

static struct mock_memory *find(struct mock_pi *pi, uint32_t handle)
{
    for (int i = 0; i < MOCK_HANDLES; i++)
        if (pi->memory[i].handle == handle)
            return &pi->memory[i];
    return NULL;
}

static uint32_t allocate(struct mock_pi *pi, const uint32_t *values)
{
    struct mock_memory *m = find(pi, 0);
    if (pi->no_gpu_memory || !m)
        return 0;
    assert(values[1] == 4096 && values[0] % 4096 == 0);
    *m = (struct mock_memory){.handle = ++pi->next_handle,
                              .bus = pi->bus_alias | 0x1000000 * pi->next_handle,
                              .flags = values[2],
                              .size = values[0],
                              .bytes = malloc(values[0])};
    assert(m->bytes);
    memset(m->bytes, 0xa5, m->size);
    return m->handle;
}

static bool program_runs(struct mock_pi *pi)
{
    pthread_mutex_lock(&pi->lock);
    const bool executing = pi->executing;
    pthread_mutex_unlock(&pi->lock);
    const bool ended = pi->ends_after >= 0 && pi->status_reads > pi->ends_after;
    return executing || (pi->queued && pi->enabled && !ended && !pi->gpu_error);
}

static void set_executing(struct mock_pi *pi, bool executing)
{
    pthread_mutex_lock(&pi->lock);
    pi->executing = executing;
    pthread_cond_broadcast(&pi->changed);
    while (executing && pi->hold_execute && !pi->released)
        pthread_cond_wait(&pi->changed, &pi->lock);
    pthread_mutex_unlock(&pi->lock);
}

void mock_pi_await_execute(struct mock_pi *pi)
{
    pthread_mutex_lock(&pi->lock);
    while (!pi->executing)
        pthread_cond_wait(&pi->changed, &pi->lock);
    pthread_mutex_unlock(&pi->lock);
}

void mock_pi_release(struct mock_pi *pi)
{
    pthread_mutex_lock(&pi->lock);
    pi->released = true;
    pthread_cond_broadcast(&pi->changed);
    pthread_mutex_unlock(&pi->lock);
}

static uint32_t execute(struct mock_pi *pi, const uint32_t *values)
{
    assert(!pi->maps_registers); /* the firmware's launches need DBCFG and DBQITE as it set them */
    set_executing(pi, true);
    pi->executes++;
    memcpy(pi->execute_values, values, sizeof pi->execute_values);
    for (int i = 0; i < MOCK_HANDLES; i++)
        if (pi->memory[i].handle && pi->memory[i].bus == values[1])
            memcpy(pi->control, pi->memory[i].bytes, sizeof pi->control);
    set_executing(pi, false);
    return pi->execute_answer;
}

static uint32_t answer(struct mock_pi *pi, uint32_t tag, const uint32_t *values)
{
    struct mock_memory *m = tag == QPU_TAG_ALLOC ? NULL : find(pi, values[0]);
    switch (tag) {
    case QPU_TAG_ENABLE:
        if (pi->firmware_refuses && values[0])
            return 0x80000000;
        pi->enabled = (int)values[0];
        return 0;
    case QPU_TAG_ALLOC:
        return allocate(pi, values);
    case QPU_TAG_LOCK:
        assert(m && !m->locked);
        m->locked = true;
        return m->bus;
    case QPU_TAG_UNLOCK:
        assert(!program_runs(pi));
        if (m)
            m->locked = false;
        return m ? 0 : 1;
    case QPU_TAG_FREE:
        assert(!m || !m->locked);
        if (!m)
            return 1;
        free(m->bytes);
        *m = (struct mock_memory){0};
        return 0;
    case QPU_TAG_EXECUTE:
        return execute(pi, values);
    default:
        assert(!"a tag that the firmware does not know");
        return 0;
    }
}

static int mock_property(void *self, int fd, uint32_t *message)
{
    struct mock_pi *pi = self;
    assert(fd == FD_VCIO && message[1] == 0);
    /* size, request, tag, size of the value buffer, size of the values, values, end */
    const uint32_t words = message[3] / 4;
    assert(message[0] == (6 + words) * 4 && message[4] == message[3] && message[5 + words] == 0);
    if (pi->firmware_silent)
        return 0;
    message[5] = answer(pi, message[2], &message[5]);
    message[1] = 0x80000000;
    message[4] = 0x80000004;
    return 0;
}

static int mock_map(void *self, int fd, uint64_t physical, size_t size, void **out)
{
    struct mock_pi *pi = self;
    assert(fd == FD_MEM);
    if (pi->map_error)
        return pi->map_error;
    const bool registers = physical == pi->registers_at && size == sizeof pi->registers;
    if (registers && pi->registers_error)
        return pi->registers_error;
    *out = registers ? pi->registers : NULL;
    pi->maps_registers |= registers;
    for (int i = 0; i < MOCK_HANDLES; i++) {
        const struct mock_memory *m = &pi->memory[i];
        const bool bypass =
            m->flags == 0x4 && pi->registers_at == 0x20c00000 && pi->memory_alias != 0xc0000000;
        const uint32_t offset = bypass ? 0x20000000 : 0;
        if (m->handle && m->locked && physical == (m->bus & 0x3fffffff) + offset && size == m->size)
            *out = m->bytes;
    }
    assert(*out); /* nothing else may be mapped */
    pi->maps++;
    return 0;
}

static void mock_unmap(void *self, void *at, size_t size)
{
    struct mock_pi *pi = self;
    assert(at && size % 4096 == 0 && !program_runs(pi));
    pi->maps_registers &= at != (void *)pi->registers;
    pi->maps--;
}

static uint32_t mock_peek(void *self, const volatile uint32_t *at)
{
    struct mock_pi *pi = self;
    const long offset = (at - pi->registers) * 4;
    if (offset == V3D_IDENT0)
        return pi->enabled ? pi->ident : 0xdeadbeef;
    assert(pi->enabled);
    const bool counter = offset >= V3D_PCTR0 && offset < V3D_PCTR0 + 16 * 8;
    if (offset == V3D_DBCFG || offset == V3D_DBQITE || counter)
        return pi->registers[offset / 4];
    assert(offset == V3D_SRQCS);
    pi->status_reads++;
    const bool ended = pi->ends_after >= 0 && pi->status_reads > pi->ends_after;
    return (uint32_t)(ended ? pi->queued << 16 : 0) | (pi->gpu_error ? 1 << 7 : 0);
}

static void mock_poke(void *self, volatile uint32_t *at, uint32_t value)
{
    struct mock_pi *pi = self;
    const uint32_t offset = (uint32_t)(at - pi->registers) * 4;
    assert(pi->enabled && pi->poke_count < MOCK_POKES);
    pi->pokes[pi->poke_count++] = (struct mock_poke){offset, value};
    pi->registers[offset / 4] = value;
    pi->queued += offset == V3D_SRQPC;
    if (offset == V3D_SRQCS)
        pi->queued = pi->status_reads = 0;
}

static uint64_t mock_now_us(void *self)
{
    struct mock_pi *pi = self;
    return pi->clock_us++;
}

static void mock_sleep_us(void *self, unsigned us)
{
    struct mock_pi *pi = self;
    pi->clock_us += us;
}

void mock_pi_init(struct mock_pi *pi, const char *compatible)
{
    *pi = (struct mock_pi){
        .os = {pi, mock_read_file, mock_open, mock_close, mock_lock, mock_load, mock_store,
               mock_property, NULL, mock_map, mock_unmap, mock_peek, mock_poke, mock_now_us,
               mock_sleep_us},
        .compatible = compatible,
        .ranges = 0x3f000000,
        .bus_alias = 0xc0000000,
        .ident = 0x02443356,
        .registers_at = 0x3fc00000,
    };
    pthread_mutex_init(&pi->lock, NULL);
    pthread_cond_init(&pi->changed, NULL);
}

void mock_pi_finish(struct mock_pi *pi)
{
    pthread_cond_destroy(&pi->changed);
    pthread_mutex_destroy(&pi->lock);
    for (int i = 0; i < MOCK_HANDLES; i++)
        free(pi->memory[i].bytes);
}

void mock_pi_kill(struct mock_pi *pi)
{
    pi->files_open = pi->maps = 0;
    pi->holds_lock = false;
}

int mock_pi_allocations(const struct mock_pi *pi)
{
    int count = 0;
    for (int i = 0; i < MOCK_HANDLES; i++)
        count += pi->memory[i].handle != 0;
    return count;
}
