/* archive_answer.h - /api/v1/archive and /api/v1/survey, and those of a hub's radios. Loop thread;
 * threads of libuv's pool read. */
#ifndef FFTD_DAEMON_HTTP_STREAM_ARCHIVE_ANSWER_H
#define FFTD_DAEMON_HTTP_STREAM_ARCHIVE_ANSWER_H

#include "daemon/http/answer/answer.h"

void answer_archive(struct server *s, const struct request *r, struct answer *a);
void answer_survey(struct server *s, const struct request *r, struct answer *a);
/* Either of them, of an archive in this folder. */
void answer_archive_of(struct server *s, const struct request *r, const char *folder, bool survey,
                       struct answer *a);

#endif
