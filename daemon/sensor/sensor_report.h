/*
 * sensor_report.h - the JSON messages of a sensor about itself and its link.
 * Pure; the tables are in docs/sensor-messages.md.
 */
#ifndef FFTD_DAEMON_SENSOR_SENSOR_REPORT_H
#define FFTD_DAEMON_SENSOR_SENSOR_REPORT_H

#include "daemon/control/fields.h"
#include "daemon/nats/archive_message.h"
#include "daemon/nats/nats_options.h"
#include "daemon/sensor/outbox.h"
#include "daemon/status/status.h"
#include "daemon/trigger/event.h"

enum { SENSOR_ANNOUNCE_S = 2, SENSOR_LEDGER_S = 5, SENSOR_STATUS_S = 30 };

struct sensor_report {
    const struct nats_options *options;
    const char *site, *detector;
    uint32_t run;
    bool controllable;          /* it takes requests */
    struct archive_offer offer; /* of the archive, for hubs; the loop thread's */
};

/* What the first frame after a loss of the link says about it. */
struct sensor_report_gap {
    int64_t lost_ns, back_ns; /* Unix times of the link */
    uint64_t line;            /* number of the frame's newest line */
    uint64_t lines;           /* received while the link was away */
};

/* Who changed the radio last through the broker. */
struct sensor_writer {
    char name[CLIENT_NAME]; /* for people; "": not given */
    int64_t time_ns;        /* Unix time; 0: nobody did */
};

/* Each puts one message into the outbox. Without memory there is none. */
void sensor_report_announce(struct outbox *o, const struct sensor_report *r,
                            const struct status *status, const struct nats_state *state,
                            const struct sensor_writer *writer, bool gone);
void sensor_report_status(struct outbox *o, const struct sensor_report *r,
                          const struct status *status);
void sensor_report_ledger(struct outbox *o, const struct sensor_report *r,
                          const struct ledger *ledger);
void sensor_report_event(struct outbox *o, const struct sensor_report *r, const struct event *e);
void sensor_report_gap(struct outbox *o, const struct sensor_report *r,
                       const struct nats_state *state, const struct sensor_report_gap *gap);

#endif
