/*
 * asm.h - qpu-asm, the assembler of kernels/qpu/. Internal to that program and its tests; the
 * library holds only what it wrote.
 *
 * The language: a subset of what GPU_FFT and vc4asm read.
 *
 *     # comment, or // comment
 *     .include "file"            beside the including file
 *     .set name, expression      a number, a register, a label's address; may be set again.
 *                                Inside of a macro: known in this call only
 *     .macro name, a, b          .. .endm      called as: name 1, ra3. Arguments are values
 *     .rep i, count              .. .endr      i counts from 0
 *     .if expression             .. .elseif expression .. .else .. .endif
 *     .assert expression         an error if it is 0
 *     .error "text"
 *     name:   or   :name         a label, also before an instruction of the same line
 *     1:                         may come again; 1f is the next one, 1b the one before
 *
 * An instruction is one line: one or two operations and at most one signal between semicolons, in
 * any order that leaves the first operation for the add ALU where both could take it:
 *
 *     op[.setf][.ifCOND] destination, source [, source]
 *     fadd ra1, r0, rb2;  fmul.ifnz r1, r3, ra4;  ldtmu0
 *
 * add   fadd fsub fmin fmax fminabs fmaxabs ftoi itof add sub shr asr ror shl min max and or xor
 * not clz v8adds v8subs mul   fmul mul24 v8muld v8min v8max v8adds v8subs both  mov, nop (the first
 * of a line is the add ALU's) ifCOND: ifz ifnz ifn ifnn ifc ifnc. setf: the flags come from the add
 * operation if there is one but nop, and asking the mul operation for them then is an error.
 * signals: bkpt thrsw thrend sbwait sbdone lthrsw loadcv loadc ldcend ldtmu0 ldtmu1 loadam
 *
 * Registers: ra0..ra31 rb0..rb31 r0..r5; `-` is nowhere, as a destination (the operation happens,
 * e.g. mov -, vw_wait). Peripherals: the table in isa.c. A register plus a number is another one of
 * the same file: ra4+i. What can be read through both files takes the one that is free. A line
 * reads one register of each file at most, and writes one of each at most.
 *
 * Constants: 12 -3 0x1f 0b101 1.5 1e-3, and expressions of them: C's operators on integers (64 bits
 * inside; + - * / and comparisons for floats too), ( ), ?:. Functions: min(a,b) max(a,b) log2(a)
 * (of a power of two), float(a), int(a), bits(a) (a float's 32 bits), sin(a) cos(a) (radians), and
 * the setup words:
 *
 *     vpm_setup(count, step, h32(row) or v32(row, column))              for vr_setup, vw_setup
 *     vdw_setup_0(rows, words, dma_h32(row, column)), vdw_setup_1(gap)  for vw_setup
 *     vdr_setup_0(pitch, words, rows, step, vdr_h32(row, column)), vdr_setup_1(bytes)  for vr_setup
 *
 * A constant as a source is a small immediate (-16..15, 2^-8..2^7 as a float); it takes file B's
 * place, and no signal goes with it. A line of nothing but mov with one and the same constant is a
 * 32-bit load immediate (ldi), also if the constant is small: mov ra0, 0x1234; mov rb1, 0x1234. mov
 * r0, [0,1,2,3, .. 16 numbers] loads one number a lane, -2..1 or 0..3.
 *
 * Rotation, mul ALU only, both its sources the same way, sources r0..r3: mov r1, r0 << 3 is
 * lane i of r1 = lane i+3 of r0; mov r1, r0 >> 3 lane i = lane i-3; r0 >> r5 by lane 0 of r5.
 *
 * Semaphores: mov -, sacq(n) (decrement; waits at 0), mov -, srel(n) (increment; waits at 15).
 *
 * Branches: brr[.COND] link, label        relative: link and the register may be left out as `-`
 *           brr[.COND] link, ra3 [, label or number]   relative, plus a register
 *           bra[.COND] link, ra3 [, number]            absolute
 * COND: allz allnz anyz anynz alln allnn anyn anynn allc allnc anyc anync. The link is the address
 * after the three delay slots. A label may be written r:label.
 *
 * A name is looked for in the macro call, then in the call around it, at last outside of all.
 * Hazards are errors; hazard.c has their list. They are followed through branches to labels, and
 * from a branch to a register to whatever follows a branch that keeps a link.
 */
#ifndef FFTD_TOOLS_QPU_ASM_ASM_H
#define FFTD_TOOLS_QPU_ASM_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fft/qpu/isa.h"

/* Where something was written: of a macro's lines the macro's own. */
struct asm_where {
    const char *file;
    int line;
};

struct asm_instr {
    uint64_t word;
    struct qpu_instr in;
    struct asm_where where;
    const char *text; /* the source line without its comment */
};

struct asm_label {
    const char *name;
    size_t address; /* an index of code */
};

struct asm_arena;

struct asm_program {
    struct asm_instr *code;
    size_t count;
    struct asm_label *labels;
    size_t label_count;
    char errors[4096]; /* "file:line: what", one a line; "" if it assembled */
    struct asm_arena *arena;
};

/*
 * Assembles and checks. 0, or -EINVAL with the reasons in out->errors. `text` NULL: the file of
 * that name is read; else it is the file's content. asm_finish follows in any case.
 */
int asm_assemble(const char *file, const char *text, struct asm_program *out);
void asm_finish(struct asm_program *program);

/* Appends to program->errors. */
void asm_error(struct asm_program *program, struct asm_where where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The hazards of an assembled program, each an error. */
void asm_check_hazards(struct asm_program *program);

/* Words, addresses and sources, for people and for holding against another assembler's words. */
void asm_list(const struct asm_program *program, FILE *to);
/* The program as the array qpu_code_NAME of C, low words first. */
void asm_write_c(const struct asm_program *program, const char *name, FILE *to);

/* One instruction in the language above; branches as byte offsets. */
void asm_disassemble(const struct qpu_instr *in, char *text, size_t size);

#endif
