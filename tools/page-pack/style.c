/* style.c - writes style sheets without comments and needless blanks. */
#include "tools/page-pack/style.h"

#include <stdbool.h>
#include <string.h>

#include "tools/page-pack/text.h"

static bool among(char c, const char *set)
{
    return c && strchr(set, c);
}

static const char *string_end(const struct text *text, const char *at)
{
    const char *from = at;
    for (at++; *at != *from; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '\n' || !*at)
            text_refuse(text, from, "a string has no end");
    }
    return at + 1;
}

/* The end of blanks and comments. */
static const char *gap_end(const struct text *text, const char *at)
{
    for (;;) {
        const char *from = at;
        at += strspn(at, " \t\r\n\f");
        if (strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at + 2, "*/");
            if (!end)
                text_refuse(text, at, "a comment has no end");
            at = end + 2;
        }
        if (at == from)
            return at;
    }
}

static void refuse_forms(const struct text *text, const char *at)
{
    static const char *const unknown[] = {"@import", "@charset", "url("};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        if (strncmp(at, unknown[i], strlen(unknown[i])) == 0)
            text_refuse(text, at, "page-pack does not know %s", unknown[i]);
    }
}

static void write_style(const struct text *text, FILE *to)
{
    char before = '{'; /* as if a rule began: blanks are not needed */
    for (const char *at = text->begin; *at;) {
        const char *end = gap_end(text, at);
        if (end > at) {
            const bool glued = *at == '/' && end[-1] == '/';
            if (glued && !among(before, "{};:,( ") && !among(*end, "{};,)") && *end)
                text_refuse(text, at, "a comment without a blank beside it");
            if (!among(before, "{};:,(") && !among(*end, "{};,)") && *end)
                fputc(before = ' ', to);
            at = end;
            continue;
        }
        refuse_forms(text, at);
        end = *at == '"' || *at == '\'' ? string_end(text, at) : at + 1 + (at[0] == '\\' && at[1]);
        fwrite(at, 1, (size_t)(end - at), to);
        before = end[-1];
        at = end;
    }
    fputc('\n', to);
}

void join_styles(const char *folder, char *const *files, FILE *to)
{
    for (; *files; files++) {
        const struct text text = text_read(folder, *files);
        write_style(&text, to);
    }
}
