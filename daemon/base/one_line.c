/* one_line.c - texts that stay one line. */
#include "daemon/base/one_line.h"

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 127;
}

bool is_one_line(const char *text)
{
    while (*text && !is_control(*text))
        text++;
    return !*text;
}

void make_one_line(char *text)
{
    for (; *text; text++)
        if (is_control(*text))
            *text = '?';
}
