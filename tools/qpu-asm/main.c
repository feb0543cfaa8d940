/*
 * main.c - qpu-asm: assembles QPU programs to C or to a listing.
 *
 *     qpu-asm --list FILE.qasm...
 *     qpu-asm -o OUT.c FILE.qasm...     writes the table qpu_kernels of fft/qpu/qpu_kernels.h
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/qpu-asm/asm.h"

enum { MAX_NAME = 64 };

/* The file's name without folder and extension. */
static void kernel_name(const char *file, char name[MAX_NAME])
{
    const char *slash = strrchr(file, '/');
    const char *file_name = slash ? slash + 1 : file;
    snprintf(name, MAX_NAME, "%.*s", (int)strcspn(file_name, "."), file_name);
}

static int assemble_file(const char *file, FILE *to, bool list)
{
    struct asm_program program;
    char name[MAX_NAME];
    kernel_name(file, name);
    int bad = asm_assemble(file, NULL, &program);
    if (bad)
        fputs(program.errors, stderr);
    else if (list)
        asm_list(&program, to);
    else
        asm_write_c(&program, name, to);
    asm_finish(&program);
    return bad;
}

static void write_table(char *const *files, FILE *to)
{
    fputs("const struct qpu_kernel qpu_kernels[] = {\n", to);
    for (; *files; files++) {
        char name[MAX_NAME];
        kernel_name(*files, name);
        fprintf(to, "    {\"%s\", qpu_code_%s, sizeof qpu_code_%s / 8},\n", name, name, name);
    }
    fputs("    {0, 0, 0},\n};\n", to);
}

static int assemble_files(char *const *files, FILE *to, bool list)
{
    if (!list)
        fputs("/* Written by qpu-asm. */\n#include \"fft/qpu/qpu_kernels.h\"\n\n", to);
    int bad = 0;
    for (char *const *file = files; *file; file++)
        bad |= assemble_file(*file, to, list);
    if (!list && !bad)
        write_table(files, to);
    return bad;
}

int main(int argc, char **argv)
{
    const bool list = argc > 2 && !strcmp(argv[1], "--list");
    const bool write = argc > 2 && !strcmp(argv[1], "-o");
    if (!list && !write) {
        fputs("usage: qpu-asm --list FILE.qasm...\n       qpu-asm -o OUT.c FILE.qasm...\n", stderr);
        return 2;
    }
    FILE *to = list ? stdout : fopen(argv[2], "w");
    if (!to) {
        fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
        return 1;
    }
    int bad = assemble_files(argv + (list ? 2 : 3), to, list);
    bool full = ferror(to);
    full |= (list ? fflush(to) : fclose(to)) != 0;
    if (full)
        fputs("qpu-asm: the output could not be written\n", stderr);
    if ((bad || full) && write)
        remove(argv[2]);
    return bad || full;
}
