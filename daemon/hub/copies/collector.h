/*
 * collector.h - copies the archives of all sensors to the disk of a hub: docs/hub-archive.md.
 *
 * Its thread asks each sensor that offers an archive for the block after the newest one that the
 * hub has, checks what comes, and writes it; nobody waits for it. A radio has one request on its
 * way. What a reply costs is bounded: the bytes of blocks that are not complete, the number of open
 * files. A block that cannot be written is asked for again.
 */
#ifndef FFTD_DAEMON_HUB_COPIES_COLLECTOR_H
#define FFTD_DAEMON_HUB_COPIES_COLLECTOR_H

#include "daemon/archive/archive_options.h"
#include "daemon/hub/copies/copy_table.h"
#include "daemon/nats/nats_options.h"

struct reason;
struct collector;

struct collector_config {
    const struct archive_options *options; /* with a folder; outlives it */
    const struct nats_options *nats;       /* their url is that of the hub's broker; outlives it */
};

/* Starts the threads; the folder is made if it is missing. -errno with one line in *why. */
int collector_start(struct collector **out, const struct collector_config *config,
                    struct reason *why);
struct copy_table *collector_table(struct collector *c);
/* Joins the threads. NULL is fine. */
void collector_stop(struct collector *c);
void collector_destroy(struct collector *c); /* stopped, or NULL */

#endif
