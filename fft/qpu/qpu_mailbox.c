/* qpu_mailbox.c - builds a property message: size, request code, one tag with its values, end tag.
 */
#include "fft/qpu/qpu_mailbox.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

enum { HEADER = 5, SUCCESS = (int)0x80000000 };

int qpu_mailbox(const struct qpu_system *os, int fd, enum qpu_tag tag, const uint32_t *values,
                int count, uint32_t *answer)
{
    _Alignas(16) uint32_t message[HEADER + QPU_MAX_VALUES + 1] = {0};
    assert(count > 0 && count <= QPU_MAX_VALUES);
    const uint32_t bytes = (uint32_t)count * sizeof *values;
    message[0] = (HEADER + 1) * sizeof *message + bytes;
    message[2] = (uint32_t)tag;
    message[3] = bytes; /* size of the value buffer */
    message[4] = bytes; /* size of the values sent in it */
    memcpy(&message[HEADER], values, bytes);
    int err = os->property(os->self, fd, message);
    if (err < 0)
        return err;
    if (message[1] != (uint32_t)SUCCESS)
        return -EPROTO;
    *answer = message[HEADER];
    return 0;
}
