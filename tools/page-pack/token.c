/* token.c - cuts a JavaScript module into tokens. */
#include "tools/page-pack/token.h"

#include <ctype.h>
#include <string.h>

/* An open bracket. */
struct open {
    char bracket;   /* ( [ { or $ for the ${ of a template */
    bool statement; /* the ( of if, while and for: what follows its ) is a statement */
};

struct cut {
    const struct text *text;
    const char *at;
    struct token *tokens; /* [size of text + 1] */
    size_t count;
    struct open open[TOKEN_MAX_DEPTH];
    unsigned depth;
    bool after_statement; /* the newest ) closed the ( of a statement */
};

/* Longer ones first. */
static const char *const punctuators[] = {
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>",  "&&=", "||=", "\?\?=",
    "=>",   "==",  "!=",  "<=",  ">=",  "&&",  "||",  "\?\?", "?.",  "++",  "--",
    "+=",   "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=",   "<<",  ">>",  "**",
};
/* Words before an expression: a "/" after them begins a regular expression. */
static const char *const operators[] = {
    "return", "typeof", "instanceof", "in",   "new",   "delete", "void",
    "throw",  "case",   "do",         "else", "await", "yield",  "extends",
};

bool token_is(const struct token *token, const char *text)
{
    return strlen(text) == token->size && memcmp(token->text, text, token->size) == 0 &&
           (token->kind == TOKEN_WORD || token->kind == TOKEN_PUNCTUATOR);
}

static bool starts_word(char c)
{
    return isalpha((unsigned char)c) || c == '$' || c == '_';
}

static bool in_word(char c)
{
    return starts_word(c) || isdigit((unsigned char)c);
}

/* ---- what ends where -------------------------------------------------------------------- */

static const char *word_end(const char *at)
{
    while (in_word(*at))
        at++;
    return at;
}

static const char *number_end(const char *at)
{
    const bool prefixed = at[0] == '0' && strchr("xXbBoO", at[1]) && at[1];
    if (prefixed)
        return word_end(at + 2);
    const char *from = at;
    while (in_word(*at) || *at == '.' ||
           ((*at == '+' || *at == '-') && at > from && (at[-1] == 'e' || at[-1] == 'E')))
        at++;
    return at;
}

static const char *string_end(const struct cut *c, const char *at)
{
    const char *from = at;
    for (at++; *at != *from; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '\n' || *at == '\r' || !*at)
            text_refuse(c->text, from, "a string has no end");
    }
    return at + 1;
}

/* at: a ` or the } after an expression. The end is after the next ` or ${. */
static const char *template_end(const struct cut *c, const char *at)
{
    const char *from = at;
    for (at++; *at; at++) {
        if (*at == '`')
            return at + 1;
        if (at[0] == '$' && at[1] == '{')
            return at + 2;
        if (*at == '\\' && at[1])
            at++;
    }
    text_refuse(c->text, from, "a template has no end");
}

static const char *regex_end(const struct cut *c, const char *at)
{
    const char *from = at;
    bool in_class = false;
    for (at++; *at != '/' || in_class; at++) {
        if (*at == '\\' && at[1])
            at++;
        if (*at == '\n' || *at == '\r' || !*at)
            text_refuse(c->text, from, "a regular expression has no end");
        in_class = *at == '[' ? true : *at == ']' && at[-1] != '\\' ? false : in_class;
    }
    const char *flags = at + 1;
    at = word_end(flags);
    if (memchr(flags, 'v', (size_t)(at - flags)))
        text_refuse(c->text, from, "a regular expression has the flag v, which is not known");
    return at;
}

static const char *punctuator_end(const char *at)
{
    for (size_t i = 0; i < sizeof punctuators / sizeof punctuators[0]; i++) {
        const size_t size = strlen(punctuators[i]);
        if (strncmp(at, punctuators[i], size) != 0)
            continue;
        const bool condition = strcmp(punctuators[i], "?.") == 0 && isdigit((unsigned char)at[2]);
        if (!condition)
            return at + size;
    }
    return at + 1;
}

/* ---- regular expression or division ------------------------------------------------------ */

static bool is_property(const struct cut *c, size_t i)
{
    return i > 0 && (token_is(&c->tokens[i - 1], ".") || token_is(&c->tokens[i - 1], "?."));
}

static bool is_operator(const struct token *word)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (token_is(word, operators[i]))
            return true;
    }
    return false;
}

/* Whether the "/" at c->at begins a regular expression. */
static bool regex_follows(const struct cut *c)
{
    if (c->count == 0)
        return true;
    const struct token *before = &c->tokens[c->count - 1];
    if (token_is(before, "}") || token_is(before, "of"))
        text_refuse(c->text, c->at,
                    "a / after %.*s: page-pack cannot tell a division from a regular expression",
                    (int)before->size, before->text);
    switch (before->kind) {
    case TOKEN_WORD:
        return is_operator(before) && !is_property(c, c->count - 1);
    case TOKEN_TEMPLATE:
        return before->text[before->size - 1] == '{';
    case TOKEN_PUNCTUATOR:
        if (token_is(before, ")"))
            return c->after_statement;
        return !token_is(before, "]") && !token_is(before, "++") && !token_is(before, "--");
    default:
        return false;
    }
}

/* ---- brackets ---------------------------------------------------------------------------- */

static void open_bracket(struct cut *c, char bracket)
{
    if (c->depth == TOKEN_MAX_DEPTH)
        text_refuse(c->text, c->at, "more than %d brackets are open", TOKEN_MAX_DEPTH);
    const struct token *before = c->count ? &c->tokens[c->count - 1] : NULL;
    const bool statement = bracket == '(' && before && !is_property(c, c->count - 1) &&
                           (token_is(before, "if") || token_is(before, "while") ||
                            token_is(before, "for") || token_is(before, "with"));
    /* The only word between "for" and its bracket. */
    const bool awaits =
        bracket == '(' && c->count > 1 && token_is(before, "await") && token_is(before - 1, "for");
    c->open[c->depth++] = (struct open){bracket, statement || awaits};
}

/* opener: as in struct open. */
static void close_bracket(struct cut *c, char opener)
{
    if (c->depth == 0 || c->open[c->depth - 1].bracket != opener)
        text_refuse(c->text, c->at, "a %c closes no bracket", *c->at);
    c->depth--;
    c->after_statement = c->open[c->depth].statement;
}

/* The innermost open one, for people. */
static const char *bracket_name(const struct cut *c)
{
    const char bracket = c->open[c->depth - 1].bracket;
    return bracket == '(' ? "(" : bracket == '[' ? "[" : bracket == '{' ? "{" : "${";
}

/* ---- tokens ------------------------------------------------------------------------------ */

/* Skips blanks and comments. */
static void skip_gap(struct cut *c, struct token *next)
{
    for (;; next->gap = true) {
        const char *from = c->at;
        if (strchr(" \t\n\r\f\v", *from) && *from) {
            c->at++;
        } else if (from[0] == '/' && from[1] == '/') {
            c->at += strcspn(from, "\r\n");
        } else if (from[0] == '/' && from[1] == '*') {
            const char *end = strstr(from + 2, "*/");
            if (!end)
                text_refuse(c->text, from, "a comment has no end");
            c->at = end + 2;
        } else {
            return;
        }
        for (; from < c->at; from++)
            next->new_line |= *from == '\n' || *from == '\r';
    }
}

static bool template_continues(const struct cut *c)
{
    return *c->at == '}' && c->depth > 0 && c->open[c->depth - 1].bracket == '$';
}

/* Sets the kind of the token at c->at; returns its end. */
static const char *classify(struct cut *c, struct token *t)
{
    const char *at = c->at;
    const bool private = *at == '#' && starts_word(at[1]);
    if (starts_word(*at) || private)
        return t->kind = TOKEN_WORD, word_end(at + private);
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
        return t->kind = TOKEN_NUMBER, number_end(at);
    if (*at == '"' || *at == '\'')
        return t->kind = TOKEN_STRING, string_end(c, at);
    if (*at == '`' || template_continues(c))
        return t->kind = TOKEN_TEMPLATE, template_end(c, at);
    if (*at == '/' && regex_follows(c))
        return t->kind = TOKEN_REGEX, regex_end(c, at);
    if (!strchr("{}()[];,<>+-*/%&|^!~?:=.", *at))
        text_refuse(c->text, at, "a character that page-pack does not know: byte 0x%02x",
                    (unsigned char)*at);
    return t->kind = TOKEN_PUNCTUATOR, punctuator_end(at);
}

static void track_brackets(struct cut *c, const struct token *t)
{
    const char first = t->text[0], last = t->text[t->size - 1];
    if (t->kind == TOKEN_TEMPLATE) {
        if (first == '}')
            close_bracket(c, '$');
        if (last == '{')
            open_bracket(c, '$');
    } else if (t->kind == TOKEN_PUNCTUATOR) {
        if (first == ')')
            close_bracket(c, '(');
        if (first == ']')
            close_bracket(c, '[');
        if (first == '}')
            close_bracket(c, '{');
        if (strchr("([{", first))
            open_bracket(c, first);
    }
}

static void cut_token(struct cut *c, struct token *t)
{
    t->text = c->at;
    const char *end = classify(c, t);
    t->size = (size_t)(end - c->at);
    const unsigned before = c->depth;
    track_brackets(c, t);
    t->depth = before < c->depth ? before : c->depth;
    c->at = end;
    c->count++;
}

/* They end lines, also in comments, and no other text may. */
static void refuse_separators(const struct text *text)
{
    for (const char *at = text->begin; (at = strstr(at, "\xe2\x80")) != NULL; at++) {
        if (at[2] == '\xa8' || at[2] == '\xa9')
            text_refuse(text, at, "a line separator of Unicode (U+2028 or U+2029)");
    }
}

struct token *token_list(const struct text *text)
{
    refuse_separators(text);
    struct cut c = {.text = text, .at = text->begin};
    c.tokens = text_allocate((size_t)(text->end - text->begin) + 1, sizeof *c.tokens);
    for (;;) {
        struct token *next = &c.tokens[c.count];
        skip_gap(&c, next);
        if (!*c.at)
            break;
        cut_token(&c, next);
    }
    if (c.depth > 0)
        text_refuse(text, c.at, "a %s is not closed", bracket_name(&c));
    c.tokens[c.count] =
        (struct token){.kind = TOKEN_END, .text = c.at, .gap = true, .new_line = true};
    return c.tokens;
}
