/* density_answer.h - answers /api/v1/density. Loop thread. */
#ifndef FFTD_DAEMON_HTTP_STREAM_DENSITY_ANSWER_H
#define FFTD_DAEMON_HTTP_STREAM_DENSITY_ANSWER_H

struct answer;
struct request;

/* Of the route; service: a struct density_service. */
void density_answer(void *service, const struct request *r, struct answer *a);

#endif
