/*
 * source_support.h - for tests of sources: files in a temporary directory, hand-made bytes, and
 * reading a source to its end. The first file creates the directory.
 */
#ifndef FFTD_TESTS_SUPPORT_SOURCE_SOURCE_SUPPORT_H
#define FFTD_TESTS_SUPPORT_SOURCE_SOURCE_SUPPORT_H

#include <stdio.h>

#include "tests/support/cmocka_all.h"

#include "daemon/source/source.h"

struct bytes {
    uint8_t *at;
    size_t size;
    size_t room; /* bytes that put allocated; 0: none, or at is another allocation */
};

void put(struct bytes *b, const void *data, size_t size);
void put_text(struct bytes *b, const char *text);
void put_u16(struct bytes *b, unsigned value); /* little-endian, as all of these */
void put_u32(struct bytes *b, uint64_t value);
void put_u64(struct bytes *b, uint64_t value);
void put_zeros(struct bytes *b, size_t size);
void drop(struct bytes *b);

/* The path of a file in the directory of the test. The strings live until the program ends. */
const char *path_of(const char *name);
const char *file_of(const char *name, const void *data, size_t size);
const char *file_of_text(const char *name, const char *text);
int remove_folder(void **state); /* a cmocka group teardown */

/* A configuration with only the file. */
struct source_config replay_of(const char *replay);

/* Creates a source; a failure fails the test. */
struct source *open_source(const struct source_config *config);
/* Expects a refusal with this code and this part of the line. */
void expect_refused(const struct source_config *config, int err, const char *piece);
/* Reads at most `samples` samples until the end or an error, which is *err (-ENODATA: the end). */
struct bytes read_samples(struct source *s, uint64_t samples, uint32_t block, int *err);

#endif
