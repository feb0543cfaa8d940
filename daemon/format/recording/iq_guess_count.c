/* iq_guess_count.c - counts the bytes, pairs of bytes and floats of raw IQ data for a guess. */
#include "daemon/format/recording/iq_guess.h"

static void count_pair(struct iq_guess_counts *c, unsigned low, unsigned high)
{
    const unsigned v = high << 8 | low;
    c->pairs++;
    c->nonzero += v != 0;
    c->extended[0] += v != 0 && high == (low & 0x80 ? 0xffU : 0U);
    c->extended[1] += v != 0 && low == (high & 0x80 ? 0xffU : 0U);
    c->seen[v / 8] |= (uint8_t)(1U << v % 8);
    if (v == 0x7fff || v == 0x8000 || v == 0x8001)
        c->rails++;
    else
        c->low[low]++;
}

static void count_float(struct iq_guess_counts *c, const uint8_t *bytes)
{
    const unsigned exponent = (bytes[3] & 0x7fU) << 1 | bytes[2] >> 7;
    const bool zero = (bytes[0] | bytes[1] | bytes[2] | (bytes[3] & 0x7f)) == 0;
    c->floats++;
    c->zeros += zero;
    if (zero)
        return;
    c->negative_floats += bytes[3] >> 7;
    c->exponent[exponent]++;
    c->bad_floats += exponent < 127 - 60 || exponent > 127 + 40;
}

void iq_guess_add(struct iq_guess_counts *c, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at + 8 <= size; at += 8) {
        for (unsigned i = 0; i < 8; i++)
            c->byte[i][bytes[at + i]]++;
        for (unsigned i = 0; i < 8; i += 2)
            count_pair(c, bytes[at + i], bytes[at + i + 1]);
        count_float(c, bytes + at);
        count_float(c, bytes + at + 4);
    }
    c->bytes += size / 8 * 8;
}
