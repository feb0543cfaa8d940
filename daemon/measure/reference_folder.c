/* reference_folder.c - reads, writes and removes the files of references. */
#include "daemon/measure/reference_folder.h"

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
#include "daemon/format/reference_file.h"

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

static int read_file(const char *path, char **bytes, size_t *size)
{
    enum { SIZE_MAX_BYTES = REFERENCE_BINS_MAX * sizeof(float) + 4096 };
    FILE *f = fopen(path, "rb");
    if (!f)
        return -errno;
    *bytes = malloc(SIZE_MAX_BYTES + 1);
    *size = *bytes ? fread(*bytes, 1, SIZE_MAX_BYTES + 1, f) : 0;
    const int err = !*bytes ? -ENOMEM : ferror(f) ? -EIO : *size > SIZE_MAX_BYTES ? -EFBIG : 0;
    fclose(f);
    return err;
}

static int read_reference(const char *path, const char *name, struct reference **out, char *error,
                          size_t error_size)
{
    char *bytes = NULL;
    size_t size = 0;
    *out = NULL;
    int err = read_file(path, &bytes, &size);
    if (err < 0)
        reason_set(error, error_size, err, "%s", strerror(-err));
    else
        err = reference_parse(out, bytes, size, error, error_size);
    free(bytes);
    if (err == 0 && strcmp((*out)->name, name) != 0) {
        reference_drop(*out);
        return reason_set(error, error_size, -EINVAL, "it says that its name is another one");
    }
    return err;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static void read_one(const char *folder, const char *file,
                     void (*add)(void *user, struct reference *r), void *user)
{
    char error[200] = "no memory";
    struct reference *r = NULL;
    char *path = path_of(folder, file, "");
    char *name = strndup(file, strlen(file) - strlen(suffix));
    if (path && name && read_reference(path, name, &r, error, sizeof error) == 0)
        add(user, r);
    else
        log_warn("%s/%s: %s", folder, file, error);
    free(path);
    free(name);
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
    for (const struct dirent *d; (d = readdir(dir));) {
        if (ends_with(d->d_name, suffix))
            read_one(folder, d->d_name, add, user);
        else if (ends_with(d->d_name, temporary))
            remove_temporary(folder, d->d_name);
    }
    closedir(dir);
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
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return -errno;
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
