/*
 * opencl_cache.h - a folder of results that are expensive to compute: compiled programs and
 * measured choices.
 *
 * Each entry is one file. A hash of its key is its name. The file contains the whole key and a
 * checksum, so a collision or a damaged file is never mistaken for a result. No function here
 * fails: after any error the caller computes the result again. The folder has a size limit. Storing
 * an entry removes the least recently used entries beyond the limit. Files with other names are
 * never removed.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_CACHE_H
#define FFTD_FFT_OPENCL_OPENCL_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the programs of some hundred plans: a binary has about 100 KB. */
#define OPENCL_CACHE_BYTES ((uint64_t)256 << 20)

struct opencl_cache {
    uint64_t bytes;             /* size limit of all entries */
    char folder[PATH_MAX - 64]; /* "": no cache */
};

/* A key is a sequence of texts. */
struct opencl_key {
    const char *pieces[4]; /* ended by NULL */
};

/* folder: a path; "off" for no cache; "" for the user's cache, which is below the first folder of
 * $CACHE_DIRECTORY (systemd), else below $XDG_CACHE_HOME or ~/.cache. */
void opencl_cache_open(struct opencl_cache *c, const char *folder);

/* Returns a malloc'ed copy of *bytes bytes and a terminating 0, or NULL. */
void *opencl_cache_load(const struct opencl_cache *c, const struct opencl_key *key, size_t *bytes);
/* Stores the entry completely or not at all, even if several processes write it. */
void opencl_cache_store(const struct opencl_cache *c, const struct opencl_key *key,
                        const void *data, size_t bytes);

#endif
