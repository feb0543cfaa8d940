/* file_read.h - reads a part of a file. Waits for the disk; any thread. */
#ifndef FFTD_DAEMON_FILES_FILE_READ_H
#define FFTD_DAEMON_FILES_FILE_READ_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads `bytes` from the offset `at` on, and nothing of a pipe. *done: how many it got, also after
 * a failure: fewer if the file ends before. -errno.
 */
int file_read_at(int fd, uint64_t at, void *into, size_t bytes, size_t *done);

#endif
