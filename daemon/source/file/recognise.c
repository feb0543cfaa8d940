/* recognise.c - finds out by its first bytes what a recording is, before its name is believed. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/log.h"
#include "daemon/source/file/recording_source.h"

enum { ENOUGH = 16 }; /* bytes of a pipe; most come with them */

const char *recording_packed_suffix(const char *path)
{
    static const char *const suffixes[] = {".gz", ".zst", ".gzip", ".zstd", ".xz", ".bz2"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (strcasecmp(dot, suffixes[i]) == 0)
            return dot;
    }
    return NULL;
}

/* ---- looking ------------------------------------------------------------------------------ */

static int look_at_file(struct recording *r, const struct file_kind **kind)
{
    uint8_t bytes[FILE_KIND_BYTES];
    const size_t size = r->bytes.size < FILE_KIND_BYTES ? (size_t)r->bytes.size : FILE_KIND_BYTES;
    const int err = byte_stream_fill(&r->bytes, bytes, size, RECORDING_HEADER_MS);
    byte_stream_seek(&r->bytes, 0);
    *kind = err == 0 ? file_kind_find(bytes, size, size == r->bytes.size) : NULL;
    return err;
}

static int64_t look_at_pipe(struct recording *r, size_t enough, int pause_ms,
                            const struct file_kind **kind)
{
    bool ended = false;
    const int64_t got = byte_stream_peek(&r->bytes, FILE_KIND_BYTES, enough, pause_ms,
                                         2 * RECORDING_HEADER_MS, &ended);
    *kind = got > 0 ? file_kind_find(r->bytes.ahead, (size_t)got, ended) : NULL;
    return got == 0 && ended ? 1 : got;
}

static int look(struct recording *r, const struct file_kind **kind)
{
    r->was_looked_at = true;
    const int64_t err = r->bytes.seekable ? look_at_file(r, kind)
                                          : look_at_pipe(r, ENOUGH, RECORDING_HEADER_MS, kind);
    return err < 0
               ? recording_fail(r, (int)err, "%s: %s", r->name, byte_stream_error(&r->bytes, err))
               : 0;
}

/* ---- what follows from it ----------------------------------------------------------------- */

/* The mend with the file as the user has to type it. */
static int refuse_as(struct recording *r, const char *name, const struct file_kind *kind,
                     const char *mend, const char *path)
{
    char word[RECORDING_WORD_MAX];
    const char *file = strstr(mend, "FILE");
    if (!file)
        return recording_fail(r, -ENOTSUP, "%s: it is %s: %s", name, kind->name, mend);
    return recording_fail(r, -ENOTSUP, "%s: it is %s: %.*s%s%s", name, kind->name,
                          (int)(file - mend), mend, recording_shell_word(path, 60, word),
                          file + strlen("FILE"));
}

static int refuse(struct recording *r, const struct file_kind *kind, const char *path)
{
    return refuse_as(r, r->name, kind, kind->mend, path);
}

int recording_check_data(struct recording *r, const char *path)
{
    const struct file_kind *kind = NULL;
    const int err = r->bytes.seekable ? look_at_file(r, &kind) : 0;
    if (err < 0)
        return recording_fail(r, err, "%s: %s", path, byte_stream_error(&r->bytes, err));
    return kind ? refuse_as(r, path, kind,
                            *kind->mend ? kind->mend : "rename it, it needs no metadata of SigMF",
                            path)
                : 0;
}

static bool is_packed(const struct file_kind *kind)
{
    return kind && (kind->container == FILE_GZIP || kind->container == FILE_ZSTD);
}

static int unpack(struct recording *r, const struct file_kind **kind, const char *path)
{
    const int err =
        byte_stream_unpack(&r->bytes, (*kind)->container == FILE_GZIP ? UNPACK_GZIP : UNPACK_ZSTD);
    if (err < 0)
        return recording_fail(r, err, "%s: %s", r->name, strerror(-err));
    const int failed = look(r, kind);
    return failed == 0 && is_packed(*kind)
               ? recording_fail(r, -ENOTSUP, "%s: it is compressed twice: unpack it first", r->name)
           : failed == 0 && *kind && (*kind)->container == FILE_REFUSED ? refuse(r, *kind, path)
                                                                        : failed;
}

static void warn_name(const struct recording *r, const struct iq_name *name)
{
    if (name->container == IQ_RAW)
        log_warn("%s: its name says %s, but it is %s: it is read as that", r->name,
                 name->sample->name, r->kind->name);
}

int recording_recognise(struct recording *r, const struct iq_name *name, bool is_raw)
{
    const bool packed_name = recording_packed_suffix(name->path);
    int err = recording_open_bytes(r, name->path);
    if (err < 0 || (is_raw && !packed_name && !r->bytes.seekable))
        return err; /* a raw pipe starts without waiting: recording_check_start */
    err = look(r, &r->kind);
    if (err == 0 && is_packed(r->kind))
        err = unpack(r, &r->kind, name->path);
    else if (err == 0 && r->kind && r->kind->container == FILE_REFUSED)
        err = refuse(r, r->kind, name->path);
    if (err == 0 && r->kind)
        warn_name(r, name);
    return err;
}

int recording_check_start(struct recording *r, int timeout_ms)
{
    const struct file_kind *kind = NULL;
    const int64_t got = look_at_pipe(r, 1, timeout_ms, &kind);
    r->was_looked_at = got > 0;
    if (got < 0)
        return recording_fail(r, (int)got, "%s: %s", r->name, byte_stream_error(&r->bytes, got));
    if (got == 0)
        return 0;
    if (!kind)
        return 1;
    return recording_fail(
        r, -ENOTSUP, "%s: it is %s, no raw %s samples%s%s", r->name, kind->name, r->sample->name,
        kind->container == FILE_REFUSED ? ": " : "",
        kind->container == FILE_REFUSED ? kind->mend : ": leave the format out, and fftd reads it");
}
