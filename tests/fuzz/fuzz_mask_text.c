/* fuzz_mask_text.c - libFuzzer target: files of masks. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/format/mask_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_limit(const struct mask_limit *limit)
{
    if (limit->count == 1 || limit->count > MASK_POINTS_MAX || !mask_limit_valid(limit))
        abort();
    for (size_t i = 0; i < limit->count; i++)
        if (!isfinite(limit->point[i].hz) || !isfinite(limit->point[i].db))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct mask_text mask;
    struct reason why = {0};
    const int err = mask_text_parse(&mask, (const char *)bytes, size, "t", &why);
    if (err < 0) {
        if (strncmp(why.sentence, "t:", 2) != 0 || strpbrk(why.sentence, "\n\r\033") != NULL)
            abort();
        return 0;
    }
    check_limit(&mask.upper);
    check_limit(&mask.lower);
    if (mask.upper.count + mask.lower.count == 0)
        abort();
    return 0;
}
