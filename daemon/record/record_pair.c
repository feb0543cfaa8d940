/* record_pair.c - writes samples, their hash, the journal and the metadata of a recording. */
#include "daemon/record/record_pair.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/files/own_file.h"
#include "daemon/files/text_file.h"
#include "daemon/record/record_meta.h"
#include "daemon/system/interrupt.h"

enum { COPIES = 10000, HASH_BLOCK = 1 << 16, CUT_BYTES = 1 << 20 };

json_t *record_pair_empty_meta(void)
{
    return json_pack("{s:{}, s:[], s:[]}", "global", "captures", "annotations");
}

char *record_pair_path(const struct record_pair *p, const char *suffix)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s%s", p->folder, p->name, suffix) < 0 ? NULL : path;
}

/* ---- creation --------------------------------------------------------------------------- */

static int open_file(const struct record_pair *p, const char *suffix)
{
    char *path = record_pair_path(p, suffix);
    const int fd = path ? own_file_create(path) : -ENOMEM;
    free(path);
    return fd;
}

static bool exists(const struct record_pair *p, const char *suffix)
{
    char *path = record_pair_path(p, suffix);
    struct stat st;
    const bool found = path && lstat(path, &st) == 0;
    free(path);
    return found;
}

static void remove_part(const struct record_pair *p, const char *suffix)
{
    char *path = record_pair_path(p, suffix);
    if (path)
        unlink(path);
    free(path);
}

static bool is_taken(const struct record_pair *p)
{
    return exists(p, RECORD_META) || exists(p, RECORD_DATA) || exists(p, RECORD_GONE);
}

/*
 * Whoever creates the journal has the name. Samples that lie there then are of a recording that
 * finished after the first look. -EEXIST: the name is taken.
 */
static int claim_name(const struct record_pair *p)
{
    const int journal = is_taken(p) ? -EEXIST : open_file(p, RECORD_PART);
    if (journal < 0)
        return journal;
    flock(journal, LOCK_EX | LOCK_NB); /* record_repair leaves it alone */
    if (!is_taken(p))
        return journal;
    remove_part(p, RECORD_PART);
    close(journal);
    return -EEXIST;
}

int record_pair_create(struct record_pair *p, const char *folder, struct record_start start,
                       double center_hz, double rate_hz, uint32_t sample_bytes)
{
    *p = (struct record_pair){.folder = strdup(folder),
                              .data = -1,
                              .journal = -EEXIST,
                              .sample_bytes = sample_bytes,
                              .hash = EVP_MD_CTX_new(),
                              .meta = record_pair_empty_meta()};
    if (!p->folder || !p->meta || !p->hash || !EVP_DigestInit_ex(p->hash, EVP_sha512(), NULL))
        return -ENOMEM;
    for (unsigned copy = 0; p->journal == -EEXIST && copy < COPIES; copy++) {
        record_name(start, center_hz, rate_hz, copy, p->name);
        p->journal = claim_name(p);
    }
    if (p->journal < 0)
        return p->journal;
    p->data = open_file(p, RECORD_DATA);
    return p->data < 0 ? p->data : 0;
}

/* ---- writing ---------------------------------------------------------------------------- */

/* *done counts what was written. */
static int write_all(int fd, const void *from, uint64_t bytes, uint64_t *done)
{
    for (*done = 0; *done < bytes;) {
        const ssize_t now = write(fd, (const char *)from + *done, (size_t)(bytes - *done));
        if (now < 0 && errno != EINTR)
            return -errno;
        *done += now > 0 ? (uint64_t)now : 0;
    }
    return 0;
}

static json_t *part_of(const struct record_pair *p, const char *kind)
{
    if (strcmp(kind, "capture") == 0)
        return json_object_get(p->meta, "captures");
    return json_object_get(p->meta, "annotations");
}

int record_pair_describe(struct record_pair *p, const char *kind, json_t *value)
{
    uint64_t done;
    char *text = NULL;
    json_t *line = value ? json_pack("{s:O}", kind, value) : NULL;
    if (line)
        text = json_text(line, JSON_COMPACT);
    json_decref(line);
    const int kept = strcmp(kind, "global") == 0 ? json_object_set_new(p->meta, kind, value)
                                                 : json_array_append_new(part_of(p, kind), value);
    int err = text && kept == 0 ? 0 : -ENOMEM;
    if (err == 0)
        err = write_all(p->journal, text, strlen(text), &done);
    if (err == 0)
        err = write_all(p->journal, "\n", 1, &done);
    free(text);
    return err;
}

int record_pair_write(struct record_pair *p, const void *samples, uint64_t bytes)
{
    uint64_t done;
    const int err = write_all(p->data, samples, bytes, &done);
    const uint64_t whole = done - done % p->sample_bytes;
    EVP_DigestUpdate(p->hash, samples, (size_t)whole);
    p->bytes += whole;
    return err;
}

/* ---- the end ---------------------------------------------------------------------------- */

static void hash_text(struct record_pair *p, char into[2 * EVP_MAX_MD_SIZE + 1])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    into[0] = 0;
    if (p->hash)
        EVP_DigestFinal_ex(p->hash, digest, &length);
    for (unsigned i = 0; i < length; i++)
        snprintf(into + (size_t)2 * i, 3, "%02x", digest[i]);
}

int record_pair_hash(struct record_pair *p)
{
    if (!p->hash)
        return 0;
    unsigned char *block = malloc(HASH_BLOCK);
    int err = block && EVP_DigestInit_ex(p->hash, EVP_sha512(), NULL) ? 0 : -ENOMEM;
    for (uint64_t at = 0; err == 0 && at < p->bytes;) {
        const uint64_t rest = p->bytes - at;
        if (interrupt_requested()) {
            err = -EINTR;
            break;
        }
        const ssize_t got =
            pread(p->data, block, (size_t)(rest < HASH_BLOCK ? rest : HASH_BLOCK), (off_t)at);
        if (got <= 0)
            err = got < 0 ? -errno : -EIO;
        else
            EVP_DigestUpdate(p->hash, block, (size_t)got);
        at += got > 0 ? (uint64_t)got : 0;
    }
    free(block);
    return err;
}

static int write_meta(struct record_pair *p, json_t *meta, const char *sha512, const char *end,
                      struct reason *why)
{
    struct text text = {0};
    char *path = record_pair_path(p, RECORD_META), *json = NULL;
    int err = record_meta_complete(meta, p->bytes / p->sample_bytes, p->missing, sha512, end);
    if (err == 0)
        json = json_text(meta, JSON_INDENT(4));
    if (path && json) {
        text_add_bytes(&text, json, strlen(json));
        text_add_bytes(&text, "\n", 1);
        err = text.failed ? -ENOMEM : text_file_replace_own(path, &text, why);
    } else {
        err = -ENOMEM;
    }
    if (err < 0 && !why->sentence[0])
        reason_set(why, err, "%s: %s", p->name, strerror(-err));
    text_finish(&text);
    free(json);
    free(path);
    return err;
}

/* False: there is nothing more to cut. */
static bool cut_samples(struct record_pair *p)
{
    const uint64_t cut = p->bytes < CUT_BYTES ? p->bytes : CUT_BYTES;
    const uint64_t bytes = (p->bytes - cut) / p->sample_bytes * p->sample_bytes;
    if (cut == 0 || ftruncate(p->data, (off_t)bytes) < 0)
        return false;
    p->bytes = bytes;
    return record_pair_hash(p) == 0;
}

int record_pair_finish(struct record_pair *p, const char *end, struct reason *why)
{
    char sha512[2 * EVP_MAX_MD_SIZE + 1];
    int err = ftruncate(p->data, (off_t)p->bytes) < 0 ? -errno : 0; /* a part of a sample */
    bool again = err == 0;
    while (again) {
        json_t *meta = json_deep_copy(p->meta);
        hash_text(p, sha512);
        *why = (struct reason){0};
        err = meta ? write_meta(p, meta, sha512, end, why) : -ENOMEM;
        json_decref(meta);
        again = (err == -ENOSPC || err == -EDQUOT) && cut_samples(p);
    }
    if (err < 0)
        return err;
    fdatasync(p->data);
    remove_part(p, RECORD_PART);
    return 0;
}

void record_pair_remove(const struct record_pair *p)
{
    remove_part(p, RECORD_DATA);
    remove_part(p, RECORD_PART);
}

void record_pair_close(struct record_pair *p)
{
    if (p->data > 0)
        close(p->data);
    if (p->journal > 0)
        close(p->journal);
    EVP_MD_CTX_free(p->hash);
    json_decref(p->meta);
    free(p->folder);
    *p = (struct record_pair){0};
}
