/* fuzz_spyserver.c - libFuzzer target: the messages of a SpyServer, one after the other. */
#include <math.h>

#include "daemon/source/spyserver/spyserver_protocol.h"
#include "tests/fuzz/fuzz.h"

static void check_device(const uint8_t *body, size_t size)
{
    struct spyserver_device d;
    if (!spyserver_read_device(body, size, &d))
        return;
    check(size >= SPYSERVER_DEVICE && d.name[0] && d.min_hz <= d.max_hz);
    for (uint32_t stage = d.min_stage; stage <= d.stages; stage++) {
        const double hz = ldexp(d.max_rate_hz, -(int)stage);
        check(hz > 0 && spyserver_stage(&d, hz) == (int)stage);
    }
    check(spyserver_stage(&d, 2.5 * d.max_rate_hz) == -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    struct spyserver_header header;
    struct spyserver_sync sync;
    while (in.size >= SPYSERVER_HEADER) {
        uint8_t head[SPYSERVER_HEADER];
        take_bytes(&in, head, sizeof head);
        if (!spyserver_read_header(head, &header))
            return 0;
        check(header.size <= SPYSERVER_BODY_MAX && header.type <= UINT16_MAX);
        const size_t body = header.size < in.size ? header.size : in.size;
        check_device(in.at, body);
        check(spyserver_read_sync(in.at, body, &sync) == (body >= SPYSERVER_SYNC));
        check(spyserver_iq_format(header.type) <= FFT_IQ_FORMATS);
        in.at += body;
        in.size -= body;
    }
    return 0;
}
