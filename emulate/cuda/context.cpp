/* context.cpp - switches between stacks: by switch.S where it knows the processor, else by libc. */
#include "emulate/cuda/context.h"

#include <cstdint>
#include <cstring>

#ifdef CONTEXT_SWAP

extern "C" void context_swap(void **save, void *to);

void context_init(context *c, unsigned char *stack, size_t bytes, void (*entry)())
{
    /* What context_swap pops: on x86-64 six registers, the entry as the address of return, and none
     * for the entry itself; on ARM the link register is the second of twenty. */
#ifdef __x86_64__
    constexpr size_t words = 8, entry_at = 6;
#else
    constexpr size_t words = 20, entry_at = 1;
#endif
    void **top = (void **)(((uintptr_t)stack + bytes) & ~(uintptr_t)15) - words;
    memset(top, 0, words * sizeof *top);
    top[entry_at] = (void *)entry;
    c->stack = top;
}

void context_switch(context *from, context *to)
{
    context_swap(&from->stack, to->stack);
}

#else

void context_init(context *c, unsigned char *stack, size_t bytes, void (*entry)())
{
    getcontext(c);
    c->uc_stack.ss_sp = stack;
    c->uc_stack.ss_size = bytes;
    c->uc_link = nullptr;
    makecontext(c, entry, 0);
}

void context_switch(context *from, context *to)
{
    swapcontext(from, to);
}

#endif
