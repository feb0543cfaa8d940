/*
 * file_body.h - the bytes of a file for an HTTP answer. Loop thread; the pool of libuv reads the
 * disk, one piece at a time.
 */
#ifndef FFTD_DAEMON_HTTP_ANSWER_FILE_BODY_H
#define FFTD_DAEMON_HTTP_ANSWER_FILE_BODY_H

#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "daemon/http/answer/body_stream.h"

/*
 * The first `size` bytes of a file. Takes over fd. *count is one more while it is open. NULL: no
 * memory; fd is closed.
 */
struct body_stream *file_body_open(uv_loop_t *loop, int fd, uint64_t size, uint32_t *count);
#endif
