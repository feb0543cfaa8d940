/* out_file.h - opens a file, FIFO, device or standard output for writing. Any thread. */
#ifndef FFTD_DAEMON_BASE_OUT_FILE_H
#define FFTD_DAEMON_BASE_OUT_FILE_H

/*
 * Opens `path` for writing and returns a non-blocking file descriptor. Creates a missing file and
 * does not truncate an old one. "-" is standard output. -ENXIO: a FIFO without a reader yet: try
 * again later. Otherwise -errno.
 */
int out_file_open(const char *path);

#endif
