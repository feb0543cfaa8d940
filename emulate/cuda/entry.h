/* entry.h - tables of kernels that emulate.h finds by name. Those of kernels/cuda/ are in
 * emulate.cpp; a program that has other kernels adds a table of them. */
#ifndef FFTD_EMULATE_CUDA_ENTRY_H
#define FFTD_EMULATE_CUDA_ENTRY_H

struct emulate_entry {
    const char *module, *name;
    void (*run)(const void *args);
};

/* A kernel with a uniform signature. */
template <class Args, void (*kernel)(const Args)> void emulate_call(const void *args)
{
    kernel(*(const Args *)args);
}

#define DECLARE(name, args)       extern "C" void name(const args);
#define ENTRY(module, name, args) {module, #name, emulate_call<args, name>},

/* A static object of this type adds its entries. */
struct emulate_table {
    const emulate_entry *entries;
    unsigned count;
    const emulate_table *next; /* added before */

    emulate_table(const emulate_entry *first, unsigned total);
};

#endif
