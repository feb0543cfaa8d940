/*
 * named_file.h - reads a small file that the user names: a regular file, a pipe or /dev/null. Any
 * thread; waits for the disk, and for who writes to the pipe.
 *
 * A file in one of fftd's own folders is never a pipe: see own_file.h.
 */
#ifndef FFTD_DAEMON_SYSTEM_NAMED_FILE_H
#define FFTD_DAEMON_SYSTEM_NAMED_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads until the end, or until `capacity` bytes are there; *done: how many. It waits for the
 * writer of a pipe as long as there is one, and some seconds for the first one of a FIFO. A request
 * to interrupt (interrupt.h) ends the wait.
 *
 * 0, or -errno, which named_file_describe() puts into words: -ENODEV: a device or a socket;
 * -ETIMEDOUT: a FIFO without a writer; -EINTR.
 */
int named_file_read(const char *path, void *into, size_t capacity, size_t *done);
const char *named_file_describe(int err);
/* Its bytes can be read once alone. */
bool named_file_is_pipe(const char *path);

#endif
