/*
 * out_file.h - a file, FIFO, device or standard output that gets rows. One thread at a time.
 *
 * What an old file contains is not lost. Rows of the same form are an earlier output, and more are
 * appended; `overwrite` empties the file once. A file that has a part of a first row alone, as
 * after a kill, is renamed to FILE.damaged-1. Anything else is refused. A file that another process
 * writes as its output is refused too. All files are opened with O_APPEND: others may shorten or
 * move them.
 *
 * A file that reached a limit is renamed to FILE.000001, FILE.000002, ..., the newest with the
 * highest number, and the next row begins a new one. No name is used twice. The oldest of them are
 * deleted, and logged, if there are more than `keep`.
 */
#ifndef FFTD_DAEMON_FILES_OUT_FILE_H
#define FFTD_DAEMON_FILES_OUT_FILE_H

#include <sys/types.h>

#include "daemon/files/out_form.h"

struct reason;

struct out_limits {
    uint64_t max_bytes; /* of a file; 0: no limit */
    double max_age_s;   /* of a file, in real time alone; 0: no limit */
    uint32_t keep;      /* renamed files, in real time alone; 0: all */
    bool realtime;
};

struct out_file_config {
    const char *path;            /* "-": standard output */
    const struct out_form *form; /* NULL: nothing is an earlier output */
    struct out_limits limits;
    bool overwrite;
};

/* {.fd = -1} is closed. */
struct out_file {
    struct out_file_config config;
    int fd;               /* non-blocking; -1: not open, or a FIFO without a reader */
    bool regular, fifo;   /* a FIFO with a name can be opened again */
    bool own;             /* a regular file with a name that belongs to no other descriptor */
    bool appends;         /* O_APPEND */
    bool first_part;      /* an own file has a part of a first row alone */
    uint64_t end;         /* of an own file: after the last write */
    uint64_t since_ns;    /* the monotonic clock; after restarts of the process, before its start */
    uint64_t renaming_ns; /* the next try to rename it, after one that failed */
};

/*
 * Opens or creates the file and changes nothing of its contents. 0, also for a FIFO without a
 * reader; -errno with one line in *why that names the file.
 */
int out_file_open(struct out_file *f, const struct out_file_config *config, struct reason *why);
/*
 * Once, before the first row: empties an old file, or cuts the row that is not whole, or renames a
 * file with nothing else. An error may leave no open file.
 */
int out_file_begin(struct out_file *f, struct reason *why);
/*
 * Before a row of this many bytes: renames a full file; opens a new one if this one was deleted.
 * An error leaves no open file: try out_file_reopen.
 */
int out_file_prepare(struct out_file *f, uint64_t bytes, struct reason *why);
/* Opens what has the name now, unless that is this file. An error leaves no open file. */
int out_file_reopen(struct out_file *f, struct reason *why);
uint64_t out_file_size(const struct out_file *f); /* of a regular file */
void out_file_close(struct out_file *f);

/*
 * For --check-config, and before a start: 0 if it seems possible to open the file, and if it may be
 * written. Changes nothing. Errors as in out_file_open.
 */
int out_file_check(const struct out_file_config *config, struct reason *why);
/* Standard files and other descriptors that the caller of the program opened. */
bool out_file_is_inherited(const char *path);

/* 0 if a file can be created in the folder of this one. The folders of fftd.service need not exist.
 */
int out_file_check_folder(const char *path);
/*
 * Makes a folder with these rights, less the umask, unless it is there. 0: it is a folder; else
 * -errno, -ENOTDIR if it is a file.
 */
int out_file_make_folder(const char *folder, unsigned mode);

#endif
