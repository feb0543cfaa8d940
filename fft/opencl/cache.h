/*
 * cache.h - a folder of results that cost time to make: compiled programs, measured choices.
 *
 * Each entry is a file named by a hash of its key; it holds the key itself, and a check sum, so
 * that neither a collision nor a damaged file is ever taken for the result. Whatever goes wrong
 * only means that the result is made again: nothing here fails. The folder holds so many bytes at
 * most: with each entry that is stored those go that were not used for the longest time. Files of
 * other names stay.
 */
#ifndef FFTD_FFT_OPENCL_CACHE_H
#define FFTD_FFT_OPENCL_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Some hundred plans' programs; a driver's binary is some 100 KB. */
#define OPENCL_CACHE_BYTES ((uint64_t)256 << 20)

struct opencl_cache {
    uint64_t bytes;             /* all entries, at most */
    char folder[PATH_MAX - 64]; /* "": there is none */
};

/* A key is several pieces, one behind the other. */
struct opencl_key {
    const char *pieces[4]; /* NULL ends */
};

/*
 * folder: a path; "": the user's cache, which is the first in $CACHE_DIRECTORY (systemd), else in
 * $XDG_CACHE_HOME or ~/.cache; "off": none.
 */
void opencl_cache_open(struct opencl_cache *c, const char *folder);

/* A malloc'ed copy with *bytes bytes and a 0 behind them, or NULL. */
void *opencl_cache_load(const struct opencl_cache *c, const struct opencl_key *key, size_t *bytes);
/* Whole or not at all, also where several processes write it. */
void opencl_cache_store(const struct opencl_cache *c, const struct opencl_key *key,
                        const void *data, size_t bytes);

#endif
