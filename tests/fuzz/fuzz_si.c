/* fuzz_si.c - libFuzzer target: numbers. A parsed number that is formatted in full parses the same.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/si.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = strndup((const char *)bytes, size), written[512];
    double value = 0, again = 0;
    if (text && si_parse(text, &value) == 0) {
        si_format(value, 17, written, sizeof written);
        const int err = si_parse(written, &again);
        /* si_parse refuses more than 64 digits, which si_format may write for 1e300 */
        if (!isfinite(value) || (err ? fabs(value) < 1e60 && fabs(value) > 1e-40 : again != value))
            abort();
        if (si_parse_unit(text, SI_PLAIN, &again) < 0 || again != value)
            abort();
    }
    for (int unit = SI_PLAIN; text && unit <= SI_BINARY; unit++)
        if (si_parse_unit(text, (enum si_unit)unit, &value) == 0 && !isfinite(value))
            abort();
    free(text);
    return 0;
}
