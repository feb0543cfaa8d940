/* fuzz_band_plan.c - libFuzzer target: band plans and bookmarks of all forms. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/format/band_plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct band_plan plan = {0};
    struct reason why = {0};
    const int err = band_plan_add(&plan, (const char *)bytes, size, "t", &why);
    if (err < 0 &&
        (strncmp(why.sentence, "t:", 2) != 0 || strpbrk(why.sentence, "\n\r\033") != NULL))
        abort();
    if (plan.band_count > BANDS_MAX || plan.bookmark_count > BOOKMARKS_MAX)
        abort();
    for (size_t i = 0; i < plan.band_count; i++)
        if (!(plan.band[i].low_hz < plan.band[i].high_hz) || !plan.band[i].name[0])
            abort();
    for (size_t i = 0; i < plan.bookmark_count; i++)
        if (!(plan.bookmark[i].hz >= 0) || !plan.bookmark[i].name[0])
            abort();
    band_plan_finish(&plan);
    return 0;
}
