/* fuzz_wav_header.c - libFuzzer target: the chunks before a WAV file's samples. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "daemon/base/reason.h"
#include "daemon/format/recording/wav_header.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct wav_header header;
    struct reason why = {0};
    const int need = wav_header_parse(bytes, size, &header, &why);
    if (need < 0 ? need != -EINVAL || !why.sentence[0]
                 : need > 0 && ((size_t)need <= size || need > WAV_HEADER_MAX))
        abort();
    if (need == 0 && header.data_at > size)
        abort();
    if (header.center_hz <= 0 || header.center_hz > 300e9)
        abort();
    return 0;
}
