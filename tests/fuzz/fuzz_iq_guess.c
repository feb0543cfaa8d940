/* fuzz_iq_guess.c - libFuzzer target: the guess of a sample format, from repeated input. */
#include <stdint.h>
#include <stdlib.h>

#include "daemon/format/recording/iq_guess.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Data shorter than IQ_GUESS_MIN would never give a guess. */
static void add_often(struct iq_guess_counts *c, const uint8_t *bytes, size_t size)
{
    while (size >= 8 && c->bytes < IQ_GUESS_MIN)
        iq_guess_add(c, bytes, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct iq_guess_counts *c = calloc(1, sizeof *c);
    unsigned likely = 0, left = 0;
    if (!c)
        return 0;
    add_often(c, bytes, size);
    const struct iq_guess g = iq_guess_result(c, size);
    for (int i = 0; i < FFT_IQ_FORMATS; i++) {
        likely += g.likelihood[i] == IQ_LIKELY;
        left += g.likelihood[i] != IQ_EXCLUDED;
    }
    if (g.format != FFT_IQ_FORMATS &&
        (likely != 1 || g.likelihood[g.format] != IQ_LIKELY || c->bytes < IQ_GUESS_MIN))
        abort();
    if (g.sure && (g.format == FFT_IQ_FORMATS || left != 1))
        abort();
    free(c);
    return 0;
}
