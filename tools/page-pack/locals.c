/* locals.c - finds the names that functions and blocks declare. */
#include "tools/page-pack/locals.h"

#include "tools/page-pack/reserved.h"
#include "tools/page-pack/text.h"

struct search {
    const struct token *tokens;
    const enum role *roles;
    struct local *locals; /* [tokens] */
};

static bool is_name(const struct search *s, const struct token *t)
{
    return t->kind == TOKEN_WORD && t->text[0] != '#' && s->roles[t - s->tokens] != ROLE_KEY;
}

static void declare(const struct search *s, const struct token *t)
{
    const bool constructor = t->text[0] >= 'A' && t->text[0] <= 'Z'; /* such as Map */
    if (is_name(s, t) && !constructor && !reserved_word(t))
        s->locals[t - s->tokens].declared = true;
}

/* The bracket that closes `open`. */
static const struct token *close_of(const struct token *open)
{
    const struct token *t = open + 1;
    while (t->depth > open->depth)
        t++;
    return t;
}

/* A name, or a pattern with all of its names. */
static void declare_target(const struct search *s, const struct token *t)
{
    if (!token_is(t, "{") && !token_is(t, "[")) {
        declare(s, t);
        return;
    }
    for (const struct token *end = close_of(t); t < end; t++)
        declare(s, t);
}

/* let a = 1, { b } = c: t is behind let. */
static void declare_list(const struct search *s, const struct token *t)
{
    const unsigned depth = t->depth;
    declare_target(s, t);
    for (; t->kind != TOKEN_END && t->depth >= depth && !(t->depth == depth && token_is(t, ";"));
         t++) {
        if (t->depth == depth && token_is(t, ","))
            declare_target(s, t + 1);
    }
}

/* Whether ( begins the parameters of a function or method, or those of catch. */
static bool begins_parameters(const struct search *s, const struct token *open)
{
    const struct token *after = close_of(open) + 1;
    if (token_is(after, "=>"))
        return true;
    if (open == s->tokens || !token_is(after, "{"))
        return false;
    const struct token *before = open - 1;
    if (token_is(before, "function") || token_is(before, "*") || token_is(before, "catch"))
        return true;
    if (before->kind != TOKEN_WORD)
        return false;
    const bool method = !is_name(s, before);
    const bool named =
        before > s->tokens && (token_is(before - 1, "function") || token_is(before - 1, "*"));
    return method || named;
}

static void visit(const struct search *s, const struct token *t)
{
    const bool word = is_name(s, t);
    if (word && (token_is(t, "const") || token_is(t, "let") || token_is(t, "var")))
        declare_list(s, t + 1);
    else if (word && (token_is(t, "function") || token_is(t, "class")))
        declare(s, t + 1 + token_is(t + 1, "*"));
    else if (word && token_is(t + 1, "=>"))
        declare(s, t);
    else if (token_is(t, "(") && begins_parameters(s, t))
        for (const struct token *end = close_of(t); t < end; t++)
            declare(s, t);
}

/* ---- parts ------------------------------------------------------------------------------- */

/* Whether a statement of the module begins: these words can only begin one after ; and }. */
static bool begins_statement(const struct search *s, const struct token *t)
{
    static const char *const words[] = {"const", "let", "function", "class", "export", NULL};
    if (t->depth > 0 || t == s->tokens || !(token_is(t - 1, ";") || token_is(t - 1, "}")))
        return false;
    for (const char *const *word = words; *word; word++) {
        if (token_is(t, *word))
            return true;
    }
    return false;
}

/* Whether a member begins, on a line of its own. Inside a class: its only keys after ; and }. */
static bool begins_member(const struct search *s, const struct token *t)
{
    return t->depth == 1 && t->new_line && t->kind == TOKEN_WORD &&
           s->roles[t - s->tokens] == ROLE_KEY && (token_is(t - 1, ";") || token_is(t - 1, "}"));
}

/* A class that is a statement: no name of a function is visible in it. */
static bool is_class(const struct token *statement)
{
    return token_is(statement + token_is(statement, "export"), "class");
}

struct local *locals_find(const struct token *tokens, const enum role *roles)
{
    size_t count = 0;
    while (tokens[count].kind != TOKEN_END)
        count++;
    struct search s = {tokens, roles, text_allocate(count + 1, sizeof(struct local))};
    const struct token *statement = tokens;
    unsigned part = 1;
    for (size_t i = 0; i <= count; i++) {
        const bool begins = begins_statement(&s, &tokens[i]);
        if (begins)
            statement = &tokens[i];
        part += begins || (is_class(statement) && begins_member(&s, &tokens[i]));
        s.locals[i].part = part;
    }
    for (const struct token *t = tokens; t->kind != TOKEN_END; t++)
        visit(&s, t);
    return s.locals;
}
