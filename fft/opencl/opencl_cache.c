/* opencl_cache.c - reads, writes and prunes the entries of the cache folder. */
#include "fft/opencl/opencl_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECES = 4, MAX_BYTES = 256 << 20 };

struct header {
    char magic[8];
    uint64_t key_bytes, data_bytes, sum; /* sum: of key and data */
};
static const char magic[8] = {'f', 'f', 't', 'd', 'c', 'l', '1', '\n'};

/* ---- names ------------------------------------------------------------------------------ */

/* FNV-1a (G. Fowler, L. Noll, K.-P. Vo). It detects damage and accidental collisions, not
 * attacks. */
static uint64_t add_to_sum(uint64_t sum, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ at[i]) * 0x100000001b3U;
    return sum;
}

static uint64_t sum_of_key(const struct opencl_key *key, uint64_t sum)
{
    for (int i = 0; i < PIECES && key->pieces[i]; i++)
        sum = add_to_sum(sum, key->pieces[i], strlen(key->pieces[i]) + 1);
    return sum;
}

static const uint64_t fnv_basis = 0xcbf29ce484222325U;

static void path_of(const struct opencl_cache *c, const struct opencl_key *key, char *out,
                    size_t size)
{
    snprintf(out, size, "%s/%016llx", c->folder, (unsigned long long)sum_of_key(key, fnv_basis));
}

void opencl_cache_open(struct opencl_cache *c, const char *folder)
{
    const char *first = secure_getenv("CACHE_DIRECTORY"), *user = getenv("XDG_CACHE_HOME"),
               *home = secure_getenv("HOME");
    int length = 0;
    c->bytes = OPENCL_CACHE_BYTES;
    c->folder[0] = '\0';
    if (strcmp(folder, "off") == 0)
        return;
    if (folder[0])
        length = snprintf(c->folder, sizeof c->folder, "%s", folder);
    else if (first && first[0] == '/') /* a list, separated by colons */
        length =
            snprintf(c->folder, sizeof c->folder, "%.*s/opencl", (int)strcspn(first, ":"), first);
    else if (user && user[0] == '/')
        length = snprintf(c->folder, sizeof c->folder, "%s/fftd/opencl", user);
    else if (home && home[0] == '/')
        length = snprintf(c->folder, sizeof c->folder, "%s/.cache/fftd/opencl", home);
    if (length < 0 || (size_t)length >= sizeof c->folder)
        c->folder[0] = '\0';
}

/* ---- reading ---------------------------------------------------------------------------- */

static bool read_all(int file, void *to, size_t bytes)
{
    char *at = to;
    while (bytes > 0) {
        const ssize_t got = read(file, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

/* Reads key and data after the header. Both must match the header and the key exactly. */
static char *read_checked(int file, const struct opencl_key *key, size_t *bytes)
{
    struct header h;
    struct stat about;
    if (fstat(file, &about) < 0 || !S_ISREG(about.st_mode) || !read_all(file, &h, sizeof h) ||
        memcmp(h.magic, magic, sizeof magic) != 0 || h.key_bytes > MAX_BYTES ||
        h.data_bytes > MAX_BYTES ||
        (uint64_t)about.st_size != sizeof h + h.key_bytes + h.data_bytes)
        return NULL;
    const size_t key_bytes = (size_t)h.key_bytes, data_bytes = (size_t)h.data_bytes;
    char *all = malloc(key_bytes + data_bytes + 1);
    if (!all)
        return NULL;
    bool good = read_all(file, all, key_bytes + data_bytes) &&
                add_to_sum(fnv_basis, all, key_bytes + data_bytes) == h.sum;
    size_t at = 0;
    for (int i = 0; good && i < PIECES && key->pieces[i]; i++) {
        const size_t length = strlen(key->pieces[i]) + 1;
        good = at + length <= key_bytes && memcmp(all + at, key->pieces[i], length) == 0;
        at += length;
    }
    if (!good || at != key_bytes) {
        free(all);
        return NULL;
    }
    memmove(all, all + key_bytes, data_bytes);
    all[data_bytes] = '\0';
    *bytes = data_bytes;
    return all;
}

void *opencl_cache_load(const struct opencl_cache *c, const struct opencl_key *key, size_t *bytes)
{
    char path[PATH_MAX];
    if (!c->folder[0])
        return NULL;
    path_of(c, key, path, sizeof path);
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return NULL;
    char *data = read_checked(file, key, bytes);
    if (data)
        futimens(file, NULL); /* marks the entry as used now */
    close(file);
    return data;
}

/* ---- writing ---------------------------------------------------------------------------- */

static void make_folders(const char *folder)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", folder);
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
}

static bool write_all(int file, const void *from, size_t bytes)
{
    const char *at = from;
    while (bytes > 0) {
        const ssize_t put = write(file, at, bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        bytes -= (size_t)put;
    }
    return true;
}

static bool write_entry(int file, const struct opencl_key *key, const void *data, size_t bytes)
{
    struct header h = {.data_bytes = bytes, .sum = sum_of_key(key, fnv_basis)};
    memcpy(h.magic, magic, sizeof magic);
    h.sum = add_to_sum(h.sum, data, bytes);
    for (int i = 0; i < PIECES && key->pieces[i]; i++)
        h.key_bytes += strlen(key->pieces[i]) + 1;
    bool good = write_all(file, &h, sizeof h);
    for (int i = 0; good && i < PIECES && key->pieces[i]; i++)
        good = write_all(file, key->pieces[i], strlen(key->pieces[i]) + 1);
    return good && write_all(file, data, bytes);
}

/* ---- eviction --------------------------------------------------------------------------- */

struct entry {
    char name[20];
    uint64_t bytes;
    struct timespec used;
};

/* The name of an entry, or of a draft that a killed process may have left. */
static bool is_ours(const char *name)
{
    const size_t length = strlen(name);
    return (length == 16 && strspn(name, "0123456789abcdef") == 16) ||
           (length == 12 && strncmp(name, "draft.", 6) == 0);
}

static int latest_first(const void *a, const void *b)
{
    const struct timespec x = ((const struct entry *)a)->used, y = ((const struct entry *)b)->used;
    if (x.tv_sec != y.tv_sec)
        return x.tv_sec > y.tv_sec ? -1 : 1;
    return (x.tv_nsec < y.tv_nsec) - (x.tv_nsec > y.tv_nsec);
}

/* Lists all entries and drafts, malloc'ed. */
static struct entry *list(DIR *folder, size_t *count)
{
    struct entry *all = NULL;
    struct stat about;
    *count = 0;
    for (const struct dirent *e; (e = readdir(folder));) {
        if (!is_ours(e->d_name) ||
            fstatat(dirfd(folder), e->d_name, &about, AT_SYMLINK_NOFOLLOW) < 0 ||
            !S_ISREG(about.st_mode))
            continue;
        struct entry *more = realloc(all, (*count + 1) * sizeof *all);
        if (!more)
            break;
        all = more;
        all[*count] = (struct entry){.bytes = (uint64_t)about.st_size, .used = about.st_mtim};
        snprintf(all[(*count)++].name, sizeof all->name, "%s", e->d_name);
    }
    return all;
}

static void prune(const struct opencl_cache *c)
{
    DIR *folder = opendir(c->folder);
    size_t count = 0;
    uint64_t bytes = 0;
    if (!folder)
        return;
    struct entry *all = list(folder, &count);
    if (count > 0)
        qsort(all, count, sizeof *all, latest_first);
    for (size_t i = 0; i < count; i++) {
        bytes += all[i].bytes;
        if (bytes > c->bytes)
            unlinkat(dirfd(folder), all[i].name, 0);
    }
    free(all);
    closedir(folder);
}

void opencl_cache_store(const struct opencl_cache *c, const struct opencl_key *key,
                        const void *data, size_t bytes)
{
    char path[PATH_MAX], draft[PATH_MAX];
    if (!c->folder[0] || bytes > MAX_BYTES || bytes > c->bytes)
        return;
    make_folders(c->folder);
    path_of(c, key, path, sizeof path);
    snprintf(draft, sizeof draft, "%s/draft.XXXXXX", c->folder);
    const int file = mkostemp(draft, O_CLOEXEC);
    if (file < 0)
        return;
    bool good = write_entry(file, key, data, bytes);
    good = close(file) == 0 && good;
    if (!good || rename(draft, path) < 0)
        unlink(draft);
    else
        prune(c);
}
