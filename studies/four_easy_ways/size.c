/* size.c - the table of code sizes: bytes of machine code, read from the binaries. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "studies/four_easy_ways/four_easy_ways.h"

/* ---- a source file's functions, from the symbol table of this program ---------------------- */

struct image {
    const char *bytes;
    size_t size;
};

static struct image map_self(void)
{
    struct image i = {0};
    struct stat st;
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0) {
        void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED)
            i = (struct image){bytes, (size_t)st.st_size};
    }
    if (fd >= 0)
        close(fd);
    return i;
}

static const ElfW(Shdr) * symbol_table(const struct image *image)
{
    const ElfW(Ehdr) *head = (const void *)image->bytes;
    const ElfW(Shdr) *sections = (const void *)(image->bytes + head->e_shoff);
    for (uint32_t i = 0; i < head->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB)
            return &sections[i];
    return NULL;
}

/*
 * Adds up the functions of one source file. Static functions follow the file's name in the symbol
 * table; the others, which the linker makes local where they are hidden, have the prefix.
 */
static double functions_of(const struct image *image, const char *file, const char *prefix)
{
    const ElfW(Shdr) *table = image->bytes ? symbol_table(image) : NULL;
    if (!table)
        return NAN; /* stripped */
    const ElfW(Ehdr) *head = (const void *)image->bytes;
    const ElfW(Shdr) *sections = (const void *)(image->bytes + head->e_shoff);
    const char *names = image->bytes + sections[table->sh_link].sh_offset;
    const ElfW(Sym) *symbols = (const void *)(image->bytes + table->sh_offset);
    bool inside = false;
    double bytes = 0;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const char *name = names + symbols[i].st_name;
        if ((symbols[i].st_info & 15) == STT_FILE)
            inside = strcmp(name, file) == 0;
        else if ((symbols[i].st_info & 15) == STT_FUNC &&
                 (inside || strncmp(name, prefix, strlen(prefix)) == 0))
            bytes += (double)symbols[i].st_size;
    }
    return bytes;
}

/* ---- the code of a loaded object ----------------------------------------------------------- */

struct loaded {
    const void *base; /* NULL: the program itself, which dl_iterate_phdr visits first */
    double code;
};

static int visit(struct dl_phdr_info *info, size_t size, void *user)
{
    struct loaded *l = user;
    (void)size;
    if (l->base && info->dlpi_addr != (uintptr_t)l->base)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X)
            l->code += (double)info->dlpi_phdr[i].p_memsz;
    return 1;
}

static double code_of_program(void)
{
    struct loaded l = {0};
    dl_iterate_phdr(visit, &l);
    return l.code;
}

static double code_of_fftw(const struct study *s)
{
    struct loaded l = {0};
    Dl_info info;
    void *function;
    if (!s->fftw)
        return NAN;
    memcpy(&function, &s->fftw->api.run_c2c, sizeof function);
    if (!dladdr(function, &info))
        return NAN;
    l.base = info.dli_fbase;
    dl_iterate_phdr(visit, &l);
    return l.code;
}

int study_size(struct study *s)
{
    static const char *const columns[] = {"bytes of code", "here", "document", NULL};
    struct image self = map_self();
    const struct {
        const char *name;
        double here, document;
    } rows[] = {
        {"the general radix", functions_of(&self, "general.c", "fft_general_"), 2600},
        {"fft-study with engines", code_of_program(), NAN},
        {"FFTW's library", code_of_fftw(s), 7120000},
    };

    table_open(
        &s->tables, "size",
        "\"Our single, portable, scalable executable of approximately 2600 bytes\"; FFTW's \"total "
        "approximately 7 120 000 bytes\".",
        columns);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        table_row(&s->tables,
                  (struct cell[]){CELL_TEXT(rows[i].name), CELL_NUMBER(rows[i].here, 10),
                                  CELL_NUMBER(rows[i].document, 10)});
    if (self.bytes)
        munmap((void *)self.bytes, self.size);
    return 0;
}
