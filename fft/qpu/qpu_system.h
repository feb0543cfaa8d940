/*
 * qpu_system.h - the operating system calls of the QPU's device layer. A table, so that tests can
 * simulate the kernel, the firmware and the registers. All return 0 or more, or -errno.
 */
#ifndef FFTD_FFT_QPU_QPU_SYSTEM_H
#define FFTD_FFT_QPU_QPU_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

struct qpu_system {
    void *self; /* passed to every call */

    /* Reads a small file: the number of bytes, at most size. */
    int (*read_file)(void *self, const char *path, void *to, size_t size);

    int (*open)(void *self, const char *path); /* read and write, O_SYNC; creates the lock file */
    void (*close)(void *self, int fd);
    int (*lock)(void *self, int fd); /* -EWOULDBLOCK: another process holds it */
    int (*load)(void *self, int fd, void *to, size_t size); /* reads from offset 0: bytes */
    /* writes at offset 0: bytes */
    int (*store)(void *self, int fd, const void *from, size_t size);

    int (*property)(void *self, int fd,
                    uint32_t *message); /* sends to the firmware; the reply overwrites it */

    /* ioctl: 0 or more, as the driver answers */
    int (*control)(void *self, int fd, unsigned long request, void *argument);

    int (*map)(void *self, int fd, uint64_t physical, size_t size, void **out);
    void (*unmap)(void *self, void *at, size_t size);
    uint32_t (*peek)(void *self, const volatile uint32_t *at);
    void (*poke)(void *self, volatile uint32_t *at, uint32_t value);

    uint64_t (*now_us)(void *self); /* monotonic */
    void (*sleep_us)(void *self, unsigned us);
};

extern const struct qpu_system qpu_system_linux;

#define QPU_LOCK_FILE "/run/lock/fftd-qpu.lock"

#endif
