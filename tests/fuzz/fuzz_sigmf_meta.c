/* fuzz_sigmf_meta.c - libFuzzer target: SigMF's JSON. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/format/recording/sigmf_meta.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct sigmf_meta meta;
    struct reason why = {0};
    const int err = sigmf_meta_parse((const char *)bytes, size, &meta, &why);
    if (err ? !why.sentence[0] : meta.channels < 1 || strchr(meta.dataset, '/') != NULL)
        abort();
    for (size_t i = 1; !err && i < meta.count; i++) {
        if (meta.captures[i].sample_start < meta.captures[i - 1].sample_start)
            abort();
    }
    if (strpbrk(meta.warning, "\n\r\033") || strpbrk(why.sentence, "\n\r\033"))
        abort();
    sigmf_meta_finish(&meta);
    return 0;
}
