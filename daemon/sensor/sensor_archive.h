/*
 * sensor_archive.h - a sensor's archive for hubs: the announced tiers, and replies
 * to requests for blocks. A thread of its own reads the disk, so that lines do not wait for it.
 *
 * Replies to all hubs together are limited in bytes per second. Requests only read: they name
 * blocks by numbers, and no text of theirs is part of a path.
 */
#ifndef FFTD_DAEMON_SENSOR_SENSOR_ARCHIVE_H
#define FFTD_DAEMON_SENSOR_SENSOR_ARCHIVE_H

#include "daemon/config/config.h"
#include "daemon/nats/archive_message.h"
#include "daemon/sensor/sensor_link.h"

struct sensor_archive;

/*
 * Starts the thread, if the configuration has an archive and hubs may have it; otherwise *out is
 * NULL. The outbox is woken when there are replies; both outlive it. -errno.
 */
int sensor_archive_start(struct sensor_archive **out, const struct config *config,
                         struct outbox *outbox);
struct sensor_service sensor_archive_service(struct sensor_archive *s); /* not NULL */
/* What there was a few seconds ago. Any thread; NULL: nothing. */
void sensor_archive_offer(struct sensor_archive *s, struct archive_offer *out);
/* Joins the thread; replies are not made any more. NULL is fine. */
void sensor_archive_stop(struct sensor_archive *s);
void sensor_archive_destroy(struct sensor_archive *s); /* no link uses it any more; NULL is fine */

#endif
