/* fuzz_iq_name.c - libFuzzer target: names of recordings. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/format/recording/iq_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = strndup((const char *)bytes, size);
    struct iq_name name;
    if (!text)
        return 0;
    iq_name_parse(text, &name);
    if (name.path < text || name.path > text + strlen(text) || !isfinite(name.rate_hz) ||
        name.rate_hz < 0 || isinf(name.center_hz) || name.center_hz <= 0 ||
        (name.container == IQ_RAW) != (name.sample != NULL))
        abort();
    if (name.rate_hz > 10e9 || name.center_hz > 300e9 || (!name.has_time && name.time_ns != 0))
        abort();
    free(text);
    return 0;
}
