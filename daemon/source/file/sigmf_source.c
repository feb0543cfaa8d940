/* sigmf_source.c - opens a SigMF pair, and converts captures to segments. */
#include "daemon/source/file/sigmf_source.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "daemon/base/log.h"

static const char meta_suffix[] = ".sigmf-meta", data_suffix[] = ".sigmf-data";
enum { SUFFIX = sizeof meta_suffix - 1 };

int recording_parse_meta(struct recording *r, const char *text, size_t size, bool any_format,
                         struct sigmf_meta *meta)
{
    struct reason why = {0};
    const int err = sigmf_meta_parse(text, size, meta, &why);
    if (err < 0)
        return recording_fail(r, err, "%s: %s", r->name, why.sentence);
    if (meta->warning[0])
        log_warn("%s: %s", r->name, meta->warning);
    if (!meta->sample && !any_format)
        return recording_fail(r, -ENOTSUP, "%s: cannot read core:datatype %s", r->name,
                              meta->datatype);
    return 0;
}

/* Samples missing before a capture, by the counter of the recorder. */
static uint64_t lost_before(const struct sigmf_capture *c, uint64_t unit)
{
    const struct sigmf_capture *before = c - 1;
    const uint64_t expected = before->global_index + (c->sample_start - before->sample_start);
    return c->has_index && before->has_index && c->global_index > expected
               ? (c->global_index - expected) / unit
               : 0;
}

/* What is not possible counts as not given. */
static void take_scale(struct recording *r, const struct sigmf_meta *meta)
{
    if (meta->full_scale == 0)
        return;
    if (meta->sample && recording_has_scale(meta->sample, meta->full_scale))
        r->full_scale = meta->full_scale;
    else
        log_warn("%s: fftd:full_scale %g is not possible for %s samples: ignored", r->name,
                 meta->full_scale, meta->datatype);
}

/* Samples before the first capture become a segment of unknown frequency. */
int recording_take_meta(struct recording *r, const struct sigmf_meta *meta)
{
    const size_t unknown = meta->count == 0 || meta->captures[0].sample_start > 0;
    const int err = recording_make_segments(r, unknown + meta->count);
    if (err < 0)
        return err;
    r->sample = meta->sample;
    r->channels = (uint32_t)meta->channels;
    r->rate_hz = meta->rate_hz;
    r->geolocation = meta->geolocation;
    take_scale(r, meta);
    const uint64_t unit = meta->sample && meta->sample->real ? 2 : 1; /* a pair counts as one */
    r->first_capture = unknown;
    if (meta->trailing_bytes > r->data_bytes)
        return recording_fail(
            r, -EINVAL, "%s: core:trailing_bytes counts more bytes than its data has", r->name);
    r->data_bytes -= meta->trailing_bytes;
    for (size_t i = 0; i < meta->count; i++) {
        const struct sigmf_capture *c = &meta->captures[i];
        struct recording_segment *s = &r->segments[unknown + i];
        s->skip_bytes = c->header_bytes;
        s->lost = i > 0 ? lost_before(c, unit) : 0;
        s->center_hz = c->center_hz;
        s->has_time = c->has_time;
        s->time_ns = c->time_ns;
        if (unknown + i > 0)
            s[-1].samples = (c->sample_start - (i > 0 ? c[-1].sample_start : 0)) / unit;
    }
    return 0;
}

/* Reads the whole file. The caller frees *text. */
static int read_meta(struct recording *r, const char *path, char **text, size_t *size)
{
    struct byte_stream file;
    int err = byte_stream_open(&file, path);
    if (err < 0)
        return recording_fail(r, err, "%s: %s", path, strerror(-err));
    const char *wrong = !file.seekable               ? "not a regular file"
                        : file.size == 0             ? "empty, no metadata"
                        : file.size > SIGMF_META_MAX ? "metadata of more than 64 MiB"
                                                     : NULL;
    if (wrong) {
        byte_stream_close(&file);
        return recording_fail(r, -EINVAL, "%s: %s", path, wrong);
    }
    *size = (size_t)file.size;
    *text = malloc(*size);
    err = *text ? byte_stream_fill(&file, *text, *size, RECORDING_HEADER_MS) : -ENOMEM;
    byte_stream_close(&file);
    return err < 0 ? recording_fail(r, err, "%s: %s", path, strerror(-err)) : 0;
}

static bool has_suffix(const char *path, const char *suffix)
{
    const size_t length = strlen(path);
    return length >= SUFFIX && strcasecmp(path + length - SUFFIX, suffix) == 0;
}

enum letter_case { AS_IT_IS, LOWER, UPPER, CASES };

/* The suffix in place of that of `path`, in the case of each letter there, or in one case. */
static char *replace_suffix(const char *path, const char *suffix, enum letter_case letters)
{
    char *out = strdup(path);
    for (char *at = out ? out + strlen(out) - SUFFIX : NULL; at && *suffix; at++, suffix++) {
        const bool upper = letters == UPPER || (letters == AS_IT_IS && isupper((unsigned char)*at));
        *at = (char)(upper ? toupper(*suffix) : *suffix);
    }
    return out;
}

/*
 * "dir/x.sigmf-data" or "dir/x.sigmf-meta" with the other suffix, in the case of letters in which
 * there is a file. The caller frees it.
 */
static char *sibling(const char *path, const char *suffix)
{
    char *likely = replace_suffix(path, suffix, AS_IT_IS);
    for (int letters = LOWER; likely && access(likely, F_OK) < 0 && letters < CASES; letters++) {
        char *other = replace_suffix(path, suffix, (enum letter_case)letters);
        if (other && access(other, F_OK) == 0) {
            free(likely);
            return other;
        }
        free(other);
    }
    return likely;
}

/* The data file named by the meta, in the same directory; otherwise the other file of the pair. */
static char *data_path(const char *path, const struct sigmf_meta *meta)
{
    const char *slash = strrchr(path, '/');
    char *out = NULL;
    if (has_suffix(path, data_suffix))
        return strdup(path);
    if (!meta->dataset[0])
        return sibling(path, data_suffix);
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    return asprintf(&out, "%.*s%s", folder, path, meta->dataset) < 0 ? NULL : out;
}

static int open_data(struct recording *r, const char *path, const struct sigmf_meta *meta)
{
    if (meta->metadata_only && !meta->dataset[0])
        return recording_fail(
            r, -EINVAL, "%s: core:metadata_only is set: the recording has no samples", r->name);
    char *data = data_path(path, meta);
    int err = data ? byte_stream_open(&r->bytes, data) : -ENOMEM;
    const bool has_header = meta->count > 0 && meta->captures[0].header_bytes > 0;
    if (err < 0)
        recording_fail(r, err, "%s: %s", data ? data : r->name, strerror(-err));
    else if (!has_header) /* of another format, which the metadata describe */
        err = recording_check_data(r, data);
    free(data);
    if (err < 0)
        return err;
    r->data_bytes = r->bytes.size;
    return recording_take_meta(r, meta);
}

static void lack_meta(struct recording *r, const char *path, const char *meta_path)
{
    char word[RECORDING_WORD_MAX];
    recording_fail(r, -ENOENT,
                   "%s: its metadata, %s, are missing: give the format to read it without, as in "
                   "fftd --replay cf32:%s --rate 1M",
                   r->name, meta_path, recording_shell_word(path, 60, word));
}

int recording_open_sigmf_pair(struct recording *r, const char *path, bool any_format)
{
    const bool is_meta = has_suffix(path, meta_suffix);
    struct sigmf_meta meta = {0};
    char *text = NULL;
    size_t size = 0;
    if (!is_meta && !has_suffix(path, data_suffix))
        return recording_fail(r, -EINVAL, "%s: the name ends neither in %s nor in %s", r->name,
                              meta_suffix, data_suffix);
    char *meta_path = is_meta ? strdup(path) : sibling(path, meta_suffix);
    int err = meta_path ? read_meta(r, meta_path, &text, &size) : -ENOMEM;
    if (err == -ENOENT && !is_meta)
        lack_meta(r, path, meta_path);
    if (err == 0)
        err = recording_parse_meta(r, text, size, any_format, &meta);
    if (err == 0)
        err = open_data(r, path, &meta);
    sigmf_meta_finish(&meta);
    free(text);
    free(meta_path);
    return err;
}
