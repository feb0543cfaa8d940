/* join.c - joins JavaScript modules into one. */
#include "tools/page-pack/join.h"

#include <string.h>

#include "tools/page-pack/module.h"
#include "tools/page-pack/names.h"
#include "tools/page-pack/writer.h"

struct joint {
    struct module *modules;
    size_t count;
    unsigned written;
    FILE *to;
};

/* ---- one declaration of several ---------------------------------------------------------- */

/* Which statements begin with const, by the number of brackets around them. */
struct constants {
    bool open[TOKEN_MAX_DEPTH + 1];
};

/* Without a semicolon before it, a word on a new line may begin another statement. */
static bool may_begin_statement(const struct token *t)
{
    return t->new_line && t->kind == TOKEN_WORD &&
           (t[-1].kind != TOKEN_PUNCTUATOR || strchr(")]}", t[-1].text[0]));
}

/* Notes a token that is not the first one of the module. */
static void note_constants(struct constants *c, const struct token *t)
{
    const struct token *before = t - 1 - token_is(t - 1, "export");
    const bool starts = token_is(before, ";") || token_is(before, "{") || token_is(before, "}");
    if (token_is(t, "const") && starts)
        c->open[t->depth] = true;
    else if (token_is(t, ";") || may_begin_statement(t))
        c->open[t->depth] = false;
    else if (token_is(t, "{") || token_is(t, "("))
        c->open[t->depth + 1] = false;
}

/* The const after this semicolon, if the statement before it declares constants too; or NULL. */
static struct token *next_constants(const struct constants *c, struct token *t)
{
    struct token *next = t + 1 + (t->depth == 0 && token_is(t + 1, "export"));
    return token_is(t, ";") && c->open[t->depth] && token_is(next, "const") ? next : NULL;
}

static void write_body(const struct joint *j, const struct module *m)
{
    struct writer writer = {.to = j->to};
    const struct import *import = m->imports;
    struct constants constants = {.open = {false}};
    for (struct token *t = m->tokens; t->kind != TOKEN_END; t++) {
        if (import < m->imports + m->import_count && t == import->first) {
            t += import->end - import->first - 1;
            writer_skip(import->first, t + 1);
            import++;
        } else if (t->depth == 0 && token_is(t, "export")) {
            writer_skip(t, t + 1);
        } else if (next_constants(&constants, t)) {
            struct token *next = next_constants(&constants, t);
            *t =
                (struct token){.kind = TOKEN_PUNCTUATOR, .text = ",", .size = 1, .depth = t->depth};
            writer_put(&writer, t);
            next[1].gap = next[1].new_line = false;
            t = next;
        } else {
            if (t > m->tokens)
                note_constants(&constants, t);
            writer_put(&writer, t);
        }
    }
}

static void write_module(struct joint *j, struct module *m)
{
    m->number = ++j->written;
    write_body(j, m);
    fputs(";\n", j->to); /* the last statement of a module may have no end */
}

static void visit(struct joint *j, struct module *m)
{
    m->visited = true;
    for (size_t i = 0; i < m->import_count; i++) {
        struct module *from = module_find(j->modules, j->count, m, &m->imports[i]);
        if (from->visited && from->number == 0)
            text_refuse(&m->text, m->imports[i].first->text,
                        "imports %s, which imports it too, itself or in turn", from->text.name);
        if (!from->visited)
            visit(j, from);
    }
    write_module(j, m);
}

void join_modules(const char *folder, char *const *files, bool all, FILE *to)
{
    struct joint j = {.to = to};
    while (files[j.count])
        j.count++;
    j.modules = text_allocate(j.count, sizeof *j.modules);
    for (size_t i = 0; i < j.count; i++)
        j.modules[i] = module_read(folder, files[i]);
    names_shorten(j.modules, j.count);
    visit(&j, &j.modules[0]);
    for (size_t i = 0; i < j.count; i++) {
        if (all && !j.modules[i].visited)
            text_refuse(&j.modules[i].text, NULL, "no module imports it");
    }
}
