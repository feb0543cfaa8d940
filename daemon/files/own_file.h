/*
 * own_file.h - opens files in fftd's own folders: the state directory, recordings, the archive.
 *
 * What lies there is outside data: anybody may have put it there, and a kill or a power failure may
 * have left it at any byte. These functions open regular files alone. They follow no link in the
 * last part of a path, wait for no FIFO and read no device. The folder itself, and the folders
 * above it, may be links: a user puts them on another disk that way. Any thread.
 */
#ifndef FFTD_DAEMON_FILES_OWN_FILE_H
#define FFTD_DAEMON_FILES_OWN_FILE_H

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * Each returns a file descriptor, or -errno, which own_file_describe() puts into words. `folder`:
 * an open directory that `path` begins in, or AT_FDCWD.
 *
 * -ENOENT: there is no file; -ELOOP: it is a symbolic link; -EISDIR, -ENODEV: it is no regular
 * file; -EMLINK: it has another name, and to write to it would change that file too; -EFBIG: it is
 * longer than `most` bytes.
 */
int own_file_open(int folder, const char *path, uint64_t most); /* to read; *most* 0: any size */
/* To read and write in place, with more flags: O_CREAT makes a missing file, O_APPEND appends. */
int own_file_open_write(int folder, const char *path, int flags);
/* A new file, to read and write. -EEXIST: there is something of this name, also a link that leads
 * nowhere. */
int own_file_create(const char *path);
/*
 * 0: there is nothing of this name, or a regular file without another name. Otherwise the same
 * errors: for libraries that open files themselves.
 */
int own_file_check(const char *path);
int own_file_kind(const struct stat *st); /* 0, -ELOOP, -EISDIR or -ENODEV */
const char *own_file_describe(int err);

/*
 * Renames a damaged file to PATH.damaged-N with the first N that is free, and logs a warning with
 * both names. Nothing is overwritten. *number (may be NULL): N; 0 on the call: the first free one,
 * otherwise that one, so that files that belong together get the same. -errno: the file stays.
 */
int own_file_move_aside(const char *path, const char *why, unsigned *number);

#endif
