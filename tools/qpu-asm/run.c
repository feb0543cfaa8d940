/* run.c - processes lines in order: labels, directives, macro calls and instructions. */
#include <ctype.h>
#include <string.h>

#include "tools/qpu-asm/state.h"

enum { MAX_DEPTH = 64, MAX_PARAMETERS = 16, MAX_REPEAT = 65536 };

struct cursor {
    const struct asm_lines *lines;
    size_t at, to; /* index of the current line; end of the block */
};

/* Removes a label from the start of a line and returns its name; false: there is none. */
static bool take_label(const char **line, char name[64])
{
    const bool colon_first = **line == ':';
    const char *at = *line + colon_first;
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    if (!length || length >= 64 || (!colon_first && at[length] != ':'))
        return false;
    memcpy(name, at, length);
    name[length] = '\0';
    *line = at + length + !colon_first;
    *line += strspn(*line, " \t");
    return true;
}

static bool starts_with(const char *line, const char *word)
{
    char label[64];
    while (take_label(&line, label))
        ;
    size_t length = strlen(word);
    return !strncmp(line, word, length) && !isalnum((unsigned char)line[length]);
}

/* The line that closes the block opened at cursor->at. If there is none: fails, the block's end. */
static size_t find_closing(struct asm_state *s, const struct cursor *cursor, const char *open,
                           const char *close)
{
    int depth = 0;
    for (size_t i = cursor->at; i < cursor->to; i++) {
        const char *line = cursor->lines->line[i].text;
        depth += starts_with(line, open);
        if (starts_with(line, close) && --depth == 0)
            return i;
    }
    asm_fail(s, "%s without %s", open, close);
    return cursor->to;
}

static bool need_word(struct asm_state *s, const char **text, char *word, size_t size)
{
    if (asm_word(text, word, size))
        return true;
    asm_fail(s, "expected a name at '%.20s'", *text);
    return false;
}

static void run_set(struct asm_state *s, const char *text, struct cursor *cursor)
{
    (void)cursor;
    char name[64];
    if (!need_word(s, &text, name, sizeof name))
        return;
    asm_skip(&text, ',');
    struct asm_value value = asm_expression(s, &text);
    asm_end_of_line(s, text);
    asm_scope_set(s, name, &value);
}

static void run_assert(struct asm_state *s, const char *text, struct cursor *cursor)
{
    (void)cursor;
    const char *all = text;
    if (!asm_integer(s, &text) && s->final)
        asm_fail(s, "assertion failed:%s", all);
    asm_end_of_line(s, text);
}

static void run_error(struct asm_state *s, const char *text, struct cursor *cursor)
{
    (void)cursor;
    asm_fail(s, "%s", text + strspn(text, " \t"));
}

static void run_include(struct asm_state *s, const char *text, struct cursor *cursor)
{
    (void)cursor;
    const char *name = strchr(text, '"');
    const char *end = name ? strchr(name + 1, '"') : NULL;
    if (!end) {
        asm_fail(s, ".include wants a \"file\"");
        return;
    }
    const char *slash = strrchr(s->where.file, '/');
    size_t folder = slash ? (size_t)(slash + 1 - s->where.file) : 0;
    size_t length = (size_t)(end - name - 1);
    char *path = asm_pool_alloc(s->pool, folder + length + 1);
    memcpy(path, s->where.file, folder);
    memcpy(path + folder, name + 1, length);
    const struct asm_lines *lines = s->depth < MAX_DEPTH ? asm_text_read(s, path) : NULL;
    if (!lines) {
        asm_fail(s, "includes itself");
        return;
    }
    s->depth++;
    asm_run(s, lines, 0, lines->count);
    s->depth--;
}

static void run_macro(struct asm_state *s, const char *text, struct cursor *cursor)
{
    struct asm_macro *macro = asm_pool_alloc(s->pool, sizeof *macro);
    const char **parameters = asm_pool_alloc(s->pool, MAX_PARAMETERS * sizeof *parameters);
    char word[64];
    if (!need_word(s, &text, word, sizeof word))
        return;
    macro->name = asm_pool_copy(s->pool, word, strlen(word));
    while (asm_skip(&text, ',') || *text) {
        if (macro->parameter_count == MAX_PARAMETERS || !need_word(s, &text, word, sizeof word))
            break;
        parameters[macro->parameter_count++] = asm_pool_copy(s->pool, word, strlen(word));
    }
    asm_end_of_line(s, text);
    macro->parameters = parameters;
    macro->lines = cursor->lines;
    macro->from = cursor->at + 1;
    macro->to = cursor->at = find_closing(s, cursor, ".macro", ".endm");
    macro->next = s->macros;
    s->macros = macro;
}

static void run_rep(struct asm_state *s, const char *text, struct cursor *cursor)
{
    char name[64];
    if (!need_word(s, &text, name, sizeof name))
        return;
    asm_skip(&text, ',');
    struct asm_value counter = {.kind = ASM_INT};
    int64_t count = asm_integer(s, &text);
    asm_end_of_line(s, text);
    if (count < 0 || count > MAX_REPEAT)
        asm_fail(s, "%lld times", (long long)count);
    size_t end = find_closing(s, cursor, ".rep", ".endr");
    for (; counter.i < count && !s->failed; counter.i++) {
        asm_scope_set(s, name, &counter);
        asm_run(s, cursor->lines, cursor->at + 1, end);
    }
    cursor->at = end;
}

/* The next .elseif or .else of this .if after `at`; else `end`. */
static size_t next_branch(const struct cursor *cursor, size_t at, size_t end)
{
    int depth = 0;
    for (size_t i = at + 1; i < end; i++) {
        const char *line = cursor->lines->line[i].text;
        if (!depth && (starts_with(line, ".elseif") || starts_with(line, ".else")))
            return i;
        depth += starts_with(line, ".if") - starts_with(line, ".endif");
    }
    return end;
}

static void run_if(struct asm_state *s, const char *text, struct cursor *cursor)
{
    size_t end = find_closing(s, cursor, ".if", ".endif");
    size_t at = cursor->at, next = next_branch(cursor, at, end);
    bool taken = asm_integer(s, &text);
    asm_end_of_line(s, text);
    while (!taken && next < end && !s->failed) {
        at = next;
        next = next_branch(cursor, at, end);
        s->where = cursor->lines->line[at].where;
        text = cursor->lines->line[at].text;
        taken = starts_with(text, ".else");
        text += strlen(taken ? ".else" : ".elseif");
        taken = taken || asm_integer(s, &text);
        asm_end_of_line(s, text);
    }
    if (taken && !s->failed)
        asm_run(s, cursor->lines, at + 1, next);
    cursor->at = end;
}

static void run_unmatched(struct asm_state *s, const char *text, struct cursor *cursor)
{
    (void)text;
    (void)cursor;
    asm_fail(s, "closes nothing");
}

static const struct {
    const char *name;
    void (*run)(struct asm_state *s, const char *text, struct cursor *cursor);
} directives[] = {
    {".set", run_set},        {".macro", run_macro},      {".endm", run_unmatched},
    {".rep", run_rep},        {".endr", run_unmatched},   {".if", run_if},
    {".else", run_unmatched}, {".elseif", run_unmatched}, {".endif", run_unmatched},
    {".error", run_error},    {".assert", run_assert},    {".include", run_include},
};

static void run_directive(struct asm_state *s, const char *text, struct cursor *cursor)
{
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        if (starts_with(text, directives[i].name)) {
            directives[i].run(s, text + strlen(directives[i].name), cursor);
            return;
        }
    asm_fail(s, "there is no directive '%.20s'", text);
}

static void bind_arguments(struct asm_state *s, const struct asm_macro *macro, const char *text,
                           struct asm_scope *inside)
{
    for (size_t i = 0; i < macro->parameter_count && !s->failed; i++) {
        if (i && !asm_skip(&text, ','))
            asm_fail(s, "macro %s has %zu parameters", macro->name, macro->parameter_count);
        struct asm_value value = asm_expression(s, &text);
        struct asm_scope *outside = s->scope;
        s->scope = inside; /* arguments are evaluated outside and defined inside */
        asm_scope_set(s, macro->parameters[i], &value);
        s->scope = outside;
    }
    asm_end_of_line(s, text);
}

static bool run_call(struct asm_state *s, const char *text)
{
    char word[64];
    if (!asm_word(&text, word, sizeof word))
        return false;
    const struct asm_macro *macro = s->macros;
    while (macro && strcmp(macro->name, word) != 0)
        macro = macro->next;
    if (!macro)
        return false;
    if (s->depth == MAX_DEPTH) {
        asm_fail(s, "macro %s calls itself", word);
        return true;
    }
    struct asm_scope inside = {.up = s->scope};
    bind_arguments(s, macro, text, &inside);
    s->scope = &inside;
    s->depth++;
    asm_run(s, macro->lines, macro->from, macro->to);
    s->depth--;
    s->scope = inside.up;
    return true;
}

void asm_run(struct asm_state *s, const struct asm_lines *lines, size_t from, size_t to)
{
    struct cursor cursor = {lines, from, to};
    for (; cursor.at < to && !s->failed; cursor.at++) {
        s->where = lines->line[cursor.at].where;
        const char *text = lines->line[cursor.at].text;
        char label[64];
        while (take_label(&text, label))
            asm_label_define(s, label);
        s->text = text;
        if (*text == '.')
            run_directive(s, text, &cursor);
        else if (*text && !s->failed && !run_call(s, text))
            asm_instruction(s, text);
    }
}
