/* asm.c - assembles a program in two passes; the first finds the addresses of the labels. */
#include "tools/qpu-asm/asm.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "tools/qpu-asm/state.h"

static void add_error(struct asm_program *p, struct asm_where where, const char *format,
                      va_list arguments)
{
    char what[512];
    vsnprintf(what, sizeof what, format, arguments);
    size_t used = strlen(p->errors);
    snprintf(p->errors + used, sizeof p->errors - used, "%s:%d: %s\n", where.file, where.line,
             what);
}

void asm_error(struct asm_program *program, struct asm_where where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_error(program, where, format, arguments);
    va_end(arguments);
}

void asm_fail(struct asm_state *s, const char *format, ...)
{
    if (s->failed)
        return;
    s->failed = true;
    va_list arguments;
    va_start(arguments, format);
    add_error(s->program, s->where, format, arguments);
    va_end(arguments);
}

static void run_pass(struct asm_program *p, const char *file, const char *text, bool final)
{
    struct asm_scope outermost = {0};
    struct asm_state s = {
        .program = p, .pool = p->pool, .final = final, .where = {file, 0}, .scope = &outermost};
    p->code = NULL;
    p->count = 0;
    const struct asm_lines *lines = text ? asm_text_lines(&s, file, text) : asm_text_read(&s, file);
    if (lines)
        asm_run(&s, lines, 0, lines->count);
    if (final && !s.failed && s.labels_passed != p->label_count)
        asm_fail(&s, "labels moved: a condition or a count depends on a label behind it");
}

int asm_assemble(const char *file, const char *text, struct asm_program *out)
{
    *out = (struct asm_program){.pool = asm_pool_create()};
    file = asm_pool_copy(out->pool, file, strlen(file));
    run_pass(out, file, text, false);
    if (!*out->errors)
        run_pass(out, file, text, true);
    if (!*out->errors && !out->count)
        asm_error(out, (struct asm_where){file, 0}, "no instructions");
    if (!*out->errors)
        asm_check_hazards(out);
    return *out->errors ? -EINVAL : 0;
}

void asm_finish(struct asm_program *program)
{
    asm_pool_destroy(program->pool);
    *program = (struct asm_program){0};
}
