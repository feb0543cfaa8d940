/* sigmf_archive.c - opens a SigMF archive: a tar file with one meta and one data file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/format/recording/tar.h"
#include "daemon/source/file/sigmf_source.h"

enum { EXTRA_MAX = 65536 }; /* bytes of a pax header or a long name */

struct archive {
    struct recording *recording;
    char *meta; /* text of the meta file; NULL: not read yet */
    size_t meta_size;
    bool has_data;
    uint64_t data_at, data_bytes;
    struct tar_entry extra; /* from a pax header or long name, for the next entry */
};

static int fail(struct archive *a, const char *why)
{
    return recording_fail(a->recording, -EINVAL, "%s: %s", a->recording->name, why);
}

/* Reads content and its padding into memory, and appends a NUL. NULL: the error is set. */
static char *read_content(struct archive *a, uint64_t size, uint64_t largest, const char *too_large)
{
    struct byte_stream *bytes = &a->recording->bytes;
    char *text = size <= largest ? malloc((size_t)size + 1) : NULL;
    if (!text) {
        fail(a, too_large);
        return NULL;
    }
    if (byte_stream_fill(bytes, text, (size_t)size, RECORDING_HEADER_MS)) {
        fail(a, "truncated archive");
        free(text);
        return NULL;
    }
    text[size] = 0;
    byte_stream_skip(bytes, -size % TAR_BLOCK);
    return text;
}

static int take_extra(struct archive *a, const struct tar_entry *entry)
{
    char *text = read_content(a, entry->size, EXTRA_MAX, "an extended tar header is too large");
    if (!text)
        return -EINVAL;
    int err = 0;
    if (entry->type == TAR_PAX)
        err = tar_parse_pax(text, (size_t)entry->size, &a->extra);
    else
        snprintf(a->extra.name, sizeof a->extra.name, "%s", text);
    free(text);
    return err < 0 ? fail(a, "damaged extended tar header") : 0;
}

static int take_meta(struct archive *a, const struct tar_entry *entry)
{
    if (a->meta)
        return fail(a, "more than one recording in the archive: unpack it");
    a->meta = read_content(a, entry->size, SIGMF_META_MAX, "metadata of more than 64 MiB");
    a->meta_size = (size_t)entry->size;
    return a->meta ? 0 : -EINVAL;
}

static int take_data(struct archive *a, const struct tar_entry *entry)
{
    struct byte_stream *bytes = &a->recording->bytes;
    if (a->has_data)
        return fail(a, "more than one recording in the archive: unpack it");
    if (!bytes->seekable && !a->meta)
        return fail(a,
                    "the archive has its samples before its meta: give it as a file, not a pipe");
    if (bytes->seekable && entry->size > bytes->size - bytes->at)
        return fail(a, "truncated archive");
    a->has_data = true;
    a->data_at = bytes->at;
    a->data_bytes = entry->size;
    if (bytes->seekable)
        byte_stream_skip(bytes, entry->size + -entry->size % TAR_BLOCK);
    return 0;
}

static int skip_entry(struct archive *a, const struct tar_entry *entry)
{
    byte_stream_skip(&a->recording->bytes, entry->size + -entry->size % TAR_BLOCK);
    return 0;
}

static bool ends_with(const char *name, const char *suffix)
{
    const size_t length = strlen(name), size = strlen(suffix);
    return length >= size && strcasecmp(name + length - size, suffix) == 0;
}

static int take_entry(struct archive *a, struct tar_entry *entry)
{
    if (entry->type == TAR_PAX || entry->type == TAR_LONG_NAME)
        return take_extra(a, entry);
    if (a->extra.name[0])
        snprintf(entry->name, sizeof entry->name, "%s", a->extra.name);
    if (a->extra.size != UINT64_MAX)
        entry->size = a->extra.size;
    a->extra = (struct tar_entry){.size = UINT64_MAX};
    const char *slash = strrchr(entry->name, '/'), *name = slash ? slash + 1 : entry->name;
    const bool ours =
        entry->type == TAR_FILE && strncmp(name, "._", 2) != 0; /* resource forks of macOS */
    if (ours && ends_with(name, ".sigmf-meta"))
        return take_meta(a, entry);
    if (ours && ends_with(name, ".sigmf-data"))
        return take_data(a, entry);
    return skip_entry(a, entry);
}

/* Reads all entries of a file, or those of a pipe up to the first sample. */
static int walk(struct archive *a)
{
    struct byte_stream *bytes = &a->recording->bytes;
    for (;;) {
        uint8_t block[TAR_BLOCK];
        struct tar_entry entry;
        const int end = byte_stream_fill(bytes, block, sizeof block, RECORDING_HEADER_MS);
        if (end)
            return end == -ENODATA ? 0
                                   : recording_fail(a->recording, end, "%s: %s", a->recording->name,
                                                    byte_stream_error(bytes, end));
        const int kind = tar_parse_header(block, &entry);
        if (kind < 0)
            return fail(a, "no tar archive");
        const int err = kind == 1 ? 0 : take_entry(a, &entry);
        if (err < 0 || kind == 1 || (a->has_data && !bytes->seekable))
            return err;
    }
}

static int use(struct archive *a, bool any_format)
{
    struct recording *r = a->recording;
    struct sigmf_meta meta = {0};
    if (!a->meta || !a->has_data)
        return fail(a, a->meta ? "no .sigmf-data in the archive" : "no .sigmf-meta in the archive");
    int err = recording_parse_meta(r, a->meta, a->meta_size, any_format, &meta);
    r->data_at = a->data_at;
    r->data_bytes = a->data_bytes;
    if (err == 0)
        err = recording_take_meta(r, &meta);
    if (err == 0 && r->bytes.seekable)
        err = byte_stream_seek(&r->bytes, a->data_at);
    sigmf_meta_finish(&meta);
    return err;
}

int recording_open_sigmf_archive(struct recording *r, const char *path, bool any_format)
{
    struct archive a = {.recording = r, .extra = {.size = UINT64_MAX}};
    int err = recording_open_bytes(r, path);
    if (err == 0)
        err = walk(&a);
    if (err == 0)
        err = use(&a, any_format);
    free(a.meta);
    return err;
}
