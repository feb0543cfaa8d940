/* radix.c - the greedy factoriser. */
#include "fft/radix.h"

bool fft_radix_factor(struct radices *out, uint32_t n, const uint32_t *wanted)
{
    out->count = 0;
    for (; n > 1 && *wanted; wanted++)
        while (n % *wanted == 0) {
            out->at[out->count++] = *wanted;
            n /= *wanted;
        }
    return n == 1;
}

bool fft_radix_is_smooth(uint32_t n)
{
    static const uint32_t primes[] = {2, 3, 5, 7, 0};
    struct radices radices;
    return n > 0 && fft_radix_factor(&radices, n, primes);
}
