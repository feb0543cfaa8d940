/* out_file.h - opens a file, FIFO, device or standard output for writing. Any thread. */
#ifndef FFTD_DAEMON_BASE_OUT_FILE_H
#define FFTD_DAEMON_BASE_OUT_FILE_H

/*
 * Opens `path` for writing and returns a non-blocking file descriptor. Creates a missing file and
 * does not truncate an old one. "-" is standard output. -ENXIO: a FIFO without a reader yet: try
 * again later. Otherwise -errno.
 */
int out_file_open(const char *path);
/* 0 if it seems possible to open or to create the file; else -errno. Creates nothing. */
int out_file_check(const char *path);
/* The same for the folder of a file that does not exist. Those of fftd.service need not exist. */
int out_file_check_folder(const char *path);
/*
 * Makes a folder with these rights, less the umask, unless it is there. 0: it is a folder; else
 * -errno, -ENOTDIR if it is a file.
 */
int out_file_make_folder(const char *folder, unsigned mode);

#endif
