/* qpu_system.c - implements the table of system calls on Linux. */
#include "fft/qpu/qpu_system.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fft/monotonic.h"

/* See drivers/char/broadcom/vcio.c in the kernel. The argument's size is that of a pointer. */
#define IOCTL_MBOX_PROPERTY _IOWR(100, 0, char *)

static int result(long long value)
{
    return value < 0 ? -errno : (int)value;
}

static int linux_read_file(void *self, const char *path, void *to, size_t size)
{
    (void)self;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    int bytes = result(read(fd, to, size));
    close(fd);
    return bytes;
}

static int linux_open(void *self, const char *path)
{
    (void)self;
    const int create = strcmp(path, QPU_LOCK_FILE) ? 0 : O_CREAT | O_NOFOLLOW;
    return result(open(path, O_RDWR | O_SYNC | O_CLOEXEC | create, 0600));
}

static void linux_close(void *self, int fd)
{
    (void)self;
    close(fd);
}

static int linux_lock(void *self, int fd)
{
    (void)self;
    return result(flock(fd, LOCK_EX | LOCK_NB));
}

static int linux_load(void *self, int fd, void *to, size_t size)
{
    (void)self;
    return result(pread(fd, to, size, 0));
}

static int linux_store(void *self, int fd, const void *from, size_t size)
{
    (void)self;
    return result(pwrite(fd, from, size, 0));
}

static int linux_property(void *self, int fd, uint32_t *message)
{
    (void)self;
    return result(ioctl(fd, IOCTL_MBOX_PROPERTY, message));
}

static int linux_control(void *self, int fd, unsigned long request, void *argument)
{
    (void)self;
    return result(ioctl(fd, request, argument));
}

static int linux_map(void *self, int fd, uint64_t physical, size_t size, void **out)
{
    (void)self;
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)physical);
    if (at == MAP_FAILED)
        return -errno;
    *out = at;
    return 0;
}

static void linux_unmap(void *self, void *at, size_t size)
{
    (void)self;
    munmap(at, size);
}

static uint32_t linux_peek(void *self, const volatile uint32_t *at)
{
    (void)self;
    return *at;
}

static void linux_poke(void *self, volatile uint32_t *at, uint32_t value)
{
    (void)self;
    *at = value;
}

static uint64_t linux_now_us(void *self)
{
    (void)self;
    return (uint64_t)fft_now_ns() / 1000;
}

static void linux_sleep_us(void *self, unsigned us)
{
    (void)self;
    nanosleep(&(struct timespec){.tv_sec = (time_t)(us / 1000000),
                                 .tv_nsec = (long)(us % 1000000 * 1000)},
              NULL);
}

const struct qpu_system qpu_system_linux = {
    .read_file = linux_read_file,
    .open = linux_open,
    .close = linux_close,
    .lock = linux_lock,
    .load = linux_load,
    .store = linux_store,
    .property = linux_property,
    .control = linux_control,
    .map = linux_map,
    .unmap = linux_unmap,
    .peek = linux_peek,
    .poke = linux_poke,
    .now_us = linux_now_us,
    .sleep_us = linux_sleep_us,
};
