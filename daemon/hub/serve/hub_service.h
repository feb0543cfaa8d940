/*
 * hub_service.h - the radios of a hub for its viewers: from the broker's messages to frames and
 * JSON. Loop thread.
 *
 * Frames pass through as sensors made them. A viewer has a cursor in the log of each radio that it
 * wants, so frames are in memory once, and a slow viewer delays no other.
 */
#ifndef FFTD_DAEMON_HUB_SERVE_HUB_SERVICE_H
#define FFTD_DAEMON_HUB_SERVE_HUB_SERVICE_H

#include "daemon/archive/archive_options.h"
#include "daemon/http/http_server.h"
#include "daemon/http/stream/archive_reads.h"
#include "daemon/hub/copies/collector.h"
#include "daemon/hub/hub_requests.h"
#include "daemon/hub/link_reader.h"
#include "daemon/hub/radio_list.h"
#include "daemon/live/client.h"

enum {
    HUB_PACE_MS = 10,         /* messages that come within it are handled together */
    HUB_LIST_NS = 2000000000, /* between two rounds of rows */
    HUB_REST_NS = 400000000,  /* after it, for viewers without a frame meanwhile */
    HUB_ROUTES = 6,
};

struct hub_wanted;

struct hub_service {
    struct http_server http;
    struct clients clients;
    struct http_route routes[HUB_ROUTES];
    struct radios radios;
    struct hub_wanted *wanted[RADIOS_MAX]; /* viewer.h; by the radio's place: radios_place */
    struct inbox *inbox;
    struct inbox *to_sensors, *answers; /* hub_requests.h */
    struct hub_requests requests;
    struct link_reader *reader;
    struct nats_options nats;
    struct archive_options archive; /* folder NULL: the hub keeps no archives */
    struct collector *collector;    /* the same */
    struct archive_reads reads;     /* of these archives */
    uv_async_t arrived;
    uv_timer_t pace;
    bool opened; /* the handles are */
    struct radio_list list;
    uint64_t next_list_ns;  /* with the next round of rows */
    uint64_t next_rest_ns;  /* when this round goes to the viewers that lack it; 0: it went */
    uint64_t frames, bytes; /* sent to viewers */
    uint64_t dropped;       /* frames that viewers were too late for */
};

const struct radio *hub_service_radio(const struct hub_service *h,
                                      const char *name); /* SITE.RADIO */
void hub_service_link(const struct hub_service *h, struct link_reader_state *out);

#endif
