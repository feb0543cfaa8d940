/*
 * device.h - QPUs to run programs on, and memory that they share with the ARM. An interface with
 * two implementations: the hardware (qpu_hardware_open), and the tests' emulator.
 *
 * One thread at a time. Memory is counted in bytes; a bus address is what QPU programs use. A
 * program runs while the ARM does other things: launch.h says who waits for whom.
 */
#ifndef FFTD_FFT_QPU_DEVICE_H
#define FFTD_FFT_QPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/engine.h"
#include "fft/qpu/isa.h"

struct qpu_memory {
    void *arm;       /* where the ARM sees it, by words.h only; NULL: not allocated */
    uint32_t bus;    /* where the QPUs see it: a multiple of 4096 */
    size_t size;     /* bytes, a multiple of 4096 */
    uint32_t handle; /* the implementation's */
};

struct qpu_launch {
    uint32_t code;                /* bus address, the same for all */
    uint32_t uniforms[QPU_COUNT]; /* bus address of each QPU's own */
    unsigned qpus;
    uint64_t points; /* transformed by it: says which way to start it is the cheaper one */
    unsigned timeout_ms;

    bool running; /* launch.c's, as is the result */
    int result;
};

struct qpu_device {
    const struct qpu_device_ops *ops;
    void *priv;                 /* ops' own */
    struct qpu_launch *running; /* launch.c's; NULL: none */
    char about[96];
};

struct qpu_device_ops {
    /* Zeroed, or -ENOMEM. */
    int (*alloc)(struct qpu_device *d, size_t size, struct qpu_memory *out);
    /* Also of memory that was never allocated. */
    void (*free)(struct qpu_device *d, struct qpu_memory *memory);
    /* Starts it, and returns while it runs; none runs yet. 0, or -EIO: nothing can be run any more.
     */
    int (*start)(struct qpu_device *d, const struct qpu_launch *launch);
    /*
     * For the one that was started. 1: it has ended; 0: not within timeout_ms (0: just looks; < 0:
     * as long as its own time-out lets it); -ETIMEDOUT or -EIO: then nothing can be run any more.
     */
    int (*wait)(struct qpu_device *d, int timeout_ms);
    void (*close)(struct qpu_device *d); /* waits for what runs */
};

/* Up to these points the registers start a program; more are worth the firmware's 100 us. */
enum { QPU_DIRECT_POINTS = 5 << 12 };

struct qpu_system;

/*
 * Opens the hardware through `os`, which must live as long. device: "" or "direct" (see board.h).
 * -ENODEV or -EINVAL with the reason. Close with d->ops->close(d), which frees all memory as well;
 * what a process that was killed left behind, the next one that opens frees.
 */
int qpu_hardware_open(const struct qpu_system *os, const char *device, struct qpu_device *d,
                      struct reason why);

#endif
