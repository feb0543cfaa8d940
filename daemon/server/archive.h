/* archive.h - /api/v1/archive and /api/v1/survey, and those of a hub's radios. Loop thread; threads
 * of libuv's pool read. */
#ifndef FFTD_DAEMON_SERVER_ARCHIVE_H
#define FFTD_DAEMON_SERVER_ARCHIVE_H

#include "daemon/server/answer.h"

void answer_archive(struct server *s, const struct request *r, struct answer *a);
void answer_survey(struct server *s, const struct request *r, struct answer *a);
/* Either of them, of an archive in this folder. */
void answer_archive_of(struct server *s, const struct request *r, const char *folder, bool survey,
                       struct answer *a);

#endif
