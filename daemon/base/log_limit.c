/* log_limit.c - compares each line with those that were seen last. */
#include "daemon/base/log_limit.h"

#include <stdio.h>
#include <string.h>

static const uint64_t quiet_ns = 600000000000;

static struct log_limit_line *find(struct log_limit *l, int priority, const char *text)
{
    for (int i = 0; i < LOG_LIMIT_LINES; i++) {
        struct log_limit_line *line = &l->lines[i];
        if (line->text[0] && line->priority == priority && strcmp(line->text, text) == 0)
            return line;
    }
    return NULL;
}

static struct log_limit_line *oldest(struct log_limit *l)
{
    struct log_limit_line *found = &l->lines[0];
    for (int i = 1; i < LOG_LIMIT_LINES; i++)
        if (l->lines[i].seen_ns < found->seen_ns)
            found = &l->lines[i];
    return found;
}

bool log_limit_admits(struct log_limit *l, int priority, const char *text, uint64_t now_ns,
                      uint64_t *repeats)
{
    char cut[LOG_LIMIT_TEXT];
    snprintf(cut, sizeof cut, "%s", text);
    struct log_limit_line *line = find(l, priority, cut);
    *repeats = 0;
    if (!line) {
        line = oldest(l);
        *line = (struct log_limit_line){.priority = priority, .written_ns = now_ns};
        memcpy(line->text, cut, sizeof cut);
        line->seen_ns = now_ns;
        return true;
    }
    line->seen_ns = now_ns;
    line->repeats++;
    if (now_ns - line->written_ns < quiet_ns)
        return false;
    *repeats = line->repeats;
    line->repeats = 0;
    line->written_ns = now_ns;
    return true;
}
