/* sigmf_archive.c - opens a SigMF archive: a tar file with a meta and a data file for each
 * recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/log.h"
#include "daemon/format/recording/tar.h"
#include "daemon/source/file/sigmf_source.h"

enum { EXTRA_MAX = 65536 }; /* bytes of a pax header or a long name */
enum { MEMBERS_MAX = 10000, LISTED = 10, LIST_BYTES = 400 };
enum { SUFFIX = sizeof ".sigmf-meta" - 1 };

/* Files of one name. In a pipe, samples end the walk. */
struct member {
    char *name; /* of both files, with their folder, without the suffix */
    char *meta; /* text of the meta file; NULL: not read yet */
    size_t meta_size;
    bool has_data;
    uint64_t data_at, data_bytes;
};

struct archive {
    struct recording *recording;
    const char *wanted; /* the name of one; NULL: the first */
    struct member *members;
    size_t count;
    uint64_t meta_bytes;    /* of all members */
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

/* ---- members ------------------------------------------------------------------------------ */

static const char *base_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* The whole name, or that without its folder. */
static bool is_wanted(const struct archive *a, const struct member *m)
{
    return !a->wanted || strcmp(m->name, a->wanted) == 0 ||
           strcmp(base_name(m->name), a->wanted) == 0;
}

/* "./dir/x.sigmf-meta" belongs to "dir/x". Names may differ in case. NULL: the error is set. */
static struct member *member_of(struct archive *a, const char *file)
{
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    const size_t length = strlen(file) - SUFFIX;
    for (size_t i = 0; i < a->count; i++) {
        const char *name = a->members[i].name;
        if (strlen(name) == length && strncasecmp(name, file, length) == 0)
            return &a->members[i];
    }
    if (a->count == MEMBERS_MAX) {
        fail(a, "more than 10000 recordings in the archive: unpack it");
        return NULL;
    }
    struct member *members = realloc(a->members, (a->count + 1) * sizeof *members);
    char *name = strndup(file, length);
    a->members = members ? members : a->members;
    if (!members || !name) {
        free(name);
        recording_fail(a->recording, -ENOMEM, "%s: no memory", a->recording->name);
        return NULL;
    }
    a->members[a->count] = (struct member){.name = name};
    return &a->members[a->count++];
}

static void drop_members(struct archive *a)
{
    for (size_t i = 0; i < a->count; i++) {
        free(a->members[i].name);
        free(a->members[i].meta);
    }
    free(a->members);
}

/* A file that was appended to the archive once more replaces the one before it. */
static int take_meta(struct archive *a, const struct tar_entry *entry)
{
    struct member *m = member_of(a, entry->name);
    if (!m)
        return a->recording->why.code;
    free(m->meta);
    a->meta_bytes -= m->meta ? m->meta_size : 0;
    m->meta = read_content(a, entry->size, SIGMF_META_MAX - a->meta_bytes,
                           "metadata of more than 64 MiB");
    m->meta_size = m->meta ? (size_t)entry->size : 0;
    a->meta_bytes += m->meta_size;
    return m->meta ? 0 : -EINVAL;
}

static int take_data(struct archive *a, const struct tar_entry *entry)
{
    struct byte_stream *bytes = &a->recording->bytes;
    struct member *m = member_of(a, entry->name);
    if (!m)
        return a->recording->why.code;
    const bool wanted = is_wanted(a, m);
    if (!bytes->seekable && !m->meta && wanted)
        return fail(a,
                    "the archive has its samples before its meta: give it as a file, not a pipe");
    if (bytes->seekable && entry->size > bytes->size - bytes->at)
        return fail(a, "truncated archive");
    m->has_data = bytes->seekable || wanted;
    m->data_at = bytes->at;
    m->data_bytes = entry->size;
    if (bytes->seekable || !wanted)
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
    if (entry->type == TAR_PAX_GLOBAL || entry->type == TAR_LONG_LINK)
        return skip_entry(a, entry);
    if (a->extra.name[0])
        snprintf(entry->name, sizeof entry->name, "%s", a->extra.name);
    if (a->extra.size != UINT64_MAX)
        entry->size = a->extra.size;
    a->extra = (struct tar_entry){.size = UINT64_MAX};
    const bool ours = entry->type == TAR_FILE &&
                      strncmp(base_name(entry->name), "._", 2) != 0; /* resource forks of macOS */
    if (ours && ends_with(entry->name, ".sigmf-meta"))
        return take_meta(a, entry);
    if (ours && ends_with(entry->name, ".sigmf-data"))
        return take_data(a, entry);
    return skip_entry(a, entry);
}

/* In a pipe, only the samples of the wanted one are kept. */
static bool is_found(const struct archive *a)
{
    for (size_t i = 0; i < a->count; i++) {
        if (a->members[i].has_data)
            return true;
    }
    return false;
}

/* Reads all entries of a file, or those of a pipe up to the first wanted sample. */
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
        if (err < 0 || kind == 1 || (!bytes->seekable && is_found(a)))
            return err;
    }
}

/* ---- the choice --------------------------------------------------------------------------- */

static bool is_whole(const struct member *m)
{
    return m->meta && m->has_data;
}

/* Whole recordings; in a pipe some may follow. */
static size_t count_whole(const struct archive *a)
{
    size_t whole = 0;
    for (size_t i = 0; i < a->count; i++)
        whole += is_whole(&a->members[i]);
    return whole;
}

/* The names of members with both files, or in a pipe with metadata: "a, b, c, ... (12 in all)". */
static const char *list(const struct archive *a, char into[LIST_BYTES])
{
    const bool pipe = !a->recording->bytes.seekable;
    size_t length = 0, count = 0;
    into[0] = 0;
    for (size_t i = 0; i < a->count; i++) {
        const struct member *m = &a->members[i];
        if (!is_whole(m) && !(pipe && m->meta))
            continue;
        if (count++ < LISTED && length < LIST_BYTES / 2)
            length += (size_t)snprintf(into + length, LIST_BYTES / 4, "%s%.80s",
                                       count > 1 ? ", " : "", m->name);
    }
    if (count > LISTED)
        snprintf(into + length, LIST_BYTES - length, ", ... (%zu in all)", count);
    return into;
}

static const struct member *choose(struct archive *a)
{
    char names[LIST_BYTES];
    for (size_t i = 0; i < a->count; i++) {
        const struct member *m = &a->members[i];
        if (!is_whole(m) || !is_wanted(a, m))
            continue;
        if (count_whole(a) > 1)
            log_info("%s: reading the recording %s of %zu (--sigmf-recording): %s",
                     a->recording->name, m->name, count_whole(a), list(a, names));
        return m;
    }
    if (a->wanted && *list(a, names))
        recording_fail(a->recording, -EINVAL, "%s: --sigmf-recording %s: not in the archive: %s",
                       a->recording->name, a->wanted, names);
    else if (a->count == 1 && a->members[0].meta)
        fail(a, "no .sigmf-data in the archive");
    else if (a->count <= 1)
        fail(a, "no .sigmf-meta in the archive");
    else
        fail(a, "no .sigmf-meta in the archive has a .sigmf-data of its name");
    return NULL;
}

static int use(struct archive *a, bool any_format)
{
    struct recording *r = a->recording;
    struct sigmf_meta meta = {0};
    const struct member *m = choose(a);
    if (!m)
        return r->why.code;
    int err = recording_parse_meta(r, m->meta, m->meta_size, any_format, &meta);
    r->data_at = m->data_at;
    r->data_bytes = m->data_bytes;
    if (err == 0)
        err = recording_take_meta(r, &meta);
    if (err == 0 && r->bytes.seekable)
        err = byte_stream_seek(&r->bytes, m->data_at);
    sigmf_meta_finish(&meta);
    return err;
}

int recording_open_sigmf_archive(struct recording *r, const char *path, const char *wanted,
                                 bool any_format)
{
    struct archive a = {
        .recording = r, .wanted = wanted && *wanted ? wanted : NULL, .extra = {.size = UINT64_MAX}};
    int err = recording_open_bytes(r, path);
    if (err == 0)
        err = walk(&a);
    if (err == 0)
        err = use(&a, any_format);
    drop_members(&a);
    return err;
}
