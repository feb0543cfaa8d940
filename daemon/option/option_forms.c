/* option_forms.c - checks that rows of several rooms name, for values that are more than a number.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/si.h"
#include "daemon/option/option.h"
#include "fft/fft.h"

int option_each_item(const char *text, int (*check)(char *item))
{
    for (;; text++) {
        char item[256];
        text += strspn(text, " ");
        const char *end = text + strcspn(text, ",");
        size_t length = (size_t)(end - text);
        while (length && text[length - 1] == ' ')
            length--;
        if (length == 0 || length >= sizeof item)
            return -EINVAL;
        memcpy(item, text, length);
        item[length] = '\0';
        text = end;
        if (check(item) < 0)
            return -EINVAL;
        if (!*text)
            return 0;
    }
}

char *option_split_value(char *item)
{
    char *equals = strchr(item, '=');
    if (!equals || equals == item)
        return NULL;
    *equals = '\0';
    return equals + 1;
}

static int check_pair(char *item)
{
    return option_split_value(item) ? 0 : -EINVAL;
}

int option_check_key_values(const char *text)
{
    return option_each_item(text, check_pair);
}

int option_check_name(const char *text)
{
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-_.", *at))
            return -EINVAL;
    return *text ? 0 : -EINVAL;
}

int option_check_word(const char *text)
{
    return strchr(text, '.') ? -EINVAL : option_check_name(text);
}

int option_check_overlap(const char *text)
{
    double percent;
    return si_parse_unit(text, SI_PERCENT, &percent) == 0 && percent >= 0 && percent < 100
               ? 0
               : -EINVAL;
}

int option_check_power_of_two(const char *text)
{
    double value;
    if (si_parse_unit(text, SI_BINARY, &value) < 0 ||
        !(value >= FFT_SPECTRUM_MIN_N && value <= FFT_SPECTRUM_MAX_N))
        return -EINVAL;
    int exponent;
    return frexp(value, &exponent) == 0.5 ? 0 : -EINVAL;
}
