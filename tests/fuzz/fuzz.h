/*
 * fuzz.h - what the fuzz targets share: checks that end the run, and texts cut out of an input.
 */
#ifndef FFTD_TESTS_FUZZ_FUZZ_H
#define FFTD_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Like assert, in every build. libFuzzer keeps the input. */
static inline void check(bool holds)
{
    if (!holds)
        abort();
}

/* An error is one line, and there is one if and only if a call failed. */
static inline void check_error(int err, const char *error)
{
    check(err <= 0);
    check(err ? error[0] != '\0' && !strchr(error, '\n') : error[0] == '\0');
}

/* The input, and how much of it was taken. */
struct input {
    const uint8_t *at;
    size_t size;
};

/* Takes up to the next newline, or to the end. malloc'ed; a NUL byte ends the text early. */
static inline char *take_text(struct input *in)
{
    const uint8_t *end = in->size ? memchr(in->at, '\n', in->size) : NULL;
    const size_t length = end ? (size_t)(end - in->at) : in->size;
    char *text = strndup(length ? (const char *)in->at : "", length);
    check(text != NULL);
    in->at += length + (end != NULL);
    in->size -= length + (end != NULL);
    return text;
}

/* Takes bytes; missing ones are zero. */
static inline void take_bytes(struct input *in, void *into, size_t bytes)
{
    const size_t there = bytes < in->size ? bytes : in->size;
    memset(into, 0, bytes);
    if (there)
        memcpy(into, in->at, there);
    in->at += there;
    in->size -= there;
}

/* Creates an unnamed file. Returns its descriptor, and its path in `path`. */
enum { MEMORY_FILE_PATH = 64 };
static inline int make_memory_file(const void *bytes, size_t size, char path[MEMORY_FILE_PATH])
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    check(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    snprintf(path, MEMORY_FILE_PATH, "/proc/self/fd/%d", fd);
    return fd;
}

#endif
