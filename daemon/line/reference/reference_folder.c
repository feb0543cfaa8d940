/* reference_folder.c - reads, writes and removes the files of references. */
#include "daemon/line/reference/reference_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/own_file.h"
#include "daemon/files/text_file.h"
#include "daemon/line/reference/reference_file.h"
#include "daemon/system/interrupt.h"

enum { FILES_MAX = 2 * REFERENCES_MAX, BAD_LOGGED = 5 };
static const char suffix[] = ".ref", temporary[] = ".tmp";

/* FOLDER/NAMESUFFIX; NULL: no memory. */
static char *path_of(const char *folder, const char *name, const char *end)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s%s", folder, name, end) < 0 ? NULL : path;
}

char *reference_folder_open(const char *state_dir)
{
    char *folder = path_of(state_dir, "references", "");
    if (folder && mkdir(folder, 0755) < 0 && errno != EEXIST) {
        log_warn("%s: %s: references end with this fftd", folder, strerror(errno));
        free(folder);
        return NULL;
    }
    return folder;
}

/* ---- reading ---------------------------------------------------------------------------- */

enum { BYTES_MAX = REFERENCE_BINS_MAX * sizeof(float) + 4096 };

static int read_reference(const char *path, const char *name, struct reference **out,
                          struct reason *why)
{
    struct text text = {0};
    struct reason inner = {0};
    *out = NULL;
    int err = text_file_read_own(&text, path, BYTES_MAX, why);
    if (err == 0 && (err = reference_parse(out, text.data, text.length, &inner)) < 0)
        reason_set(why, err, "%s: %s", path, inner.sentence);
    text_finish(&text);
    if (err == 0 && strcmp((*out)->name, name) != 0) {
        reference_unref(*out);
        return reason_set(why, -EINVAL, "%s: it states another name", path);
    }
    return err;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* 1: the file is a reference. */
static int read_one(const char *folder, const char *file,
                    void (*add)(void *user, struct reference *r), void *user, bool log)
{
    struct reason why = {.sentence = "no memory"};
    int good = 0;
    struct reference *r = NULL;
    char *path = path_of(folder, file, "");
    char *name = strndup(file, strlen(file) - strlen(suffix));
    if (path && name && read_reference(path, name, &r, &why) == 0) {
        add(user, r);
        good = 1;
    } else if (log) {
        log_warn("a reference is left out: %s", why.sentence);
    }
    free(path);
    free(name);
    return good;
}

/* A temporary file is what a power failure left. */
static void remove_temporary(const char *folder, const char *file)
{
    char *path = path_of(folder, file, "");
    if (path)
        unlink(path);
    free(path);
}

void reference_folder_read(const char *folder, void (*add)(void *user, struct reference *r),
                           void *user)
{
    DIR *dir = opendir(folder);
    if (!dir) {
        log_warn("%s: %s", folder, strerror(errno));
        return;
    }
    unsigned good = 0, bad = 0, more = 0;
    for (const struct dirent *d; !interrupt_requested() && (d = readdir(dir));) {
        const bool is_reference = ends_with(d->d_name, suffix);
        if (is_reference && good + bad >= (unsigned)FILES_MAX)
            more++;
        else if (is_reference && read_one(folder, d->d_name, add, user, bad < BAD_LOGGED))
            good++;
        else if (is_reference)
            bad++;
        else if (ends_with(d->d_name, temporary))
            remove_temporary(folder, d->d_name);
    }
    closedir(dir);
    if (bad > BAD_LOGGED || more > 0)
        log_warn("%s: %u files are not references; %u above the limit of %d are not read", folder,
                 bad, more, FILES_MAX);
}

/* ---- writing ---------------------------------------------------------------------------- */

static int write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t done = write(fd, bytes, size);
        if (done < 0 && errno != EINTR)
            return -errno;
        bytes += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return fsync(fd) < 0 ? -errno : 0;
}

static int write_file(const char *path, const struct text *text)
{
    if (unlink(path) < 0 && errno != ENOENT) /* what a kill, or somebody else, left there */
        return -errno;
    const int fd = own_file_create(path);
    if (fd < 0)
        return fd;
    int err = write_all(fd, text->data, text->length);
    if (close(fd) < 0 && err == 0)
        err = -errno;
    return err;
}

/* A rename is on the disk once its folder is. */
static int sync_folder(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    const int err = fsync(fd) < 0 ? -errno : 0;
    close(fd);
    return err;
}

int reference_folder_write(const char *folder, const struct reference *r)
{
    struct text text = {0};
    char *path = path_of(folder, r->name, suffix), *new = path_of(folder, r->name, temporary);
    reference_write(&text, r);
    int err = !path || !new || text.failed ? -ENOMEM : write_file(new, &text);
    if (err == 0 && rename(new, path) < 0)
        err = -errno;
    if (err == 0)
        err = sync_folder(folder);
    else if (new)
        unlink(new);
    text_finish(&text);
    free(path);
    free(new);
    return err;
}

int reference_folder_remove(const char *folder, const char *name)
{
    char *path = path_of(folder, name, suffix);
    const int err = !path ? -ENOMEM : unlink(path) < 0 && errno != ENOENT ? -errno : 0;
    free(path);
    return err;
}
