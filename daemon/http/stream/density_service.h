/*
 * density_service.h - densities with a persistence of their own, for /api/v1/density. Loop thread.
 *
 * Engines count density only while somebody wants it (demand.h). A persistence is counted from its
 * first request on, until a minute after the last one.
 */
#ifndef FFTD_DAEMON_HTTP_STREAM_DENSITY_SERVICE_H
#define FFTD_DAEMON_HTTP_STREAM_DENSITY_SERVICE_H

#include "daemon/line/density_sum.h"

struct spectra;
struct demand;

enum { DENSITY_PERSISTENCES = 4 }; /* different ones at a time */

struct density_service {
    struct spectra *spectra; /* that render them; set by the owner, as is the next */
    struct demand *demand;
    struct asked_density {
        struct density density;
        uint64_t asked_ns; /* clock_now_ns of the last request; 0: not in use */
    } asked[DENSITY_PERSISTENCES];
};

void density_service_on_line(struct density_service *d, const struct line *line);
void density_service_on_tick(struct density_service *d); /* once a second */
void density_service_finish(struct density_service *d);

/* The density with this persistence, which counts from the first call on. NULL: too many. */
const struct density *density_service_ask(struct density_service *d, double persistence_s);

#endif
