/* fuzz_rds.c - libFuzzer target: bits of RDS. What is published is text without control characters.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/demod/demod_rds_groups.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_text(const char *text, size_t room)
{
    const size_t length = strnlen(text, room);
    if (length == room)
        abort();
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            abort();
}

/* Blocks of three bytes: a word of the group, and what is wrong with its check word. */
static void send(struct demod_rds_groups *g, const uint8_t *bytes, unsigned place)
{
    static const uint32_t offsets[4] = {0x0fc, 0x198, 0x168, 0x1b4};
    const uint32_t word = (uint32_t)bytes[0] << 8 | bytes[1];
    const uint32_t block = (word << 10 | (demod_rds_check(word) ^ offsets[place])) ^ bytes[2];
    for (int i = 25; i >= 0; i--)
        demod_rds_groups_bit(g, block >> i & 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct demod_rds_groups g;
    demod_rds_groups_reset(&g);
    for (size_t at = 0; at + 3 <= size; at += 3) {
        send(&g, bytes + at, at / 3 % 4);
        check_text(g.station.name, sizeof g.station.name);
        check_text(g.station.text, sizeof g.station.text);
        if (g.station.bad_blocks > g.station.blocks || g.station.pi > 0xffff)
            abort();
    }
    return 0;
}
