/*
 * qpu_device.c - implements the device interface on a Raspberry Pi without vcio2. Memory comes from
 * the firmware and is mapped through /dev/mem. Programs are started through registers, or by the
 * firmware where there are no registers.
 *
 * The lock file excludes other processes and contains a journal of allocations. The firmware does
 * not know which process owns memory, so without the journal a killed process would leak it until
 * reboot.
 */
#include "fft/qpu/qpu_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/qpu/qpu_board.h"
#include "fft/qpu/qpu_executor.h"
#include "fft/qpu/qpu_mailbox.h"
#include "fft/qpu/qpu_v3d.h"
#include "fft/qpu/qpu_vcio2.h"
#include "fft/qpu/qpu_words.h"

enum { MAX_ALLOCATIONS = 62, PAGE = 4096, JOURNAL_MAGIC = 0x71707531 };

struct journal {
    uint32_t magic;
    uint32_t enabled;                  /* 1: the QPUs have power */
    uint32_t handles[MAX_ALLOCATIONS]; /* 0: free entry */
};

struct hardware {
    const struct qpu_system *os;
    struct qpu_board board;
    int vcio, mem, lock;          /* -1: not open */
    volatile uint32_t *registers; /* NULL: the firmware starts all launches */
    struct qpu_v3d_saved saved;   /* registers before the first launch */
    struct qpu_memory control;    /* {uniforms, code} of each QPU, for the firmware */
    struct qpu_executor executor;
    struct journal journal;
    bool identified; /* the registers are the GPU's; `saved` is valid */
    bool lost;       /* a program failed or did not end */

    /* the current launch */
    bool running;
    struct qpu_launch launch;
    uint64_t started_us;
};

static int call_firmware(struct hardware *h, enum qpu_tag tag, const uint32_t *values, int count,
                         uint32_t *answer)
{
    return qpu_mailbox(h->os, h->vcio, tag, values, count, answer);
}

static uint32_t call_firmware_with(struct hardware *h, enum qpu_tag tag, uint32_t value)
{
    uint32_t answer;
    return call_firmware(h, tag, &value, 1, &answer) ? UINT32_MAX : answer;
}

static int write_journal(struct hardware *h)
{
    int bytes = h->os->store(h->os->self, h->lock, &h->journal, sizeof h->journal);
    return bytes == sizeof h->journal ? 0 : -EIO;
}

/* The journal's entry of a handle; for handle 0, a free entry. NULL: there is none. */
static uint32_t *journal_entry(struct hardware *h, uint32_t handle)
{
    for (int i = 0; i < MAX_ALLOCATIONS; i++)
        if (h->journal.handles[i] == handle)
            return &h->journal.handles[i];
    return NULL;
}

static void free_handle(struct hardware *h, uint32_t handle)
{
    uint32_t *entry = journal_entry(h, handle);
    call_firmware_with(h, QPU_TAG_UNLOCK, handle);
    call_firmware_with(h, QPU_TAG_FREE, handle);
    if (entry)
        *entry = 0;
    write_journal(h);
}

static int alloc_handle(struct hardware *h, size_t size, uint32_t *handle)
{
    uint32_t *entry = journal_entry(h, 0);
    const uint32_t values[] = {(uint32_t)size, PAGE, h->board.alloc_flags};
    if (!entry || size > UINT32_MAX / 2)
        return -ENOMEM;
    int err = call_firmware(h, QPU_TAG_ALLOC, values, 3, handle);
    if (err || !*handle)
        return err ? err : -ENOMEM;
    *entry = *handle;
    err = write_journal(h);
    if (err)
        free_handle(h, *handle);
    return err;
}

static int hardware_alloc(struct qpu_device *d, size_t size, struct qpu_memory *out)
{
    struct hardware *h = d->priv;
    *out = (struct qpu_memory){.size = (size + PAGE - 1) / PAGE * PAGE};
    uint32_t handle;
    int err = alloc_handle(h, out->size, &handle);
    if (err)
        return err;
    uint32_t bus = call_firmware_with(h, QPU_TAG_LOCK, handle);
    if (!bus || bus == UINT32_MAX) {
        free_handle(h, handle);
        return -ENOMEM;
    }
    err = h->os->map(h->os->self, h->mem, qpu_board_physical(&h->board, bus), out->size, &out->arm);
    if (err) {
        out->arm = NULL;
        free_handle(h, handle);
        return err;
    }
    out->bus = bus;
    out->handle = handle;
    qpu_words_clear(out->arm, out->size);
    return 0;
}

static void hardware_free(struct qpu_device *d, struct qpu_memory *memory)
{
    struct hardware *h = d->priv;
    if (!memory->arm)
        return;
    h->os->unmap(h->os->self, memory->arm, memory->size);
    free_handle(h, memory->handle);
    *memory = (struct qpu_memory){0};
}

static int execute(const struct qpu_system *os, int fd, const uint32_t *values)
{
    uint32_t answer;
    const int err = qpu_mailbox(os, fd, QPU_TAG_EXECUTE, values, QPU_EXECUTE_VALUES, &answer);
    return err ? err : answer ? -ETIMEDOUT : 0;
}

static int hardware_start(struct qpu_device *d, const struct qpu_launch *launch)
{
    struct hardware *h = d->priv;
    if (h->lost)
        return -EIO;
    h->launch = *launch;
    h->started_us = h->os->now_us(h->os->self);
    h->running = true;
    if (h->registers && launch->counters)
        qpu_v3d_count(h->os, h->registers);
    if (h->registers)
        qpu_v3d_start(h->os, h->registers, launch);
    else
        qpu_executor_start(&h->executor, launch, &h->control);
    return 0;
}

static void add_counts(struct hardware *h)
{
    uint64_t *counters = h->launch.counters;
    if (h->registers)
        qpu_v3d_add_counts(h->os, h->registers, counters);
    for (int i = 0; !h->registers && i < QPU_COUNTERS; i++)
        counters[i] = UINT64_MAX;
}

static int hardware_wait(struct qpu_device *d, int timeout_ms)
{
    struct hardware *h = d->priv;
    const int ended = h->registers
                          ? qpu_v3d_wait(h->os, h->registers, &h->launch, h->started_us, timeout_ms)
                          : qpu_executor_wait(&h->executor, timeout_ms);
    __sync_synchronize();
    if (h->running && ended == 1 && h->launch.counters)
        add_counts(h);
    h->running = ended == 0;
    /* Only a power-off stops a program that hangs. */
    h->lost |= ended < 0;
    if (h->lost && h->journal.enabled)
        h->journal.enabled = call_firmware_with(h, QPU_TAG_ENABLE, 0) != 0;
    return ended;
}

/* Restores the registers while the GPU has power, then takes the power off. */
static void close_power(struct hardware *h)
{
    if (h->registers && h->identified && h->journal.enabled)
        qpu_v3d_restore(h->os, h->registers, &h->saved);
    if (h->registers)
        h->os->unmap(h->os->self, (void *)h->registers, V3D_SIZE);
    if (h->journal.enabled && h->vcio >= 0) {
        h->journal.enabled = call_firmware_with(h, QPU_TAG_ENABLE, 0) != 0;
        write_journal(h);
    }
}

static void hardware_close(struct qpu_device *d)
{
    struct hardware *h = d->priv;
    const struct qpu_system *os = h->os;
    if (h->running) /* the program may still write to the memory */
        hardware_wait(d, -1);
    qpu_executor_finish(&h->executor);
    if (h->control.arm)
        os->unmap(os->self, h->control.arm, h->control.size);
    for (int i = 0; h->vcio >= 0 && i < MAX_ALLOCATIONS; i++)
        if (h->journal.handles[i])
            free_handle(h, h->journal.handles[i]);
    close_power(h);
    if (h->vcio >= 0)
        os->close(os->self, h->vcio);
    if (h->mem >= 0)
        os->close(os->self, h->mem);
    if (h->lock >= 0)
        os->close(os->self, h->lock);
    free(h);
    d->priv = NULL;
}

static const struct qpu_device_ops hardware_ops = {
    .alloc = hardware_alloc,
    .free = hardware_free,
    .start = hardware_start,
    .wait = hardware_wait,
    .close = hardware_close,
};

static int open_lock(struct hardware *h, struct fft_reason why)
{
    const struct qpu_system *os = h->os;
    h->lock = os->open(os->self, QPU_LOCK_FILE);
    if (h->lock < 0) {
        fft_reason_set(why, QPU_LOCK_FILE ": %s (the QPU engine runs as root)", strerror(-h->lock));
        return -ENODEV;
    }
    int err = os->lock(os->self, h->lock);
    if (err) {
        fft_reason_set(why, "another program uses the QPUs (it holds " QPU_LOCK_FILE ")");
        os->close(os->self, h->lock);
        h->lock = -1;
        return -ENODEV;
    }
    /* The journal may list what a killed process did not free. */
    int size = os->load(os->self, h->lock, &h->journal, sizeof h->journal);
    if (size != sizeof h->journal || h->journal.magic != JOURNAL_MAGIC)
        h->journal = (struct journal){.magic = JOURNAL_MAGIC};
    return 0;
}

/* Before the lock: who may not open them makes no lock file. Root could not open that of another
 * user (fs.protected_regular). */
static int open_files(struct hardware *h, struct fft_reason why)
{
    const struct qpu_system *os = h->os;
    h->vcio = os->open(os->self, "/dev/vcio");
    if (h->vcio < 0) {
        fft_reason_set(why, "/dev/vcio: %s (%s)", strerror(-h->vcio),
                       h->vcio == -ENOENT
                           ? "the firmware's mailbox is in Raspberry Pi's own kernels"
                           : "the QPU engine runs as root");
        return -ENODEV;
    }
    h->mem = os->open(os->self, "/dev/mem");
    if (h->mem < 0) {
        fft_reason_set(why, "/dev/mem: %s (the QPU engine runs as root, with CAP_SYS_RAWIO)",
                       strerror(-h->mem));
        return -ENODEV;
    }
    return 0;
}

/* Kernels that reserve the registers for drivers refuse to map them. */
static void map_registers(struct qpu_device *d)
{
    struct hardware *h = d->priv;
    void *at;
    const uint32_t physical = h->board.peripherals + V3D_OFFSET;
    if (h->os->map(h->os->self, h->mem, physical, V3D_SIZE, &at) == 0)
        h->registers = at;
    else
        d->limit_ms = QPU_FIRMWARE_LIMIT_MS;
}

static int identify(struct hardware *h, struct fft_reason why)
{
    const uint32_t ident = h->os->peek(h->os->self, &h->registers[V3D_IDENT0 / 4]);
    h->identified = (ident & V3D_IDENT_MASK) == V3D_IDENT;
    if (h->identified) {
        qpu_v3d_save(h->os, h->registers, &h->saved);
        return 0;
    }
    fft_reason_set(why, "the GPU does not answer (its name reads 0x%08x)", ident);
    return -ENODEV;
}

/* Resets the QPUs, frees the memory of a killed process, and switches the power on. The firmware
 * refuses power when the kernel drives the GPU. */
static int open_power(struct hardware *h, struct fft_reason why)
{
    if (h->journal.enabled)
        call_firmware_with(h, QPU_TAG_ENABLE, 0);
    h->journal.enabled = 0;
    for (int i = 0; i < MAX_ALLOCATIONS; i++)
        if (h->journal.handles[i])
            free_handle(h, h->journal.handles[i]);
    if (call_firmware_with(h, QPU_TAG_ENABLE, 1)) {
        fft_reason_set(why, QPU_NOT_GIVEN);
        return -ENODEV;
    }
    h->journal.enabled = 1;
    write_journal(h);
    return h->registers ? identify(h, why) : 0;
}

/* Also without the firmware's launches: the page shows that memory can be had and mapped. */
static int open_control(struct qpu_device *d, struct fft_reason why)
{
    struct hardware *h = d->priv;
    int err = hardware_alloc(d, PAGE, &h->control);
    if (err) {
        fft_reason_set(why, "no memory of the GPU (%s): %s, and reboot", strerror(-err),
                       err == -EPERM ? "add iomem=relaxed to cmdline.txt"
                                     : "set gpu_mem=64 or more in config.txt");
        return -ENODEV;
    }
    if (h->registers)
        return 0;
    err = qpu_executor_init(&h->executor, h->os, h->vcio, execute);
    if (err)
        fft_reason_set(why, "no thread for calls of the firmware: %s", strerror(-err));
    return err;
}

int qpu_hardware_open(const struct qpu_system *os, const char *device, struct qpu_device *d,
                      struct fft_reason why)
{
    const bool direct = !strcmp(device, "direct");
    struct qpu_board board;
    if (*device && !direct) {
        fft_reason_set(why, "'%s': the device is empty or 'direct'", device);
        return -EINVAL;
    }
    int err = qpu_board_find(os, direct, &board, why);
    err = err ? err : qpu_vcio2_open(os, &board, d, why);
    if (err != -ENOENT)
        return err;
    struct hardware *h = calloc(1, sizeof *h);
    if (!h)
        return -ENOMEM;
    *h = (struct hardware){.os = os, .board = board, .vcio = -1, .mem = -1, .lock = -1};
    *d = (struct qpu_device){.ops = &hardware_ops, .priv = h};
    err = open_files(h, why);
    err = err ? err : open_lock(h, why);
    if (!err)
        map_registers(d);
    snprintf(d->about, sizeof d->about, "%s%s%s", board.name, direct ? ", direct" : "",
             d->limit_ms ? ", without its registers" : "");
    err = err ? err : open_power(h, why);
    err = err ? err : open_control(d, why);
    if (err)
        hardware_close(d);
    return err;
}
