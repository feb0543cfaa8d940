/*
 * fuzz_reference.c - libFuzzer target: files of stored references.
 *
 * The powers of an accepted file are levels, and it is written again as the same bytes read.
 */
#include <math.h>

#include "daemon/base/reason.h"
#include "daemon/line/reference/reference_file.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct reference *r, *again;
    struct reason why = {0};
    const int err = reference_parse(&r, bytes, size, &why);
    check_error(err, why.sentence);
    if (err < 0)
        return 0;
    for (uint32_t k = 0; k < r->n; k++)
        check(r->power[k] >= 0 && isfinite((double)r->power[k]));
    struct text text = {0};
    reference_write(&text, r);
    check(!text.failed);
    check(reference_parse(&again, text.data, text.length, &why) == 0);
    check(again->n == r->n && memcmp(again->power, r->power, r->n * sizeof(float)) == 0);
    text_finish(&text);
    reference_unref(again);
    reference_unref(r);
    return 0;
}
