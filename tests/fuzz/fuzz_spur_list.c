/* fuzz_spur_list.c - libFuzzer target: spur lists, and their rows written again. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/format/spur_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A note may contain '"' or '#', which read differently alone: only the numbers are compared. */
static void check_written(const struct spur *spur)
{
    struct spur bare = *spur;
    struct spur_list again;
    struct text row = {0};
    bare.note[0] = '\0';
    spur_add_row(&row, &bare);
    if (spur_list_parse(&again, row.data, row.length, "t", NULL) < 0 || again.count != 1)
        abort();
    if (fabs(again.spur[0].hz - spur->hz) > 0.06 + fabs(spur->hz) * 1e-12 ||
        again.spur[0].relative != spur->relative)
        abort();
    spur_list_finish(&again);
    text_finish(&row);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct spur_list list;
    struct reason why = {0};
    const int err = spur_list_parse(&list, (const char *)bytes, size, "t", &why);
    if (err < 0 ? strncmp(why.sentence, "t:", 2) != 0 || strpbrk(why.sentence, "\n\r\033") != NULL
                : list.count > SPURS_MAX)
        abort();
    for (size_t i = 0; i < list.count; i++)
        check_written(&list.spur[i]);
    spur_list_finish(&list);
    return 0;
}
