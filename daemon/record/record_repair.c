/* record_repair.c - reads journals, and completes the recordings that they describe. */
#include "daemon/record/record_repair.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/json.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/own_file.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_pair.h"
#include "daemon/system/interrupt.h"

/* ---- the journal ------------------------------------------------------------------------ */

static bool add_line(json_t *meta, const char *line)
{
    json_t *o = json_loads(line, 0, NULL);
    json_t *global = json_object_get(o, "global");
    json_t *capture = json_object_get(o, "capture");
    json_t *annotation = json_object_get(o, "annotation");
    if (json_is_object(global))
        json_object_set(meta, "global", global);
    if (json_is_object(capture))
        json_array_append(json_object_get(meta, "captures"), capture);
    if (json_is_object(annotation))
        json_array_append(json_object_get(meta, "annotations"), annotation);
    json_decref(o);
    return o != NULL;
}

/* The crash may have cut the last line. Nothing that fftd writes makes a longer one. */
static void read_journal(struct record_pair *p)
{
    enum { LINE_BYTES = 1 << 16 };
    char *line = malloc(LINE_BYTES);
    FILE *in = fdopen(dup(p->journal), "r");
    while (line && in && !interrupt_requested() && fgets(line, LINE_BYTES, in))
        if (!strchr(line, '\n') || !add_line(p->meta, line))
            break;
    free(line);
    if (in)
        fclose(in);
}

static uint32_t sample_bytes(const json_t *meta)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } types[] = {{"cu8", 2}, {"ci8", 2}, {"ci16_le", 4}, {"cf32_le", 8}};
    const json_t *type = json_object_get(json_object_get(meta, "global"), "core:datatype");
    for (size_t i = 0; json_is_string(type) && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(json_string_value(type), types[i].name) == 0)
            return types[i].bytes;
    return 0;
}

/* ---- one recording ---------------------------------------------------------------------- */

static int open_part(const struct record_pair *p, const char *suffix)
{
    char *path = record_pair_path(p, suffix);
    const int fd = path ? own_file_open_write(AT_FDCWD, path, 0) : -ENOMEM;
    free(path);
    return fd;
}

/* A crash before the first sample leaves nothing to keep. */
static int drop(const struct record_pair *p)
{
    record_pair_remove(p);
    log_info("recording %s removed: it has no samples", p->name);
    return 0;
}

/* Takes the bytes of the samples from *most, or leaves the hash out. */
static int make_hash(struct record_pair *p, uint64_t *most)
{
    if (p->bytes > *most) {
        EVP_MD_CTX_free(p->hash);
        p->hash = NULL;
        return 0;
    }
    *most -= p->bytes;
    return record_pair_hash(p);
}

static int complete(struct record_pair *p, uint64_t *most, struct reason *why)
{
    struct stat data;
    read_journal(p);
    if (interrupt_requested())
        return reason_set(why, -EINTR, "%s: the repair was interrupted", p->name);
    p->sample_bytes = sample_bytes(p->meta);
    const bool described = json_array_size(json_object_get(p->meta, "captures")) > 0;
    if (p->data == -ENOENT)
        return drop(p);
    if (p->data < 0 || fstat(p->data, &data) < 0) {
        const int err = p->data < 0 ? p->data : -errno;
        return reason_set(why, err, "%s%s: %s", p->name, RECORD_DATA, own_file_describe(err));
    }
    if (data.st_size == 0)
        return drop(p);
    if (p->sample_bytes == 0 || !described)
        return reason_set(why, -EINVAL, "%s%s: its journal is damaged", p->name, RECORD_PART);
    p->bytes = (uint64_t)data.st_size / p->sample_bytes * p->sample_bytes;
    int err = make_hash(p, most);
    if (err == 0)
        err = record_pair_finish(p, "interrupted", why);
    if (err < 0)
        return reason_set(why, err, "%s: %s", p->name,
                          err == -EINTR ? "the repair was interrupted" : strerror(-err));
    log_info("recording %s repaired: %llu samples%s", p->name,
             (unsigned long long)(p->bytes / p->sample_bytes),
             p->hash ? "" : ", without core:sha512, which would take long");
    return 1;
}

/* 1: repaired; 0: there was nothing to do, or a running fftd writes it. */
static int repair_one(const char *folder, const char *name, size_t length, uint64_t *most,
                      struct reason *why)
{
    struct record_pair p = {.data = -1, .folder = strdup(folder), .hash = EVP_MD_CTX_new()};
    p.meta = record_pair_empty_meta();
    memcpy(p.name, name, length);
    p.journal = p.folder && p.hash && p.meta ? open_part(&p, RECORD_PART) : -ENOMEM;
    int err = p.journal < 0 ? p.journal : 0;
    if (err == -ENOENT)
        err = 0;
    else if (err < 0)
        reason_set(why, err, "%s/%s%s: %s", folder, p.name, RECORD_PART, own_file_describe(err));
    else if (flock(p.journal, LOCK_EX | LOCK_NB) == 0) {
        p.data = open_part(&p, RECORD_DATA);
        err = complete(&p, most, why);
    }
    record_pair_close(&p);
    return err;
}

/* ---- folders and files ------------------------------------------------------------------ */

/* Repairs what it can; the first error is returned. */
static int repair_folder(const char *folder, uint64_t most, struct reason *why)
{
    int repaired = 0, first = 0;
    struct reason inner = {0};
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    if (!dir)
        return reason_set(why, -errno, "%s: %s", folder, strerror(errno));
    record_finish_deletions(folder);
    while (!interrupt_requested() && (entry = readdir(dir))) {
        const size_t length = record_name_length(entry->d_name, RECORD_PART);
        const int got = length > 0 ? repair_one(folder, entry->d_name, length, &most, &inner) : 0;
        if (got < 0 && first == 0)
            first = reason_set(why, got, "%s", inner.sentence);
        repaired += got > 0 ? got : 0;
    }
    closedir(dir);
    if (interrupt_requested() && first == 0)
        return reason_set(why, -EINTR, "%s: the repair was interrupted", folder);
    return first < 0 ? first : repaired;
}

static size_t name_length(const char *file)
{
    static const char *const suffix[] = {RECORD_PART, RECORD_DATA, RECORD_META};
    size_t length = 0;
    for (int i = 0; i < 3 && length == 0; i++)
        length = record_name_length(file, suffix[i]);
    return length;
}

int record_repair(const char *path, uint64_t most, struct reason *why)
{
    struct stat at;
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    const size_t length = name_length(file);
    if (stat(path, &at) < 0)
        return reason_set(why, -errno, "%s: %s", path, strerror(errno));
    if (S_ISDIR(at.st_mode))
        return repair_folder(path, most, why);
    if (length == 0)
        return reason_set(why, -EINVAL,
                          "%s: not a recording of fftd: expected a folder, or a file "
                          "fftd_...%s, %s or %s",
                          path, RECORD_PART, RECORD_DATA, RECORD_META);
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const int err = folder ? repair_one(folder, file, length, &most, why) : -ENOMEM;
    free(folder);
    return err;
}
