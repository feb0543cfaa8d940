/* geolocation.c - reads and writes places: text, and points of GeoJSON. */
#include "daemon/base/geolocation.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From the Dead Sea to orbit: everything else is a mistake. */
#define ALTITUDE_MIN_M (-500.0)
#define ALTITUDE_MAX_M 1e6

/* NaN is in no range. */
static bool is_valid(const struct geolocation *g)
{
    return fabs(g->latitude) <= 90 && fabs(g->longitude) <= 180 &&
           (isnan(g->altitude_m) ||
            (g->altitude_m >= ALTITUDE_MIN_M && g->altitude_m <= ALTITUDE_MAX_M));
}

static bool take(struct geolocation *out, double latitude, double longitude, double altitude_m)
{
    const struct geolocation g = {true, latitude, longitude, altitude_m};
    *out = is_valid(&g) ? g : (struct geolocation){0};
    return out->known;
}

/* Reads a number of a list. *text goes to the comma after it, or to the end. */
static bool read_number(const char **text, double *out)
{
    char *end;
    if (!**text || (!isdigit((unsigned char)**text) && !strchr("+-.", **text)))
        return false;
    *out = strtod(*text, &end);
    const bool ends = end > *text && isfinite(*out) && (!*end || *end == ',');
    *text = end;
    return ends;
}

bool geolocation_parse(const char *text, struct geolocation *out)
{
    double values[3] = {0, 0, NAN};
    int count = 0;
    *out = (struct geolocation){0};
    do {
        if (count > 0)
            text++; /* the comma */
        if (count == 3 || !read_number(&text, &values[count++]))
            return false;
    } while (*text);
    return count >= 2 && take(out, values[0], values[1], values[2]);
}

bool geolocation_from_json(const json_t *value, struct geolocation *out)
{
    const char *type = json_string_value(json_object_get(value, "type"));
    const json_t *coordinates = json_object_get(value, "coordinates");
    const size_t count = json_array_size(coordinates);
    double values[3] = {0, 0, NAN};
    *out = (struct geolocation){0};
    if (!type || strcmp(type, "Point") != 0 || count < 2)
        return false;
    for (size_t i = 0; i < count && i < 3; i++) {
        const json_t *number = json_array_get(coordinates, i);
        if (!json_is_number(number))
            return false;
        values[i] = json_number_value(number);
    }
    return take(out, values[1], values[0], values[2]);
}

json_t *geolocation_to_json(const struct geolocation *g)
{
    if (!g->known)
        return NULL;
    json_t *point =
        json_pack("{s:s, s:[f, f]}", "type", "Point", "coordinates", g->longitude, g->latitude);
    if (point && !isnan(g->altitude_m))
        json_array_append_new(json_object_get(point, "coordinates"), json_real(g->altitude_m));
    return point;
}
