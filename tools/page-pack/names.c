/* names.c - gives what modules declare short names. */
#include "tools/page-pack/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/page-pack/locals.h"
#include "tools/page-pack/reserved.h"

/* A name of a module, and what stands for it in the joined text. */
struct binding {
    const char *name; /* [size] */
    size_t size;
    const char *shorter;
    const struct binding *origin; /* of an import: in the module that exports it */
    unsigned part;                /* of the module that it belongs to; 0: the whole module */
};

struct scope {
    struct module *module;
    enum role *roles;     /* [tokens] */
    struct local *locals; /* [tokens] */
    struct binding *bindings;
    size_t count;
};

struct names {
    struct scope *scopes; /* of each module */
    size_t count;
};

struct words {
    struct token *list; /* [count], sorted */
    size_t count;
};

/* ---- bindings ---------------------------------------------------------------------------- */

static struct binding *find_in_part(const struct scope *s, const struct token *t, unsigned part)
{
    for (struct binding *b = s->bindings; b < s->bindings + s->count; b++) {
        if (b->part == part && b->size == t->size && memcmp(b->name, t->text, t->size) == 0)
            return b;
    }
    return NULL;
}

/* What a word stands for in the whole module. */
static struct binding *find_outer(const struct scope *s, const struct token *t)
{
    return find_in_part(s, t, 0);
}

/* What a token of the module stands for. NULL: nothing that gets another name. */
static struct binding *find_binding(const struct scope *s, const struct token *t)
{
    if (t->kind != TOKEN_WORD)
        return NULL;
    struct binding *outer = find_outer(s, t);
    return outer ? outer : find_in_part(s, t, s->locals[t - s->module->tokens].part);
}

static struct binding *bind_outer(struct scope *s, const struct token *t)
{
    struct binding *found = find_outer(s, t);
    if (!found) {
        found = &s->bindings[s->count++];
        *found = (struct binding){.name = t->text, .size = t->size};
    }
    return found;
}

/* Of an import: the name in the module that exports it. */
static struct binding *origin_of(struct binding *b)
{
    return b->origin ? (struct binding *)b->origin : b;
}

static bool is_private(const char *name)
{
    return name[0] == '#';
}

/* The others of "let a = 1, b = 2": from is the first name. */
static void bind_list(struct scope *s, const struct token *from)
{
    for (const struct token *t = from + 1; t->kind != TOKEN_END && !token_is(t, ";"); t++) {
        if (t->depth > 0)
            continue;
        if (t->new_line && t->kind == TOKEN_WORD && t[-1].kind != TOKEN_PUNCTUATOR)
            return;
        if (token_is(t, ",") && t[1].kind == TOKEN_WORD)
            bind_outer(s, t + 1);
    }
}

static void bind_declaration(struct scope *s, const struct token *t)
{
    const bool variable = token_is(t, "const") || token_is(t, "let") || token_is(t, "var");
    if (!variable && !token_is(t, "function") && !token_is(t, "class"))
        return;
    const struct token *name = t + 1 + token_is(t + 1, "*");
    if (name->kind == TOKEN_WORD)
        bind_outer(s, name);
    else if (variable)
        text_refuse(&s->module->text, name->text, "page-pack does not know this declaration");
    if (variable)
        bind_list(s, name);
}

static void bind_own(struct scope *s)
{
    size_t count = 0;
    for (const struct token *t = s->module->tokens; t->kind != TOKEN_END; t++)
        count++;
    s->bindings = text_allocate(count, sizeof *s->bindings);
    for (const struct token *t = s->module->tokens; t->kind != TOKEN_END; t++) {
        const bool property =
            t > s->module->tokens && (token_is(t - 1, ".") || token_is(t - 1, "?."));
        if (t->kind == TOKEN_WORD && is_private(t->text))
            bind_outer(s, t);
        else if (t->depth == 0 && !property)
            bind_declaration(s, t);
    }
}

static void bind_imports(const struct names *n, struct scope *s)
{
    const struct module *m = s->module;
    for (size_t i = 0; i < m->import_count; i++) {
        const struct module *from = module_find(n->scopes[0].module, n->count, m, &m->imports[i]);
        const struct scope *there = &n->scopes[from - n->scopes[0].module];
        for (const struct token *at = m->imports[i].names; at < m->imports[i].last;) {
            const struct imported found = import_next(m, &at);
            module_require(from, found.name, m);
            bind_outer(s, found.here)->origin = find_outer(there, found.name);
        }
    }
}

/* Last: a word that the module declares, or imports, stands for that in its functions too. */
static void bind_locals(struct scope *s)
{
    const struct token *const tokens = s->module->tokens;
    for (const struct token *t = tokens; t->kind != TOKEN_END; t++) {
        const struct local *local = &s->locals[t - tokens];
        if (local->declared && !find_binding(s, t))
            s->bindings[s->count++] =
                (struct binding){.name = t->text, .size = t->size, .part = local->part};
    }
}

/* ---- names that are free ----------------------------------------------------------------- */

static int compare_words(const void *a, const void *b)
{
    const struct token *left = a, *right = b;
    const size_t size = left->size < right->size ? left->size : right->size;
    const int order = memcmp(left->text, right->text, size);
    return order ? order : (left->size > right->size) - (left->size < right->size);
}

static struct token word_of(const char *text)
{
    return (struct token){.kind = TOKEN_WORD, .text = text, .size = strlen(text)};
}

static void sort_words(struct words *w)
{
    qsort(w->list, w->count, sizeof *w->list, compare_words);
}

static size_t token_count(const struct module *m)
{
    size_t count = 0;
    while (m->tokens[count].kind != TOKEN_END)
        count++;
    return count;
}

/* The names of all modules that stay as they are: of keywords, and of what JavaScript and browsers
 * define. */
static struct words kept_names(const struct names *n)
{
    size_t count = 0;
    for (size_t i = 0; i < n->count; i++)
        count += token_count(n->scopes[i].module);
    struct words words = {.list = text_allocate(count, sizeof *words.list)};
    for (size_t i = 0; i < n->count; i++) {
        const struct scope *s = &n->scopes[i];
        for (size_t t = 0; s->module->tokens[t].kind != TOKEN_END; t++) {
            const struct token *word = &s->module->tokens[t];
            if (word->kind == TOKEN_WORD && s->roles[t] != ROLE_KEY && !find_binding(s, word))
                words.list[words.count++] = *word;
        }
    }
    sort_words(&words);
    return words;
}

/* What the local names of a part must differ from: the other names in it. */
static struct words other_names(const struct scope *s, unsigned part)
{
    const struct token *const tokens = s->module->tokens;
    struct words words = {.list = text_allocate(token_count(s->module), sizeof *words.list)};
    for (const struct token *t = tokens; t->kind != TOKEN_END; t++) {
        const size_t i = (size_t)(t - tokens);
        if (t->kind != TOKEN_WORD || s->locals[i].part != part || s->roles[i] == ROLE_KEY)
            continue;
        struct binding *found = find_binding(s, t);
        if (!found)
            words.list[words.count++] = *t;
        else if (found->part == 0)
            words.list[words.count++] = word_of(origin_of(found)->shorter);
    }
    sort_words(&words);
    return words;
}

/* e, t ... J, ee, et ...: the letters that are frequent anyway first, as gzip needs fewer bits for
 * them. Returns its size. */
static size_t spell(unsigned number, char name[16])
{
    static const char letters[] = "etnrsiaoldcmuhpfgbywvxkzjqSTCENALRDFMPIBOHUWVXGKYZQJ0123456789";
    enum { FIRST = 52, OTHERS = 62 };
    size_t size = 0;
    name[size++] = letters[number % FIRST];
    for (number /= FIRST; number > 0; number = (number - 1) / OTHERS)
        name[size++] = letters[(number - 1) % OTHERS];
    name[size] = '\0';
    return size;
}

static const char *keep(const char *text)
{
    return memcpy(text_allocate(strlen(text) + 1, 1), text, strlen(text));
}

static bool is_among(const struct words *w, const struct token *t)
{
    return bsearch(t, w->list, w->count, sizeof *t, compare_words);
}

/* The next name after *next that is none of the words. */
static const char *free_name(const struct words *taken, unsigned *next)
{
    char name[16];
    struct token wanted = {.kind = TOKEN_WORD, .text = name};
    do
        wanted.size = spell((*next)++, name);
    while (is_among(taken, &wanted) || reserved_word(&wanted));
    return keep(name);
}

/* ---- names for bindings ------------------------------------------------------------------ */

static void name_private(struct binding *b, unsigned number)
{
    char name[17] = "#";
    spell(number, name + 1);
    b->shorter = keep(name);
}

static void name_list(struct binding **list, size_t count, const struct words *taken)
{
    unsigned next = 0;
    for (size_t i = 0; i < count; i++)
        list[i]->shorter = free_name(taken, &next);
}

/* In the order of their first uses, so that similar functions have similar texts. list: room for
 * the bindings of a part. */
static void name_part(const struct scope *s, unsigned part, struct binding **list)
{
    size_t count = 0;
    for (struct binding *b = s->bindings; b < s->bindings + s->count; b++) {
        if (b->part == part)
            list[count++] = b;
    }
    if (count == 0)
        return;
    const struct words taken = other_names(s, part);
    name_list(list, count, &taken);
}

static void name_inner(const struct scope *s)
{
    unsigned privates = 0;
    for (struct binding *b = s->bindings; b < s->bindings + s->count; b++) {
        if (is_private(b->name))
            name_private(b, privates++);
    }
    struct binding **list = text_allocate(s->count, sizeof(struct binding *));
    const unsigned parts = s->locals[token_count(s->module)].part;
    for (unsigned part = 1; part <= parts; part++)
        name_part(s, part, list);
}

/* Names the bindings of whole modules. All modules share one scope. */
static void name_outer(const struct names *n)
{
    size_t count = 0;
    for (size_t i = 0; i < n->count; i++)
        count += n->scopes[i].count;
    struct binding **list = text_allocate(count, sizeof(struct binding *));
    count = 0;
    for (size_t i = 0; i < n->count; i++) {
        const struct scope *s = &n->scopes[i];
        for (struct binding *b = s->bindings; b < s->bindings + s->count; b++) {
            if (b->part == 0 && !b->origin && !is_private(b->name))
                list[count++] = b;
        }
    }
    const struct words taken = kept_names(n);
    name_list(list, count, &taken);
}

/* ---- renaming ---------------------------------------------------------------------------- */

static void rename_word(struct token *t, struct binding *b, enum role role)
{
    const char *shorter = origin_of(b)->shorter;
    if (role == ROLE_SHORTHAND) {
        const size_t size = t->size + 1 + strlen(shorter);
        char *both = text_allocate(size + 1, 1);
        snprintf(both, size + 1, "%.*s:%s", (int)t->size, t->text, shorter);
        shorter = both;
    }
    t->text = shorter;
    t->size = strlen(shorter);
}

static void rename_words(const struct scope *s)
{
    struct token *const tokens = s->module->tokens;
    for (size_t i = 0; tokens[i].kind != TOKEN_END; i++) {
        struct binding *b = find_binding(s, &tokens[i]);
        if (b && (s->roles[i] != ROLE_KEY || is_private(b->name)))
            rename_word(&tokens[i], b, is_private(b->name) ? ROLE_NAME : s->roles[i]);
    }
}

void names_shorten(struct module *modules, size_t count)
{
    struct names n = {.count = count};
    n.scopes = text_allocate(count, sizeof *n.scopes);
    for (size_t i = 0; i < count; i++) {
        n.scopes[i].module = &modules[i];
        n.scopes[i].roles = role_list(&modules[i].text, modules[i].tokens);
        n.scopes[i].locals = locals_find(modules[i].tokens, n.scopes[i].roles);
        bind_own(&n.scopes[i]);
    }
    for (size_t i = 0; i < count; i++)
        bind_imports(&n, &n.scopes[i]);
    for (size_t i = 0; i < count; i++)
        bind_locals(&n.scopes[i]);
    name_outer(&n);
    for (size_t i = 0; i < count; i++)
        name_inner(&n.scopes[i]);
    for (size_t i = 0; i < count; i++)
        rename_words(&n.scopes[i]);
}
