/* history_answer.h - answers /api/v1/history. Loop thread. */
#ifndef FFTD_DAEMON_HTTP_STREAM_HISTORY_ANSWER_H
#define FFTD_DAEMON_HTTP_STREAM_HISTORY_ANSWER_H

struct answer;
struct request;

/* Of the route; service: a struct history_service. */
void history_answer(void *service, const struct request *r, struct answer *a);

#endif
