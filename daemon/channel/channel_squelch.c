/* channel_squelch.c - thresholds, means of blocks, and the time for which a squelch hangs. */
#include "daemon/channel/channel_squelch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/si.h"

/* ---- as text ------------------------------------------------------------------------------ */

const char squelch_expected[] = "off, decibels above the noise as 6, or a level as \"level -60\"";

#define SNR_MAX_DB   100
#define LEVEL_MIN_DB (-250)

int squelch_parse(const char *text, struct squelch_rule *out)
{
    static const char word[] = "level";
    struct squelch_rule s = *out;
    double value;
    if (strcasecmp(text, "off") == 0) {
        out->by = SQUELCH_OFF;
        out->open_db = 0;
        return 0;
    }
    const bool is_level = strncasecmp(text, word, sizeof word - 1) == 0;
    const char *number = text + (is_level ? sizeof word - 1 : 0);
    if (is_level && *number != ' ' && *number != '=' && *number != '-')
        return -EINVAL;
    number += strspn(number, " =");
    if (si_parse_unit(number, SI_DB, &value) < 0)
        return -EINVAL;
    s.by = is_level ? SQUELCH_LEVEL : SQUELCH_SNR;
    s.open_db = value;
    if (is_level ? !(value >= LEVEL_MIN_DB && value <= 0) : !(value > 0 && value <= SNR_MAX_DB))
        return -EINVAL;
    *out = s;
    return 0;
}

const char *squelch_format(const struct squelch_rule *s, char *into, size_t size)
{
    if (s->by == SQUELCH_OFF)
        snprintf(into, size, "off");
    else
        snprintf(into, size, "%s%.10g", s->by == SQUELCH_LEVEL ? "level " : "", s->open_db);
    return into;
}

/* ---- decisions ---------------------------------------------------------------------------- */

void channel_squelch_init(struct channel_squelch *s, const struct squelch_rule *rule,
                          double independent)
{
    const double blocks = ceil(SQUELCH_VALUES / fmax(independent, 1));
    *s = (struct channel_squelch){.rule = *rule, .open = rule->by == SQUELCH_OFF};
    s->blocks = (uint32_t)fmin(fmax(blocks, 1), SQUELCH_BLOCKS);
    s->open_factor = pow(10, rule->open_db / 10);
    s->shut_factor = pow(10, (rule->open_db - rule->hysteresis_db) / 10);
}

uint32_t channel_squelch_reach(const struct channel_squelch *s)
{
    return 2 * s->blocks - 1;
}

/* Of the blocks of a mean, or, in the beginning, of those that came. */
static double mean_level(struct channel_squelch *s, double level)
{
    double sum = 0;
    s->level[s->at] = level;
    s->at = (s->at + 1) % s->blocks;
    s->count += s->count < s->blocks;
    for (uint32_t i = 0; i < s->count; i++)
        sum += s->level[i];
    return sum / s->count;
}

bool channel_squelch_add(struct channel_squelch *s, double level, double noise, double block_s)
{
    if (s->rule.by == SQUELCH_OFF || isnan(level))
        return s->open;
    const double unit = s->rule.by == SQUELCH_SNR ? noise : 1;
    const double mean = mean_level(s, level);
    /* a noise that is not known, NAN, is never exceeded */
    s->above = s->count == s->blocks && mean >= s->open_factor * unit ? s->above + 1 : 0;
    s->below_s = mean < s->shut_factor * unit ? s->below_s + block_s : 0;
    if (!s->open && s->above > s->blocks) {
        s->open = true;
        s->below_s = 0;
    } else if (s->open && s->below_s > s->rule.hang_s) {
        s->open = false;
    }
    return s->open;
}
