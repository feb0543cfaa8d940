/* scope.c - symbol tables: the names that .set and macro calls define, and labels. */
#include <ctype.h>
#include <string.h>

#include "tools/qpu-asm/state.h"

static struct asm_value *find_in(const struct asm_scope *scope, const char *name)
{
    for (struct asm_symbol *symbol = scope->symbols; symbol; symbol = symbol->next)
        if (!strcmp(symbol->name, name))
            return &symbol->value;
    return NULL;
}

void asm_scope_set(struct asm_state *s, const char *name, const struct asm_value *value)
{
    struct asm_value *known = find_in(s->scope, name);
    if (known) {
        *known = *value;
        return;
    }
    struct asm_symbol *symbol = asm_pool_alloc(s->pool, sizeof *symbol);
    *symbol =
        (struct asm_symbol){asm_pool_copy(s->pool, name, strlen(name)), *value, s->scope->symbols};
    s->scope->symbols = symbol;
}

const struct asm_value *asm_scope_find(const struct asm_state *s, const char *name)
{
    for (const struct asm_scope *scope = s->scope; scope; scope = scope->up) {
        const struct asm_value *value = find_in(scope, name);
        if (value)
            return value;
    }
    return NULL;
}

/* The second pass must find the same labels in the same order at the same addresses. */
static void label_pass(struct asm_state *s, const char *name)
{
    struct asm_program *p = s->program;
    size_t i = s->labels_passed++;
    if (i >= p->label_count || strcmp(p->labels[i].name, name) != 0 ||
        p->labels[i].address != p->count)
        asm_fail(s, "'%s' moved: a condition or a count depends on a label behind it", name);
}

void asm_label_define(struct asm_state *s, const char *name)
{
    struct asm_program *p = s->program;
    if (s->final) {
        label_pass(s, name);
        return;
    }
    size_t known;
    if (!isdigit((unsigned char)*name) && asm_label_find(s, name, 0, &known)) {
        asm_fail(s, "label '%s' is there already", name);
        return;
    }
    p->labels = asm_pool_grow(s->pool, p->labels, p->label_count, sizeof *p->labels);
    p->labels[p->label_count++] =
        (struct asm_label){asm_pool_copy(s->pool, name, strlen(name)), p->count};
    s->labels_passed = p->label_count;
}

bool asm_label_find(const struct asm_state *s, const char *name, char direction, size_t *address)
{
    const struct asm_program *p = s->program;
    bool found = false;
    size_t from = direction == 'f' ? s->labels_passed : 0;
    size_t to = direction == 'b' ? s->labels_passed : p->label_count;
    for (size_t i = from; i < to; i++) {
        if (strcmp(p->labels[i].name, name) != 0)
            continue;
        *address = p->labels[i].address;
        found = true;
        if (direction == 'f')
            break; /* forward: the first match; backward: the last */
    }
    return found;
}
