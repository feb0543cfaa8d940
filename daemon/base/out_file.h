/* out_file.h - opens what results are written to, without waiting for who reads them. Any thread.
 */
#ifndef FFTD_DAEMON_BASE_OUT_FILE_H
#define FFTD_DAEMON_BASE_OUT_FILE_H

/*
 * A file descriptor to write to: a file, made if it is not there and left as it is, a pipe or a
 * device. "-" is standard output. Does not block, and what is written to a pipe does not either.
 * -ENXIO: a FIFO that nobody reads yet, which is no error but a reason to try again; else -errno.
 */
int out_file_open(const char *path);

#endif
