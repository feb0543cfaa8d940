/* fuzz_npy.c - libFuzzer target: the header of a NumPy array. */
#include <errno.h>
#include <stdlib.h>

#include "daemon/base/reason.h"
#include "daemon/format/recording/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct npy header;
    struct reason why = {0};
    const int need = npy_parse(bytes, size, &header, &why);
    if (need < 0 ? (need != -EINVAL && need != -ENOTSUP) || !why.sentence[0]
                 : need > 0 && ((size_t)need <= size || need > NPY_HEADER_MAX))
        abort();
    if (need == 0 && (header.data_at > size || !header.sample))
        abort();
    return 0;
}
