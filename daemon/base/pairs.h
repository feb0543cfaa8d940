/* pairs.h - reads and changes lists such as "LNA=20,TIA=8" in place. Pure, any thread. */
#ifndef FFTD_DAEMON_BASE_PAIRS_H
#define FFTD_DAEMON_BASE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

enum { PAIR_KEY = 64, PAIR_VALUE = 192 };

struct pair {
    char key[PAIR_KEY], value[PAIR_VALUE];
};

/*
 * Reads the pair at *at, spaces around key and value trimmed, and moves *at after it. False at the
 * end of the list, or at a part that is no pair.
 */
bool pairs_next(const char **at, struct pair *out);
bool pairs_find(const char *list, const char *key, struct pair *out);
/* Replaces the value of the key, or appends the pair. -ENOSPC: the list would be too long. */
int pairs_set(char *list, size_t size, const char *key, const char *value);

#endif
