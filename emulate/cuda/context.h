/*
 * context.h - stacks that a CPU thread switches between, without a system call on x86-64 and
 * 64-bit ARM: swapcontext() makes two.
 */
#ifndef FFTD_EMULATE_CUDA_CONTEXT_H
#define FFTD_EMULATE_CUDA_CONTEXT_H

#include <cstddef>

#ifdef CONTEXT_SWAP /* switch.S knows the processor */
struct context {
    void *stack; /* its pointer, while another context runs */
};
#else
#include <ucontext.h>
typedef ucontext_t context;
#endif

/* The first switch to the context calls entry on that stack. entry never returns. */
void context_init(context *c, unsigned char *stack, size_t bytes, void (*entry)());

/* Stores where the caller is in *from, and continues where *to was left. */
void context_switch(context *from, context *to);

#endif
