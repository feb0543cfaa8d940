/* archive_reads.h - /api/v1/archive and /api/v1/survey, and those of a hub's radios. Loop thread;
 * threads of libuv's pool read. */
#ifndef FFTD_DAEMON_HTTP_STREAM_ARCHIVE_READS_H
#define FFTD_DAEMON_HTTP_STREAM_ARCHIVE_READS_H

#include <stdbool.h>

#include "daemon/http/answer/answer_work.h"

/* Zeroed: nothing is read. */
struct archive_reads {
    const char *folder; /* of the routes; NULL: there is no archive */
    struct answer_works archives, surveys;
};

/* Of the routes; answers: a struct archive_reads. */
void archive_reads_answer(void *answers, const struct request *r, struct answer *a);
void archive_reads_survey(void *answers, const struct request *r, struct answer *a);
/* Either of them, of an archive in this folder. */
void archive_reads_of(struct archive_reads *all, const struct request *r, const char *folder,
                      bool survey, struct answer *a);

#endif
