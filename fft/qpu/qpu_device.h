/*
 * qpu_device.h - the interface to a set of QPUs: memory that they share with the ARM, and program
 * launches. It has two implementations: the hardware (qpu_hardware_open) and the tests' emulator.
 *
 * Calls come from one thread at a time. Sizes are in bytes. QPU programs use bus addresses. A
 * program runs asynchronously; qpu_launch.h orders the launches of several users.
 */
#ifndef FFTD_FFT_QPU_QPU_DEVICE_H
#define FFTD_FFT_QPU_QPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/engine.h"
#include "fft/qpu/qpu_isa.h"

struct qpu_memory {
    void *arm;       /* the ARM's mapping, accessed only through qpu_words.h; NULL: not allocated */
    uint32_t bus;    /* the QPUs' address, a multiple of 4096 */
    size_t size;     /* bytes, a multiple of 4096 */
    uint32_t handle; /* private to the implementation */
};

/* Events of all QPUs during a launch; cycles are the GPU's. */
enum qpu_counter {
    QPU_IDLE_CYCLES,
    QPU_EXECUTING_CYCLES, /* valid instructions */
    QPU_STALLED_CYCLES,   /* waiting for TMUs */
    QPU_INSTRUCTION_MISSES,
    QPU_UNIFORM_MISSES,
    QPU_TMU_MISSES,
    QPU_L2_MISSES,
    QPU_COUNTERS
};

struct qpu_launch {
    uint32_t code;                /* bus address of the program, the same for all QPUs */
    uint32_t uniforms[QPU_COUNT]; /* bus address of each QPU's uniforms */
    unsigned qpus;
    unsigned timeout_ms;
    /* [QPU_COUNTERS], to add the launch's events to, or UINT64_MAX for events that the device does
     * not count; NULL: count nothing. */
    uint64_t *counters;

    /* owned by qpu_launch.c */
    bool running;
    int result;
};

struct qpu_device {
    const struct qpu_device_ops *ops;
    void *priv;                 /* owned by ops */
    struct qpu_launch *running; /* owned by qpu_launch.c; NULL: none */
    unsigned limit_ms;          /* time that a launch may take; 0: no limit */
    char about[96];
};

struct qpu_device_ops {
    /* Allocates zeroed memory. 0, or -ENOMEM or another -errno. */
    int (*alloc)(struct qpu_device *d, size_t size, struct qpu_memory *out);
    /* Does nothing for memory that is not allocated. */
    void (*free)(struct qpu_device *d, struct qpu_memory *memory);
    /* Starts a launch and returns while it runs. No other launch may be running. 0, or -EIO: the
     * device is lost, and no launch can run any more. */
    int (*start)(struct qpu_device *d, const struct qpu_launch *launch);
    /*
     * Waits for the running launch. 1: it has ended. 0: it has not ended within timeout_ms (0:
     * checks once; < 0: waits until the launch's own time-out). -ETIMEDOUT or -EIO: the device is
     * lost.
     */
    int (*wait)(struct qpu_device *d, int timeout_ms);
    void (*close)(struct qpu_device *d); /* waits for the running launch */
};

/* The limit of launches by the firmware: Linux stops waiting for the firmware after 1 s. */
enum { QPU_FIRMWARE_LIMIT_MS = 900 };

#define QPU_NOT_GIVEN                                                                              \
    "the firmware does not give the QPUs away: take dtoverlay=vc4-kms-v3d or vc4-fkms-v3d out of " \
    "config.txt, set gpu_mem=64, and reboot"

struct qpu_system;

/*
 * Opens the hardware through `os`, which must outlive the device. `device`: "" or "direct" (see
 * qpu_board.h). Returns 0, -ENODEV or -EINVAL with the reason, or -ENOMEM. Close with
 * d->ops->close(d), which also frees all memory. Memory that a killed process leaves allocated is
 * freed by the next process that opens the device.
 *
 * The driver vcio2 is used where it is loaded (qpu_vcio2.h): its author says that no program may
 * use the firmware beside it. Otherwise the device starts all launches through the GPU's registers.
 * Where the kernel does not let it map them, the firmware starts all launches, each within
 * QPU_FIRMWARE_LIMIT_MS. The two are never mixed, because each sets up the GPU's interrupts for
 * itself.
 */
int qpu_hardware_open(const struct qpu_system *os, const char *device, struct qpu_device *d,
                      struct fft_reason why);

#endif
