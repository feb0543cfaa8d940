/*
 * reference_file.h - the file of a reference. Pure, any thread.
 *
 *     {"format": "fftd-reference", "version": 1, ...}\n     one line of JSON, at most 4096 bytes
 *     f32[n]                                                linear power, little-endian
 *
 * docs/api.md lists the keys of the first line. "crc32" is that of the powers (zlib's),
 * so that a damaged file is recognised.
 */
#ifndef FFTD_DAEMON_LINE_REFERENCE_REFERENCE_FILE_H
#define FFTD_DAEMON_LINE_REFERENCE_REFERENCE_FILE_H

#include <jansson.h>

#include "daemon/base/text.h"
#include "daemon/line/reference/reference.h"

struct reason;

/* The first line as an object, without crc32; NULL: no memory. */
json_t *reference_to_json(const struct reference *r);
/* text->failed: no memory. */
void reference_write(struct text *out, const struct reference *r);
/* -EINVAL with one line in *why, -ENOMEM. *out has one user. */
int reference_parse(struct reference **out, const void *bytes, size_t size, struct reason *why);

#endif
