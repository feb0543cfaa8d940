/* option_forms.c - checks the form of values that are neither a plain word nor a number. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/access/listen_address.h"
#include "daemon/base/geolocation.h"
#include "daemon/base/si.h"
#include "daemon/config/box_text.h"
#include "daemon/config/options.h"
#include "fft/fft.h"

/*
 * Calls check with a copy of each comma-separated item, without surrounding spaces. -EINVAL: an
 * item is empty, too long or refused.
 */
static int each_item(const char *text, int (*check)(char *item))
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

/* Splits "key=value" in place. NULL: no '=', or an empty key. */
static char *split_value(char *item)
{
    char *equals = strchr(item, '=');
    if (!equals || equals == item)
        return NULL;
    *equals = '\0';
    return equals + 1;
}

static int check_element(char *item)
{
    double db;
    const char *value = split_value(item);
    return value && !strpbrk(item, " \t") && si_parse_unit(value, SI_DB, &db) == 0 ? 0 : -EINVAL;
}

int option_check_gain(const char *text)
{
    double db;
    if (!*text || strcmp(text, "auto") == 0 || si_parse_unit(text, SI_DB, &db) == 0)
        return 0;
    return each_item(text, check_element);
}

static int check_pair(char *item)
{
    return split_value(item) ? 0 : -EINVAL;
}

int option_check_key_values(const char *text)
{
    return each_item(text, check_pair);
}

int option_check_listen(const char *text)
{
    struct listen_address address;
    return listen_address_parse(text, &address);
}

/* Octal digits: rights of the owner, the group and others. */
int option_check_mode(const char *text)
{
    const size_t length = strspn(text, "01234567");
    return length && length <= 4 && !text[length] && strtoul(text, NULL, 8) <= 0777 ? 0 : -EINVAL;
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

static bool is_port(const char *text)
{
    uint16_t port;
    return si_parse_port(text, strlen(text), &port) && port > 0;
}

/* No user and no path: passwords belong in a file. */
int option_check_nats(const char *text)
{
    static const char *const schemes[] = {"nats://", "tls://"};
    const char *host = NULL;
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (strncmp(text, schemes[i], strlen(schemes[i])) == 0)
            host = text + strlen(schemes[i]);
    if (!host || !*host || *host == ':')
        return -EINVAL;
    for (const char *at = host; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-_.:[]", *at))
            return -EINVAL;
    const char *end = strrchr(host, ']'), *port = strchr(end ? end : host, ':');
    return !port || is_port(port + 1) ? 0 : -EINVAL;
}

int option_check_geolocation(const char *text)
{
    struct geolocation g;
    return geolocation_parse(text, &g) ? 0 : -EINVAL;
}

int option_check_engine(const char *text)
{
    char name[64];
    const size_t length = strcspn(text, ":");
    if (length >= sizeof name || (text[length] && !text[length + 1]))
        return -EINVAL;
    memcpy(name, text, length);
    name[length] = '\0';
    return option_check_name(name);
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

/* Letters, digits, dots and dashes; `also`: characters of a port or a bracketed IPv6 address. */
static bool is_host(const char *text, const char *also)
{
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-._", *at) && !strchr(also, *at))
            return false;
    return *text != '\0';
}

static int check_origin(char *item)
{
    const char *host = strstr(item, "://");
    if (!host || (strncmp(item, "http://", 7) != 0 && strncmp(item, "https://", 8) != 0))
        return -EINVAL;
    return is_host(host + 3, "[]:") ? 0 : -EINVAL;
}

int option_check_origins(const char *text)
{
    return each_item(text, check_origin);
}

static int check_host(char *item)
{
    return is_host(item, "") ? 0 : -EINVAL;
}

int option_check_hosts(const char *text)
{
    return each_item(text, check_host);
}

int option_check_box(const char *text)
{
    struct box_text box;
    return box_text_parse(text, &box);
}
