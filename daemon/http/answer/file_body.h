/*
 * file_body.h - the bytes of a file for an HTTP answer. Loop thread; the pool of libuv reads the
 * disk, one piece at a time.
 */
#ifndef FFTD_DAEMON_HTTP_ANSWER_FILE_BODY_H
#define FFTD_DAEMON_HTTP_ANSWER_FILE_BODY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

struct file_body;

/*
 * The first `size` bytes of a file. Takes over fd. *count is one more while it is open. NULL: no
 * memory; fd is closed.
 */
struct file_body *file_body_open(uv_loop_t *loop, int fd, uint64_t size, uint32_t *count);
uint64_t file_body_size(const struct file_body *f);
/* ready: called for each piece that the pool has read. */
void file_body_notify(struct file_body *f, void (*ready)(void *user), void *user);
/*
 * The bytes that come next, until they are skipped. 0: they are being read. -errno: they cannot be
 * read, or the file has become shorter.
 */
ssize_t file_body_data(struct file_body *f, const void **data);
void file_body_skip(struct file_body *f, size_t bytes); /* of those */
void file_body_close(struct file_body *f);              /* NULL is fine */

#endif
