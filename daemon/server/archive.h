/* archive.h - /api/v1/archive and /api/v1/survey. Loop thread; threads of libuv's pool read. */
#ifndef FFTD_DAEMON_SERVER_ARCHIVE_H
#define FFTD_DAEMON_SERVER_ARCHIVE_H

#include "daemon/server/answer.h"

void answer_archive(struct server *s, const struct request *r, struct answer *a);
void answer_survey(struct server *s, const struct request *r, struct answer *a);

#endif
