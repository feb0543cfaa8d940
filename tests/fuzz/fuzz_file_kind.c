/* fuzz_file_kind.c - libFuzzer target: the first bytes of a file. */
#include <stdlib.h>

#include "daemon/format/recording/file_kind.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    for (int whole = 0; whole < 2; whole++) {
        const struct file_kind *kind = file_kind_find(bytes, size, whole != 0);
        if (kind && (!kind->name[0] || (kind->container == FILE_REFUSED && !kind->mend[0])))
            abort();
    }
    return 0;
}
