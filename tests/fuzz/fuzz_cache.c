/*
 * fuzz_cache.c - libFuzzer target: the files of the OpenCL engine's cache.
 *
 * The input replaces the file of an entry, or part of it. What is loaded must be what was stored,
 * or nothing. With a right checksum the input reaches the parser of keys; then what is loaded must
 * be a part of the input.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>

#include "fft/opencl/opencl_cache.h"
#include "tests/fuzz/fuzz.h"

/* The header as opencl_cache.h describes it: magic, sizes of key and data, FNV-1a of both. */
enum { MAGIC = 8, HEADER = 32 };

static const struct opencl_key key = {{"driver 1.0", "-cl-option", "source", NULL}};
static const char stored[] = "a compiled program";

static const char *folder(void)
{
    static char path[] = "/tmp/fftd-fuzz-cache-XXXXXX";
    static bool made;
    if (!made)
        check(mkdtemp(path) != NULL);
    made = true;
    return path;
}

/* The only file of the folder: the entry of `key`. */
static void entry_path(char path[PATH_MAX])
{
    DIR *dir = opendir(folder());
    check(dir != NULL);
    path[0] = '\0';
    for (const struct dirent *e; (e = readdir(dir));) {
        if (e->d_name[0] != '.')
            snprintf(path, PATH_MAX, "%s/%s", folder(), e->d_name);
    }
    closedir(dir);
    check(path[0] != '\0');
}

static uint64_t checksum(const uint8_t *bytes, size_t size)
{
    uint64_t sum = 0xcbf29ce484222325U;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3U;
    return sum;
}

static void put_u64(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

static void write_file(const char *path, const uint8_t *bytes, size_t size)
{
    const int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    check(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    close(fd);
}

/* Makes the rest of the input key and data, with the header that fits. Byte 0: size of the key. */
static void repair(uint8_t *file, size_t size)
{
    const size_t key_bytes = file[HEADER] < size - HEADER ? file[HEADER] : size - HEADER;
    memcpy(file, "fftdcl1\n", MAGIC);
    put_u64(file + 8, key_bytes);
    put_u64(file + 16, size - HEADER - key_bytes);
    put_u64(file + 24, checksum(file + HEADER, size - HEADER));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct opencl_cache cache;
    char path[PATH_MAX];
    size_t loaded = 0;
    opencl_cache_open(&cache, folder());
    opencl_cache_store(&cache, &key, stored, sizeof stored);
    entry_path(path);
    uint8_t *file = malloc(size + 1);
    check(file != NULL);
    if (size)
        memcpy(file, bytes, size);
    const bool repaired = size > HEADER && bytes[0] == 'r';
    if (repaired)
        repair(file, size);
    write_file(path, file, size);
    char *data = opencl_cache_load(&cache, &key, &loaded);
    if (data && repaired)
        check(loaded < size && memcmp(data, file + size - loaded, loaded) == 0);
    else if (data)
        check(loaded == sizeof stored && memcmp(data, stored, loaded) == 0);
    free(data);
    free(file);
    unlink(path);
    return 0;
}
