/* accept.c - compares the weights of an Accept header. */
#include "daemon/http/accept.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* True if a range includes the name. A range that ends in '*' is a wildcard. */
static bool includes(const char *range, size_t length, const char *name)
{
    if (length == strlen(name) && strncasecmp(range, name, length) == 0)
        return true;
    if (length == 0 || range[length - 1] != '*')
        return false;
    return length == 1 || strncmp(range, "*/*", length) == 0 ||
           strncasecmp(range, name, length - 1) == 0;
}

/* The weight that follows "q=" in the parameters of an item; 1 without one, 0 if it is no number.
 */
static double weight_of(const char *item, size_t length)
{
    for (size_t i = 0; i + 2 < length; i++) {
        const bool starts = item[i] == ';' || item[i] == ' ' || item[i] == '\t';
        if (starts && strncasecmp(item + i + 1, "q=", 2) == 0) {
            char *end;
            const double weight = strtod(item + i + 3, &end);
            return end > item + i + 3 && weight >= 0 ? weight : 0;
        }
    }
    return 1;
}

/* The weight of the longest range that includes the name. -1: none. */
static double find_weight(const char *header, const char *name, bool wildcards)
{
    double weight = -1;
    size_t longest = 0;
    while (*header) {
        header += strspn(header, ", \t");
        const size_t item = strcspn(header, ",");
        const size_t range = strcspn(header, ",; \t");
        const bool wild = range > 0 && header[range - 1] == '*';
        if (range > longest && (wildcards || !wild) && includes(header, range, name)) {
            longest = range;
            weight = weight_of(header, item);
        }
        header += item;
    }
    return weight;
}

bool accept_prefers(const char *header, const char *name, const char *other)
{
    const double weight = find_weight(header, name, false);
    return weight > 0 && weight >= find_weight(header, other, true);
}
