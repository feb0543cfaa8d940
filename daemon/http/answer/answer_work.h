/*
 * answer_work.h - makes an answer on a thread of libuv's pool, because it blocks on the disk. Loop
 * thread.
 *
 * One job of a list runs at a time, the oldest first, so a slow disk takes one thread of the pool.
 */
#ifndef FFTD_DAEMON_HTTP_ANSWER_ANSWER_WORK_H
#define FFTD_DAEMON_HTTP_ANSWER_ANSWER_WORK_H

#include <stdint.h>
#include <uv.h>

struct answer;
struct answer_source;
struct request;
struct http_server;

enum { ANSWER_WORKS_MAX = 16 }; /* jobs of a list */

/* Zeroed: empty. */
struct answer_works {
    struct answer_work *first; /* oldest first */
    uint32_t count;
    struct answer_work *running; /* NULL: none */
    uv_work_t work;
};

struct answer_job {
    void (*run)(void *job); /* on the pool */
    void (*finish)(struct http_server *s, void *job,
                   struct answer *a); /* makes the answer; the loop */
    void (*destroy)(void *job);
    void *job;
};

/*
 * Takes over the job, also on failure. NULL: too many jobs wait, of all or of this address, or no
 * memory.
 */
struct answer_source *answer_work_create(const struct request *r, struct answer_works *works,
                                         const struct answer_job *job);

#endif
