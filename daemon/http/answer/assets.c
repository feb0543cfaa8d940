/* assets.c - finds the files of the page in the program or in a folder. */
#include "daemon/http/answer/assets.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/reason.h"

static const char *const types[][2] = {
    {"css", "text/css; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/x-icon"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"md", "text/plain; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"txt", "text/plain; charset=utf-8"},
    {"wasm", "application/wasm"},
    {"webmanifest", "application/manifest+json"},
    {"woff2", "font/woff2"},
};

static const char *type_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++) {
        if (strcasecmp(dot + 1, types[i][0]) == 0)
            return types[i][1];
    }
    return "application/octet-stream";
}

/* A hash of the content, so that a browser never combines an old page with a new script. */
static void make_etag(struct asset *a)
{
    unsigned char hash[SHA256_DIGEST_LENGTH];
    SHA256(a->data, a->size, hash);
    char *at = a->etag;
    *at++ = '"';
    for (int i = 0; i < 16; i++)
        at += sprintf(at, "%02x", hash[i]);
    *at++ = '"';
    *at = '\0';
}

static void describe(struct asset *a, const char *path)
{
    a->type = type_of(path);
    make_etag(a);
}

/* ---- built in --------------------------------------------------------------------------- */

/* The path after a "/VERSION"; NULL: it does not begin with that of this program. */
static const char *after_version(const char *path)
{
    const size_t length = strlen(embedded_version);
    const bool versioned =
        strncmp(path + 1, embedded_version, length) == 0 && path[1 + length] == '/';
    return versioned ? path + 1 + length : NULL;
}

static int load_embedded(struct asset *a, const char *path, bool gzip)
{
    const char *versioned = after_version(path);
    if (versioned)
        path = versioned;
    for (const struct embedded_file *f = embedded_files; f->path; f++) {
        if (strcmp(f->path, path) != 0)
            continue;
        *a = (struct asset){.data = f->begin, .size = (size_t)(f->end - f->begin)};
        if (gzip && f->gzip)
            *a = (struct asset){
                .data = f->gzip, .size = (size_t)(f->gzip_end - f->gzip), .gzip = true};
        a->fixed = versioned != NULL;
        describe(a, path);
        return 0;
    }
    return -ENOENT;
}

/* ---- from a folder ---------------------------------------------------------------------- */

/* Finds the real path of root + path. -ENOENT if links or dots lead out of root. */
static int resolve(const char *root, const char *path, char real[PATH_MAX])
{
    char joined[PATH_MAX];
    char real_root[PATH_MAX];
    if ((size_t)snprintf(joined, sizeof joined, "%s%s", root, path) >= sizeof joined)
        return -ENOENT;
    if (!realpath(root, real_root) || !realpath(joined, real))
        return -ENOENT;
    const size_t length = strlen(real_root);
    const bool inside = strncmp(real, real_root, length) == 0 &&
                        (real[length] == '/' || (length == 1 && real_root[0] == '/'));
    return inside ? 0 : -ENOENT;
}

static int read_all(int fd, struct asset *a)
{
    struct stat is;
    if (fstat(fd, &is) < 0)
        return -errno;
    if (!S_ISREG(is.st_mode))
        return -ENOENT;
    if (is.st_size > ASSET_MAX)
        return -EFBIG;
    a->memory = malloc((size_t)is.st_size + 1);
    if (!a->memory)
        return -ENOMEM;
    const ssize_t got = read(fd, a->memory, (size_t)is.st_size);
    if (got < 0)
        return -errno;
    a->size = (size_t)got;
    a->data = a->memory;
    return 0;
}

static int load_from_folder(struct asset *a, const char *path, const char *root)
{
    char real[PATH_MAX];
    *a = (struct asset){0};
    int err = resolve(root, path, real);
    if (err < 0)
        return err;
    const int fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not block */
    if (fd < 0)
        return errno == EACCES ? -EACCES : -ENOENT;
    err = read_all(fd, a);
    close(fd);
    if (err < 0)
        asset_free(a);
    else
        describe(a, path);
    return err;
}

int asset_load(struct asset *a, const char *path, const char *root, bool gzip)
{
    char file[PATH_MAX];
    const size_t length = strlen(path);
    const char *index = length > 0 && path[length - 1] == '/' ? "index.html" : "";
    if (path[0] != '/' || (size_t)snprintf(file, sizeof file, "%s%s", path, index) >= sizeof file)
        return -ENOENT;
    return root ? load_from_folder(a, file, root) : load_embedded(a, file, gzip);
}

void asset_free(struct asset *a)
{
    free(a->memory);
    *a = (struct asset){0};
}

int asset_check_root(const char *root, struct reason *why)
{
    struct stat is;
    const int err = stat(root, &is) < 0 ? -errno : S_ISDIR(is.st_mode) ? 0 : -ENOTDIR;
    return err == 0 ? 0 : reason_set(why, err, "web root %s: %s", root, strerror(-err));
}
