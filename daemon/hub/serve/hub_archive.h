/* hub_archive.h - the archives of a hub's radios: between collector and table, and for HTTP. Loop
 * thread. */
#ifndef FFTD_DAEMON_HUB_SERVE_HUB_ARCHIVE_H
#define FFTD_DAEMON_HUB_SERVE_HUB_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

struct answer;
struct hub_service;
struct reason;
struct request;

int hub_archive_start(struct hub_service *h, struct reason *why); /* -errno */
void hub_archive_update(struct hub_service *h);
/* False if the name is none of SITE.RADIO/archive and SITE.RADIO/survey. */
bool hub_archive_answer(struct hub_service *h, const struct request *r, const char *name,
                        struct answer *a);

#endif
