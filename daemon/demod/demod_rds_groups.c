/* demod_rds_groups.c - finding blocks, correcting them, reading groups. */
#include "daemon/demod/demod_rds_groups.h"

#include <string.h>

enum { BITS = 26, CHECK = 10, POLYNOMIAL = 0x5b9, VERSION_B = 4, PLACES = 5 };

/* Of the places A, B, C and D, and of C in groups of version B. */
static const uint32_t offsets[PLACES] = {0x0fc, 0x198, 0x168, 0x1b4, 0x350};

uint32_t demod_rds_check(uint32_t word)
{
    uint32_t rest = word << CHECK;
    for (int i = BITS - 1; i >= CHECK; i--)
        if (rest >> i & 1)
            rest ^= (uint32_t)POLYNOMIAL << (i - CHECK);
    return rest & 0x3ff;
}

/* 0: the block fits this offset. */
static uint32_t syndrome(uint32_t bits, uint32_t offset)
{
    return demod_rds_check(bits >> CHECK) ^ (bits & 0x3ff) ^ offset;
}

/* Corrects a bit, or two neighbours. Returns false if that is not enough. */
static bool correct(uint32_t *bits, uint32_t offset)
{
    const uint32_t wanted = syndrome(*bits, offset);
    if (wanted == 0)
        return true;
    for (uint32_t burst = 1; burst <= 3; burst += 2)
        for (int i = 0; i + (burst == 3) < BITS; i++)
            if (syndrome(burst << i, 0) == wanted) {
                *bits ^= burst << i;
                return true;
            }
    return false;
}

void demod_rds_groups_reset(struct demod_rds_groups *g)
{
    *g = (struct demod_rds_groups){.station = {.pi = -1, .programme_type = -1},
                                   .seen_place = -1,
                                   .pi_before = -1,
                                   .kind_before = -1,
                                   .text_flag = -1};
}

/* ---- characters --------------------------------------------------------------------------- */

/* The characters from 0x80 on, of table E.1. */
static const char *const upper[128] = {
    "á", "à", "é", "è", "í", "ì", "ó", "ò", "ú", "ù", "Ñ", "Ç", "Ş", "ß", "¡", "Ĳ", "â", "ä", "ê",
    "ë", "î", "ï", "ô", "ö", "û", "ü", "ñ", "ç", "ş", "ğ", "ı", "ĳ", "ª", "α", "©", "‰", "Ğ", "ě",
    "ň", "ő", "π", "€", "£", "$", "←", "↑", "→", "↓", "º", "¹", "²", "³", "±", "İ", "ń", "ű", "µ",
    "¿", "÷", "°", "¼", "½", "¾", "§", "Á", "À", "É", "È", "Í", "Ì", "Ó", "Ò", "Ú", "Ù", "Ř", "Č",
    "Š", "Ž", "Ð", "Ŀ", "Â", "Ä", "Ê", "Ë", "Î", "Ï", "Ô", "Ö", "Û", "Ü", "ř", "č", "š", "ž", "đ",
    "ŀ", "Ã", "Å", "Æ", "Œ", "ŷ", "Ý", "Õ", "Ø", "Þ", "Ŋ", "Ŕ", "Ć", "Ś", "Ź", "Ŧ", "ð", "ã", "å",
    "æ", "œ", "ŵ", "ý", "õ", "ø", "þ", "ŋ", "ŕ", "ć", "ś", "ź", "ŧ", " ",
};

/* out: [3 * count + 1]; without the spaces at the end. */
static void write_text(char *out, const char *in, int count)
{
    char *end = out;
    for (int i = 0; i < count && in[i] != '\r'; i++) {
        const unsigned char c = (unsigned char)in[i];
        const bool printed = c >= ' ' && c != 0x7f;
        if (c >= 0x80) {
            const size_t length = strlen(upper[c - 0x80]);
            memcpy(end, upper[c - 0x80], length);
            end += length;
        } else {
            *end = ' ';
            if (printed)
                *end = in[i];
            end++;
        }
    }
    while (end > out && end[-1] == ' ')
        end--;
    *end = 0;
}

/* ---- groups ------------------------------------------------------------------------------- */

static bool has(const struct demod_rds_groups *g, int place)
{
    return g->have >> place & 1;
}

/* Two characters of the name. It is published when all of them came twice alike. */
static void read_name(struct demod_rds_groups *g)
{
    const size_t segment = g->word[1] & 3;
    const char pair[2] = {(char)(g->word[3] >> 8), (char)(g->word[3] & 0xff)};
    if (!has(g, 3))
        return;
    if (memcmp(g->name + 2 * segment, pair, 2) != 0)
        g->name_seen[segment] = 0;
    memcpy(g->name + 2 * segment, pair, 2);
    g->name_seen[segment]++;
    for (int i = 0; i < DEMOD_RDS_NAME / 2; i++)
        if (g->name_seen[i] < 2)
            return;
    write_text(g->station.name, g->name, DEMOD_RDS_NAME);
}

/* All segments up to the one that ends the text have come. */
static bool text_is_whole(const struct demod_rds_groups *g)
{
    for (size_t i = 0; i < 16; i++) {
        if (!(g->text_seen >> i & 1))
            return false;
        if (memchr(g->text + i * g->text_step, '\r', g->text_step))
            return true;
    }
    return true;
}

static void read_text(struct demod_rds_groups *g)
{
    const size_t step = g->version_b ? 2 : 4, segment = g->word[1] & 15;
    const int flag = g->word[1] >> 4 & 1;
    if (!has(g, 3) || (!g->version_b && !has(g, 2)))
        return;
    if (flag != g->text_flag || step != g->text_step) { /* another text begins */
        g->text_seen = 0;
        memset(g->text, ' ', sizeof g->text);
        g->text_flag = flag;
        g->text_step = step;
    }
    const char four[4] = {(char)(g->word[2] >> 8), (char)(g->word[2] & 0xff),
                          (char)(g->word[3] >> 8), (char)(g->word[3] & 0xff)};
    char *to = g->text + segment * step;
    const char *from = step == 4 ? four : four + 2;
    if ((g->text_seen >> segment & 1) && memcmp(to, from, step) != 0)
        g->text_seen = 0; /* a station that does not change the flag */
    memcpy(to, from, step);
    g->text_seen |= 1U << segment;
    if (text_is_whole(g))
        write_text(g->station.text, g->text, (int)(16 * step));
}

/* Days since 17 November 1858, hour, minute, and half hours of local time. */
static void read_clock(struct demod_rds_groups *g)
{
    if (!has(g, 2) || !has(g, 3))
        return;
    const int64_t day = (int64_t)(g->word[1] & 3) << 15 | g->word[2] >> 1;
    const int hour = (g->word[2] & 1) << 4 | g->word[3] >> 12, minute = g->word[3] >> 6 & 63;
    const int offset = (g->word[3] & 31) * 30;
    if (day < 40587 || hour > 23 || minute > 59 || offset > 14 * 60)
        return;
    g->station.time_s = ((day - 40587) * 24 + hour) * 3600 + (int64_t)minute * 60;
    g->station.offset_minutes = g->word[3] & 32 ? -offset : offset;
}

static void read_identification(struct demod_rds_groups *g, int pi)
{
    if (pi == g->pi_before && pi != g->station.pi) {
        const struct demod_rds_groups old = *g; /* another station */
        demod_rds_groups_reset(g);
        g->bits = old.bits;
        g->in_step = old.in_step;
        g->wait = old.wait;
        g->place = old.place;
        g->recent = old.recent;
        g->version_b = old.version_b;
        g->have = old.have;
        memcpy(g->word, old.word, sizeof g->word);
        g->station.groups = old.station.groups;
        g->station.blocks = old.station.blocks;
        g->station.bad_blocks = old.station.bad_blocks;
        g->station.pi = pi;
    }
    g->pi_before = pi;
}

static void read_group(struct demod_rds_groups *g)
{
    g->station.groups += g->have == 15;
    if (has(g, 0))
        read_identification(g, g->word[0]);
    if (!has(g, 1) || g->station.pi < 0)
        return;
    const unsigned type = g->word[1] >> 12;
    g->version_b = g->word[1] >> 11 & 1;
    const int kind = g->word[1] >> 5 & 63;
    if (kind == g->kind_before) {
        g->station.traffic = kind >> 5 & 1;
        g->station.programme_type = kind & 31;
    }
    g->kind_before = kind;
    if (type == 0)
        read_name(g);
    else if (type == 2)
        read_text(g);
    else if (type == 4 && !g->version_b)
        read_clock(g);
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* The place that the newest bits fit without an error; -1: none. */
static int fitting(uint32_t bits)
{
    for (int p = 0; p < PLACES; p++)
        if (syndrome(bits, offsets[p]) == 0)
            return p == VERSION_B ? 2 : p;
    return -1;
}

/* Two blocks that fit, and are as far apart as their places. */
static void search(struct demod_rds_groups *g)
{
    const int place = fitting(g->bits);
    g->since++;
    if (place < 0)
        return;
    const unsigned blocks = g->since / BITS;
    if (g->seen_place >= 0 && g->since % BITS == 0 && blocks <= 6 &&
        (g->seen_place + (int)blocks) % 4 == place) {
        g->in_step = true;
        g->wait = BITS;
        g->place = (place + 1) % 4;
        g->recent = 0;
        g->have = 0;
    }
    g->seen_place = place;
    g->since = 0;
}

static void lose_step(struct demod_rds_groups *g)
{
    g->in_step = false;
    g->seen_place = -1;
    g->since = 0;
}

void demod_rds_groups_gap(struct demod_rds_groups *g)
{
    lose_step(g);
    g->have = 0;
}

static void finish_block(struct demod_rds_groups *g)
{
    uint32_t bits = g->bits;
    bool right = correct(&bits, offsets[g->place]);
    if (g->place == 2 && syndrome(g->bits, offsets[VERSION_B]) == 0) { /* exactly, or not */
        bits = g->bits;
        right = true;
    }
    g->station.blocks++;
    g->station.bad_blocks += !right;
    g->recent += (right ? 0 : 16) - g->recent / 16;
    g->word[g->place] = (uint16_t)(bits >> CHECK);
    g->have |= (right ? 1U : 0U) << g->place;
    if (g->place == 3) {
        read_group(g);
        g->have = 0;
    }
    g->place = (g->place + 1) % 4;
    g->wait = BITS;
    if (g->recent > 12 * 16) /* three quarters of them are bad */
        lose_step(g);
}

void demod_rds_groups_bit(struct demod_rds_groups *g, unsigned bit)
{
    g->bits = (g->bits << 1 | bit) & 0x3ffffff;
    if (!g->in_step)
        search(g);
    else if (--g->wait == 0)
        finish_block(g);
}
