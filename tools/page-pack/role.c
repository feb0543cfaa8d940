/* role.c - tells names of variables from keys of objects and classes. */
#include "tools/page-pack/role.h"

#include <string.h>

/* The brackets around a token. Zeroed, with text and first set: at the start. */
struct surroundings {
    const struct text *text;
    const struct token *first;  /* of the module */
    char open[TOKEN_MAX_DEPTH]; /* ( [ $ or: o object or pattern, c class, b block */
    unsigned depth;
    bool class_begins; /* the next { at class_depth is that of a class */
    unsigned class_depth;
};

static bool among(const struct token *t, const char *const *list)
{
    for (; *list; list++) {
        if (token_is(t, *list))
            return true;
    }
    return false;
}

static char innermost(const struct surroundings *s)
{
    if (s->depth == 0)
        return 'b';
    return s->open[s->depth - 1];
}

/* ---- brackets ---------------------------------------------------------------------------- */

/* { after a ":" is an object, unless the ":" ends a label. */
static char after_colon(const struct surroundings *s, const struct token *brace)
{
    static const char *const ends[] = {";", "case", "default", NULL};
    if (innermost(s) != 'b')
        return 'o';
    for (const struct token *t = brace - 1; t > s->first && t->depth >= brace->depth; t--) {
        if (t->depth == brace->depth && token_is(t, "?"))
            return 'o';
        if (t->depth == brace->depth && among(t, ends))
            break;
    }
    text_refuse(s->text, brace->text, "page-pack does not know a block after a label");
}

static char brace_kind(const struct surroundings *s, const struct token *brace)
{
    static const char *const blocks[] = {")",   "=>", ";",       "{",     "}",      "else",
                                         "try", "do", "finally", "catch", "static", NULL};
    static const char *const operators[] = {
        "return", "typeof", "in",    "of",  "new", "delete",  "void",   "throw",  "case",
        "yield",  "await",  "const", "let", "var", "default", "import", "export", NULL};
    if (s->class_begins && s->class_depth == s->depth)
        return 'c';
    if (brace == s->first || among(brace - 1, blocks))
        return 'b';
    if (token_is(brace - 1, ":"))
        return after_colon(s, brace);
    if (brace[-1].kind == TOKEN_PUNCTUATOR)
        return token_is(brace - 1, "]") ? 'b' : 'o';
    if (brace[-1].kind == TOKEN_TEMPLATE)
        return brace[-1].text[brace[-1].size - 1] == '{' ? 'o' : 'b';
    return among(brace - 1, operators) ? 'o' : 'b';
}

static void open_bracket(struct surroundings *s, const struct token *t, char kind)
{
    if (kind == '{')
        kind = brace_kind(s, t);
    if (kind == 'c')
        s->class_begins = false;
    s->open[s->depth++] = kind; /* token_list has limited the depth */
}

static enum role role_of(const struct surroundings *s, const struct token *t);

static void role_pass(struct surroundings *s, const struct token *t)
{
    const char first = t->text[0], last = t->text[t->size - 1];
    const bool is_template = t->kind == TOKEN_TEMPLATE;
    if (is_template ? first == '}' : t->kind == TOKEN_PUNCTUATOR && strchr(")]}", first))
        s->depth--;
    else if (t->kind == TOKEN_PUNCTUATOR && strchr("([{", first))
        open_bracket(s, t, first);
    if (is_template && last == '{')
        open_bracket(s, t, '$');
    if (token_is(t, "class") && role_of(s, t) == ROLE_NAME) {
        s->class_begins = true;
        s->class_depth = s->depth;
    }
}

/* ---- words ------------------------------------------------------------------------------- */

static bool begins_member(const struct surroundings *s, const struct token *t)
{
    static const char *const modifiers[] = {"get", "set", "async", "static", "*", NULL};
    static const char *const object[] = {"{", ",", NULL};
    static const char *const class[] = {"{", ";", "}", NULL};
    const bool in_class = innermost(s) == 'c';
    if (t == s->first || (!in_class && innermost(s) != 'o'))
        return false;
    const struct token *before = t - 1;
    if (among(before, in_class ? class : object))
        return true;
    const bool operator= before->kind == TOKEN_PUNCTUATOR && !token_is(before, ")") &&
        !token_is(before, "]");
    if (in_class && t->new_line && !operator)
        return true;
    return among(before, modifiers) && begins_member(s, before);
}

static enum role role_of(const struct surroundings *s, const struct token *t)
{
    static const char *const shorthand[] = {",", "}", "=", NULL};
    if (t > s->first && (token_is(t - 1, ".") || token_is(t - 1, "?.")))
        return ROLE_KEY;
    if (!begins_member(s, t))
        return ROLE_NAME;
    const bool modified = innermost(s) == 'o' && !token_is(t - 1, "{") && !token_is(t - 1, ",");
    if (innermost(s) == 'c' || modified || !among(t + 1, shorthand))
        return ROLE_KEY;
    return ROLE_SHORTHAND;
}

enum role *role_list(const struct text *text, const struct token *tokens)
{
    struct surroundings around = {.text = text, .first = tokens};
    size_t count = 0;
    while (tokens[count].kind != TOKEN_END)
        count++;
    enum role *roles = text_allocate(count, sizeof *roles);
    for (size_t i = 0; i < count; i++) {
        roles[i] = role_of(&around, &tokens[i]);
        role_pass(&around, &tokens[i]);
    }
    return roles;
}
