/* fuzz_portapack.c - libFuzzer target: the text beside a capture of a PortaPack. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "daemon/format/recording/portapack.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct portapack p;
    portapack_parse((const char *)bytes, size, &p);
    if (!(p.rate_hz >= 0 && p.rate_hz <= 10e9) || p.center_hz <= 0 || p.center_hz > 300e9)
        abort();
    return 0;
}
