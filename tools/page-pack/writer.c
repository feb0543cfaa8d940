/* writer.c - writes tokens of JavaScript with as few blanks as possible. */
#include "tools/page-pack/writer.h"

#include <ctype.h>
#include <string.h>

/* After these no statement ends, whatever follows; after ) ] } ++ -- one may. */
static bool never_ends_statement(const struct token *t)
{
    return t->kind == TOKEN_PUNCTUATOR && !strchr(")]}", t->text[0]) && !token_is(t, "++") &&
           !token_is(t, "--");
}

/* Before these no semicolon is inserted, except before }, where no line break is needed for it. */
static bool never_starts_statement(const struct token *t)
{
    static const char *const continued[] = {")", "]", "}", ",", ";", ":", "?", ".", "?."};
    for (size_t i = 0; i < sizeof continued / sizeof continued[0]; i++) {
        if (token_is(t, continued[i]))
            return true;
    }
    return false;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '$' || c == '_' || c == '#';
}

static bool in_operator(char c)
{
    return strchr("+-*/%&|^!~<>=?.", c) != NULL;
}

/* Without a blank between them, a and b might be read as other tokens. */
static bool would_merge(const struct token *a, const struct token *b)
{
    const char left = a->text[a->size - 1], right = b->text[0];
    if (a->kind == TOKEN_REGEX || a->kind == TOKEN_NUMBER)
        return in_word(right) || right == '.';
    return (in_word(left) && in_word(right)) || (in_operator(left) && in_operator(right));
}

void writer_put(struct writer *w, const struct token *t)
{
    const struct token *before = w->before;
    if (before && t->gap) {
        if (t->new_line && !never_ends_statement(before) && !never_starts_statement(t))
            fputc('\n', w->to);
        else if (would_merge(before, t))
            fputc(' ', w->to);
    }
    fwrite(t->text, 1, t->size, w->to);
    w->before = t;
}

void writer_skip(const struct token *left_out, struct token *next)
{
    next->gap |= left_out->gap;
    next->new_line |= left_out->new_line;
}
