/* line_account.c - follows the numbers of a radio's lines. */
#include "daemon/hub/line_account.h"

#include <errno.h>

#include "daemon/hub/radio.h"

static bool has_base_of(const struct radio *radio, const struct line_message *m)
{
    return radio && radio->has_base && radio->run == m->run && radio->base == m->base;
}

int line_place_read(const uint8_t *bytes, size_t size, const struct radio *radio,
                    struct line_place *out)
{
    size_t frame = 0;
    *out = (struct line_place){.known = false};
    if (line_message_read(bytes, size, &out->message, &frame) < 0)
        return -EINVAL;
    const bool complete = coded_place_has_base(bytes + frame, size - frame);
    out->known = complete || has_base_of(radio, &out->message);
    /* Without its base the frame still has to be one: any line will do. */
    const uint64_t base = out->known && !complete ? radio->base_line : INT64_MAX / 2;
    return coded_place_read(bytes + frame, size - frame, base, &out->coded);
}

/* Lines count from 0 again. What the hub did not see of its first run came before it. */
static void begin_run(struct radio *radio, uint32_t run)
{
    radio->run = run;
    radio->has_run = true;
    radio->has_base = radio->has_line = false;
    radio->runs++;
}

static void count_lines(struct radio *radio, const struct coded_place *p)
{
    const uint64_t first = p->line + 1 - p->merged;
    if (radio->has_line)
        radio->missing += first > radio->newest ? first - radio->newest - 1 : 0;
    else if (radio->runs > 1)
        radio->missing += first;
    else
        radio->before = first;
    radio->has_line = true;
    radio->newest = p->line;
    radio->lines += p->merged;
}

bool line_account_add(struct radio *radio, const struct line_place *place, int64_t now_ns)
{
    const struct line_message *m = &place->message;
    const struct coded_place *p = &place->coded;
    radio->frames++;
    radio->last_line_ns = now_ns;
    radio->skew_ms = ((double)now_ns - (double)m->host_time_ns) * 1e-6;
    if (!radio->has_run || m->run != radio->run)
        begin_run(radio, m->run);
    if (!place->known) {
        radio->undecoded++;
        return false;
    }
    if (p->complete) {
        radio->has_base = true;
        radio->base = m->base;
        radio->base_line = p->base;
    }
    if (radio->has_line && p->line <= radio->newest) {
        radio->again++;
        return false;
    }
    count_lines(radio, p);
    return true;
}

void line_account_end(struct radio *radio, uint32_t run, uint64_t lines)
{
    const uint64_t came = radio->has_line ? radio->newest + 1 : 0;
    if (!radio->has_run || radio->run != run || lines <= came || lines >= INT64_MAX)
        return;
    radio->missing += lines - came;
    radio->has_line = true;
    radio->newest = lines - 1;
}
