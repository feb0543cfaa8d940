/*
 * geolocation.h - where an antenna is: degrees and metres of WGS 84. Pure, any thread.
 *
 * As text it is LAT,LON or LAT,LON,ALTITUDE. As JSON it is a point of GeoJSON (RFC 7946), which
 * SigMF has as core:geolocation: longitude first, and the altitude is the height above the
 * ellipsoid.
 */
#ifndef FFTD_DAEMON_BASE_GEOLOCATION_H
#define FFTD_DAEMON_BASE_GEOLOCATION_H

#include <jansson.h>
#include <stdbool.h>

struct geolocation {
    bool known;                 /* false: the rest says nothing */
    double latitude, longitude; /* degrees north and east */
    double altitude_m;          /* NAN: not given */
};

/* False: the text is none, or out of range; *out is unknown. */
bool geolocation_parse(const char *text, struct geolocation *out);

/* False: the value is no point, or out of range; *out is unknown. */
bool geolocation_from_json(const json_t *value, struct geolocation *out);
/* A new reference. NULL: the place is unknown, or there is no memory. */
json_t *geolocation_to_json(const struct geolocation *g);

#endif
