/* pairs.c - lists of key=value. */
#include "daemon/base/pairs.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool copy_trimmed(char *into, size_t size, const char *at, size_t length)
{
    while (length && isspace((unsigned char)*at)) {
        at++;
        length--;
    }
    while (length && isspace((unsigned char)at[length - 1]))
        length--;
    if (length >= size)
        return false;
    memcpy(into, at, length);
    into[length] = '\0';
    return true;
}

bool pairs_next(const char **at, struct pair *out)
{
    const char *begin = *at;
    const size_t length = strcspn(begin, ",");
    const char *equals = memchr(begin, '=', length);
    if (!equals)
        return false;
    const size_t key = (size_t)(equals - begin);
    *at = begin + length + (begin[length] == ',');
    return copy_trimmed(out->key, sizeof out->key, begin, key) &&
           copy_trimmed(out->value, sizeof out->value, equals + 1, length - key - 1);
}

bool pairs_find(const char *list, const char *key, struct pair *out)
{
    while (pairs_next(&list, out)) {
        if (strcmp(out->key, key) == 0)
            return true;
    }
    return false;
}

int pairs_set(char *list, size_t size, const char *key, const char *value)
{
    char made[1024] = "";
    struct pair pair;
    size_t used = 0;
    bool found = false;
    for (const char *at = list; used < sizeof made && pairs_next(&at, &pair);) {
        const bool same = strcmp(pair.key, key) == 0;
        used += (size_t)snprintf(made + used, sizeof made - used, "%s%s=%s", used ? "," : "",
                                 pair.key, same ? value : pair.value);
        found = found || same;
    }
    if (!found && used < sizeof made)
        used += (size_t)snprintf(made + used, sizeof made - used, "%s%s=%s", used ? "," : "", key,
                                 value);
    if (used >= size || used >= sizeof made)
        return -ENOSPC;
    memcpy(list, made, used + 1);
    return 0;
}
