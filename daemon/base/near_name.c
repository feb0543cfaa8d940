/* near_name.c - compares names by the changes that turn one into the other. */
#include "daemon/base/near_name.h"

#include <ctype.h>
#include <string.h>

bool near_name_fold(const char *text, char into[NEAR_NAME_MAX + 1])
{
    const size_t length = strcspn(text, "=");
    if (length == 0 || length > NEAR_NAME_MAX)
        return false;
    for (size_t i = 0; i < length; i++)
        into[i] = (char)(text[i] == '_' ? '-' : tolower((unsigned char)text[i]));
    into[length] = '\0';
    return true;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/*
 * Changes that turn a into b: insert, delete, replace, or exchange two neighbours. (Optimal string
 * alignment: Damerau, CACM 7, 1964.)
 */
static unsigned count_changes(const char *a, const char *b)
{
    unsigned d[3][NEAR_NAME_MAX + 2] = {0};
    const size_t rows = strlen(a), columns = strlen(b);
    for (size_t k = 0; k <= columns; k++)
        d[0][k] = (unsigned)k;
    for (size_t i = 1; i <= rows; i++) {
        unsigned *now = d[i % 3], *above = d[(i + 2) % 3], *before = d[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t k = 1; k <= columns; k++) {
            now[k] = least(least(above[k], now[k - 1]) + 1, above[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                now[k] = least(now[k], before[k - 2] + 1);
        }
    }
    return d[rows % 3][columns];
}

unsigned near_name_distance(const char *typed, const char *name)
{
    const size_t length = strlen(typed), whole = strlen(name);
    if (whole > NEAR_NAME_MAX)
        return NEAR_NAME_FAR;
    const unsigned changes = count_changes(typed, name);
    if (changes <= (length < 4 ? 1 : length < 8 ? 2 : 3) && changes < length)
        return changes;
    const bool begins = length >= 3 && strncmp(name, typed, length) == 0;
    const bool longer = whole >= 3 && strncmp(typed, name, whole) == 0;
    const bool ends = whole >= 3 && length > whole && typed[length - whole - 1] == '-' &&
                      strcmp(typed + length - whole, name) == 0;
    return begins || longer || ends ? 4 : NEAR_NAME_FAR;
}

struct near_name near_name_begin(const char *typed)
{
    struct near_name n = {.distance = NEAR_NAME_FAR};
    n.typed_is_name = near_name_fold(typed, n.typed);
    return n;
}

void near_name_offer(struct near_name *n, const char *name)
{
    const unsigned now = n->typed_is_name ? near_name_distance(n->typed, name) : NEAR_NAME_FAR;
    if (now < n->distance) {
        n->distance = now;
        n->name = name;
    }
}
