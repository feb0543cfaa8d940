/* listing.c - writes an assembled program as a listing or as C. */
#include <string.h>

#include "tools/qpu-asm/asm.h"

static uint32_t low(const struct asm_instr *code)
{
    return (uint32_t)code->word;
}

static uint32_t high(const struct asm_instr *code)
{
    return (uint32_t)(code->word >> 32);
}

void asm_list(const struct asm_program *program, FILE *to)
{
    size_t label = 0;
    for (size_t i = 0; i < program->count; i++) {
        const struct asm_instr *code = &program->code[i];
        for (; label < program->label_count && program->labels[label].address == i; label++)
            fprintf(to, "%s:\n", program->labels[label].name);
        fprintf(to, "%5zu  0x%08x, 0x%08x  %s:%d\t%s\n", i, low(code), high(code), code->where.file,
                code->where.line, code->text);
    }
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void asm_write_c(const struct asm_program *program, const char *name, FILE *to)
{
    fprintf(to, "static const uint32_t qpu_code_%s[] = {\n", name);
    for (size_t i = 0; i < program->count; i++) {
        const struct asm_instr *code = &program->code[i];
        fprintf(to, "    0x%08x, 0x%08x, // %s:%d ", low(code), high(code),
                file_name(code->where.file), code->where.line);
        for (const char *c = code->text; *c; c++)
            putc(*c == '\\' ? '/' : *c, to); /* a backslash at the end would join lines */
        putc('\n', to);
    }
    fputs("};\n", to);
}
