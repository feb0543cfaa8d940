/* module.c - finds the imports and exports of a JavaScript module. */
#include "tools/page-pack/module.h"

#include <stdio.h>
#include <string.h>

/* Appends to *to what the folder of `reader` and `path`, which begins with ./ or ../, are together.
 */
static void resolve(const struct module *m, const struct token *path, char to[MODULE_MAX_PATH])
{
    const char *at = path->text + 1, *end = path->text + path->size - 1;
    const char *slash = strrchr(m->text.name, '/');
    size_t folder = slash ? (size_t)(slash - m->text.name) + 1 : 0;
    if (strncmp(at, "./", 2) != 0 && strncmp(at, "../", 3) != 0)
        text_refuse(&m->text, at, "imports %.*s, which begins with neither ./ nor ../",
                    (int)path->size, path->text);
    for (;;) {
        if (strncmp(at, "./", 2) == 0) {
            at += 2;
        } else if (strncmp(at, "../", 3) == 0) {
            if (folder == 0)
                text_refuse(&m->text, at, "imports a file outside the page's folder");
            for (folder--; folder > 0 && m->text.name[folder - 1] != '/';)
                folder--;
            at += 3;
        } else {
            break;
        }
    }
    const int size =
        snprintf(to, MODULE_MAX_PATH, "%.*s%.*s", (int)folder, m->text.name, (int)(end - at), at);
    if (size >= MODULE_MAX_PATH)
        text_refuse(&m->text, at, "the path of an import is too long");
}

static const struct token *expect(const struct module *m, const struct token *at, const char *text,
                                  const char *where)
{
    if (!token_is(at, text))
        text_refuse(&m->text, at->text, "page-pack does not know this form of %s", where);
    return at + 1;
}

static const struct token *expect_name(const struct module *m, const struct token *at,
                                       const char *where)
{
    if (at->kind != TOKEN_WORD || at->text[0] == '#')
        text_refuse(&m->text, at->text, "page-pack does not know this form of %s", where);
    return at + 1;
}

struct imported import_next(const struct module *m, const struct token **at)
{
    struct imported found = {.name = *at, .here = *at};
    *at = expect_name(m, *at, "import");
    if (token_is(*at, "as")) {
        found.here = *at + 1;
        *at = expect_name(m, *at + 1, "import");
    }
    if (token_is(*at, ","))
        ++*at;
    else if (!token_is(*at, "}"))
        text_refuse(&m->text, (*at)->text, "page-pack does not know this form of import");
    return found;
}

static const struct token *read_import(struct module *m, const struct token *first)
{
    struct import *import = &m->imports[m->import_count++];
    import->first = first;
    const struct token *at = import->names = expect(m, first + 1, "{", "import");
    while (!token_is(at, "}"))
        import_next(m, &at);
    import->last = at;
    at = expect(m, at + 1, "from", "import");
    if (at->kind != TOKEN_STRING)
        text_refuse(&m->text, at->text, "page-pack does not know this form of import");
    resolve(m, at, import->from);
    at = expect(m, at + 1, ";", "import");
    return import->end = at;
}

static void read_export(struct module *m, const struct token *first)
{
    const struct token *at = first + 1;
    if (token_is(at, "async") && token_is(at + 1, "function"))
        at++;
    if (!token_is(at, "const") && !token_is(at, "function") && !token_is(at, "class"))
        text_refuse(&m->text, first->text, "page-pack does not know this form of export");
    const bool generator = token_is(at, "function") && token_is(at + 1, "*");
    at += 1 + generator;
    expect_name(m, at, "export");
    m->exports[m->export_count++] = *at;
}

/* What a module may contain, and a function may not. */
static void refuse_forms(const struct module *m, const struct token *t)
{
    const bool property = t > m->tokens && (token_is(t - 1, ".") || token_is(t - 1, "?."));
    if (property)
        return;
    if (token_is(t, "import") && (token_is(t + 1, "(") || token_is(t + 1, ".")))
        text_refuse(&m->text, t->text, "page-pack does not know import%.*s", (int)t[1].size,
                    t[1].text);
    if (token_is(t, "await") && t->depth == 0)
        text_refuse(&m->text, t->text, "await outside a function");
}

struct module module_read(const char *folder, const char *file)
{
    struct module m = {.text = text_read(folder, file)};
    m.tokens = token_list(&m.text);
    size_t count = 0;
    while (m.tokens[count].kind != TOKEN_END)
        count++;
    m.imports = text_allocate(count, sizeof *m.imports);
    m.exports = text_allocate(count, sizeof *m.exports);
    for (const struct token *t = m.tokens; t->kind != TOKEN_END; t++) {
        refuse_forms(&m, t);
        if (t->depth > 0)
            continue;
        if (token_is(t, "import"))
            t = read_import(&m, t) - 1;
        else if (token_is(t, "export"))
            read_export(&m, t);
    }
    return m;
}

struct module *module_find(struct module *modules, size_t count, const struct module *reader,
                           const struct import *import)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(modules[i].text.name, import->from) == 0)
            return &modules[i];
    }
    text_refuse(&reader->text, import->first->text, "imports %s, which is not there", import->from);
}

void module_require(const struct module *m, const struct token *name, const struct module *reader)
{
    for (size_t i = 0; i < m->export_count; i++) {
        if (m->exports[i].size == name->size &&
            memcmp(m->exports[i].text, name->text, name->size) == 0)
            return;
    }
    text_refuse(&reader->text, name->text, "%s does not export %.*s", m->text.name, (int)name->size,
                name->text);
}
