/* mailbox.c - a property message: its size, request, one tag with its values, end. */
#include "fft/qpu/mailbox.h"

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
    message[3] = bytes; /* of its value buffer */
    message[4] = bytes; /* of what is sent in it */
    memcpy(&message[HEADER], values, bytes);
    int bad = os->property(os->self, fd, message);
    if (bad < 0)
        return bad;
    if (message[1] != (uint32_t)SUCCESS)
        return -EPROTO;
    *answer = message[HEADER];
    return 0;
}
