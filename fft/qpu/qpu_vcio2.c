/*
 * qpu_vcio2.c - implements the device interface on the driver vcio2, version 0.3.
 *
 * Every allocation has an open file of its own, because version 0.3 finds only the first allocation
 * of a file. Closing the file frees the memory.
 */
#include "fft/qpu/qpu_vcio2.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "fft/qpu/qpu_executor.h"
#include "fft/qpu/qpu_words.h"

#define PATH "/dev/vcio2"

/* See include/soc/bcm2835/vcio2.h of the driver. */
#define IOCTL_VERSION  _IO(101, 0xc0)
#define IOCTL_ALLOCATE _IOWR(101, 0x0c, uint32_t[3]) /* size, alignment, flags -> handle */
#define IOCTL_LOCK     _IOWR(101, 0x0d, uint32_t)    /* handle -> bus address */
#define IOCTL_ENABLE   _IO(101, 0x12)                /* 1 or 0 */
#define IOCTL_EXECUTE  _IOW(101, 0x11, uint32_t[4])  /* as QPU_TAG_EXECUTE */

enum { VERSION = 3, PAGE = 4096, MAX_ALLOCATIONS = 62 };

struct vcio2 {
    const struct qpu_system *os;
    struct qpu_board board;
    struct qpu_memory control; /* {uniforms, code} of each QPU; its file starts all launches */
    struct qpu_executor executor;
    bool running, lost;
    uint32_t files[MAX_ALLOCATIONS]; /* of allocations, with 1 added; 0: free entry */
};

static int file_of(const struct qpu_memory *memory)
{
    return (int)memory->handle;
}

static int enable(struct vcio2 *v, uintptr_t on)
{
    /* The argument is the number itself. NOLINTNEXTLINE(performance-no-int-to-ptr) */
    return v->os->control(v->os->self, file_of(&v->control), IOCTL_ENABLE, (void *)on);
}

static uint32_t *find_file(struct vcio2 *v, uint32_t file)
{
    for (int i = 0; i < MAX_ALLOCATIONS; i++)
        if (v->files[i] == file)
            return &v->files[i];
    return NULL;
}

static int allocate(struct vcio2 *v, struct qpu_memory *out)
{
    const struct qpu_system *os = v->os;
    uint32_t values[] = {(uint32_t)out->size, PAGE, v->board.alloc_flags};
    int err = os->control(os->self, file_of(out), IOCTL_ALLOCATE, values);
    out->bus = values[0];
    if (err >= 0)
        err = os->control(os->self, file_of(out), IOCTL_LOCK, &out->bus);
    if (err >= 0)
        err = os->map(os->self, file_of(out), qpu_board_physical(&v->board, out->bus), out->size,
                      &out->arm);
    return err;
}

static int vcio2_alloc(struct qpu_device *d, size_t size, struct qpu_memory *out)
{
    struct vcio2 *v = d->priv;
    const struct qpu_system *os = v->os;
    uint32_t *entry = find_file(v, 0);
    *out = (struct qpu_memory){0};
    if (!entry || size > UINT32_MAX / 2)
        return -ENOMEM;
    const int fd = os->open(os->self, PATH);
    if (fd < 0)
        return fd;
    *out = (struct qpu_memory){.size = (size + PAGE - 1) / PAGE * PAGE, .handle = (uint32_t)fd};
    const int err = allocate(v, out);
    if (err < 0) {
        os->close(os->self, fd);
        *out = (struct qpu_memory){0};
        return err;
    }
    *entry = out->handle + 1;
    qpu_words_clear(out->arm, out->size);
    return 0;
}

static void vcio2_free(struct qpu_device *d, struct qpu_memory *memory)
{
    struct vcio2 *v = d->priv;
    if (!memory->arm)
        return;
    *find_file(v, memory->handle + 1) = 0;
    v->os->unmap(v->os->self, memory->arm, memory->size);
    v->os->close(v->os->self, file_of(memory));
    *memory = (struct qpu_memory){0};
}

/* The driver reports a program that did not end as ENOEXEC. */
static int execute(const struct qpu_system *os, int fd, const uint32_t *values)
{
    uint32_t request[QPU_EXECUTE_VALUES];
    memcpy(request, values, sizeof request);
    const int err = os->control(os->self, fd, IOCTL_EXECUTE, request);
    return err == -ENOEXEC ? -ETIMEDOUT : err < 0 ? err : 0;
}

static int vcio2_start(struct qpu_device *d, const struct qpu_launch *launch)
{
    struct vcio2 *v = d->priv;
    if (v->lost)
        return -EIO;
    for (int i = 0; launch->counters && i < QPU_COUNTERS; i++)
        launch->counters[i] = UINT64_MAX;
    qpu_executor_start(&v->executor, launch, &v->control);
    v->running = true;
    return 0;
}

static int vcio2_wait(struct qpu_device *d, int timeout_ms)
{
    struct vcio2 *v = d->priv;
    const int ended = qpu_executor_wait(&v->executor, timeout_ms);
    __sync_synchronize();
    v->running = ended == 0;
    v->lost |= ended < 0;
    if (ended < 0)
        enable(v, 0); /* only a power-off stops a program that hangs */
    return ended;
}

static void vcio2_close(struct qpu_device *d)
{
    struct vcio2 *v = d->priv;
    if (v->running)
        vcio2_wait(d, -1);
    qpu_executor_finish(&v->executor);
    vcio2_free(d, &v->control);
    for (int i = 0; i < MAX_ALLOCATIONS; i++)
        if (v->files[i])
            v->os->close(v->os->self, (int)v->files[i] - 1);
    free(v);
    d->priv = NULL;
}

static const struct qpu_device_ops vcio2_ops = {
    .alloc = vcio2_alloc,
    .free = vcio2_free,
    .start = vcio2_start,
    .wait = vcio2_wait,
    .close = vcio2_close,
};

/* -ENOENT: there is no such driver. */
static int check_version(const struct qpu_system *os, struct fft_reason why)
{
    const int fd = os->open(os->self, PATH);
    if (fd == -ENOENT || fd == -ENODEV || fd == -ENXIO)
        return -ENOENT;
    if (fd < 0) {
        fft_reason_set(why, PATH ": %s (it belongs to the group video)", strerror(-fd));
        return -ENODEV;
    }
    const int version = os->control(os->self, fd, IOCTL_VERSION, NULL);
    os->close(os->self, fd);
    if (version == VERSION)
        return 0;
    fft_reason_set(why, PATH ": the driver's version is not 0.%d", VERSION);
    return -ENODEV;
}

static int open_control(struct qpu_device *d, struct fft_reason why)
{
    struct vcio2 *v = d->priv;
    int err = vcio2_alloc(d, PAGE, &v->control);
    if (err) {
        fft_reason_set(why, "no memory of the GPU (%s): set gpu_mem=64 or more in config.txt",
                       strerror(-err));
        return -ENODEV;
    }
    if (enable(v, 1) < 0) {
        fft_reason_set(why, QPU_NOT_GIVEN);
        return -ENODEV;
    }
    err = qpu_executor_init(&v->executor, v->os, file_of(&v->control), execute);
    if (err)
        fft_reason_set(why, "no thread for calls of the firmware: %s", strerror(-err));
    return err;
}

int qpu_vcio2_open(const struct qpu_system *os, const struct qpu_board *board, struct qpu_device *d,
                   struct fft_reason why)
{
    int err = check_version(os, why);
    if (err)
        return err;
    struct vcio2 *v = calloc(1, sizeof *v);
    if (!v)
        return -ENOMEM;
    *v = (struct vcio2){.os = os, .board = *board};
    *d = (struct qpu_device){.ops = &vcio2_ops, .priv = v, .limit_ms = QPU_FIRMWARE_LIMIT_MS};
    snprintf(d->about, sizeof d->about, "%s, by vcio2", board->name);
    err = open_control(d, why);
    if (err)
        vcio2_close(d);
    return err;
}
