/*
 * asm.h - qpu-asm, the assembler of kernels/qpu/. Internal to that program and its tests; the fft
 * library contains only the assembled words.
 *
 * The language is a subset of that of GPU_FFT and vc4asm:
 *
 *     # comment, or // comment
 *     .include "file"            relative to the including file
 *     .set name, expression      a number, a register, a label's address; may be set again.
 *                                Inside a macro: local to the call
 *     .macro name, a, b          .. .endm      called as: name 1, ra3. Arguments are values
 *     .rep i, count              .. .endr      i counts from 0
 *     .if expression             .. .elseif expression .. .else .. .endif
 *     .assert expression         an error if it is 0
 *     .error "text"
 *     name:   or   :name         a label, also before an instruction of the same line
 *     1:                         may be defined repeatedly; 1f is the next one, 1b the previous one
 *
 * An instruction is one line: one or two operations and at most one signal, separated by
 * semicolons. If both ALUs can execute both operations, the add ALU gets the first one:
 *
 *     op[.setf][.ifCOND] destination, source [, source]
 *     fadd ra1, r0, rb2;  fmul.ifnz r1, r3, ra4;  ldtmu0
 *
 *     add      fadd fsub fmin fmax fminabs fmaxabs ftoi itof add sub shr asr ror shl min max
 *              and or xor not clz v8adds v8subs
 *     mul      fmul mul24 v8muld v8min v8max v8adds v8subs
 *     both     mov, nop (the first of a line is the add ALU's)
 *     ifCOND   ifz ifnz ifn ifnn ifc ifnc
 *     signals  bkpt thrsw thrend sbwait sbdone lthrsw loadcv loadc ldcend ldtmu0 ldtmu1 loadam
 *
 * setf: the flags come from the add operation unless it is nop. Then setf on the mul operation is
 * an error.
 *
 * Registers: ra0..ra31 rb0..rb31 r0..r5. The destination `-` discards the result; the operation is
 * still executed, e.g. mov -, vw_wait. Peripherals: the table in qpu_isa.c. A register plus a
 * number is another register of the same file: ra4+i. A peripheral that both files can read uses
 * the free one. A line reads at most one register of each file, and writes at most one of each.
 *
 * Constants: 12 -3 0x1f 0b101 1.5 1e-3, and expressions of them: C's operators on 64-bit integers;
 * + - * / and comparisons on floats, too; ( ), ?:. Functions: min(a,b) max(a,b) log2(a) (of a power
 * of two), float(a), int(a), bits(a) (a float's 32 bits), sin(a) cos(a) (radians), and the setup
 * words:
 *
 *     vpm_setup(count, step, h32(row) or v32(row, column))              for vr_setup, vw_setup
 *     vdw_setup_0(rows, words, dma_h32(row, column)), vdw_setup_1(gap)  for vw_setup
 *     vdr_setup_0(pitch, words, rows, step, vdr_h32(row, column)), vdr_setup_1(bytes)  for vr_setup
 *
 * A constant source is a small immediate (-16..15, 2^-8..2^7 as a float). It replaces the read of
 * file B, and the line has no signal. A line that only has mov of the same constant is a 32-bit
 * load immediate (ldi), even if the constant is small:
 *
 *     mov ra0, 0x1234; mov rb1, 0x1234
 *     mov r0, [0,1,2,3, .. 16 numbers]     loads one number into each lane, -2..1 or 0..3
 *
 * Rotation is for the mul ALU only; its sources are r0..r3, and both are rotated alike.
 *
 *     mov r1, r0 << 3       lane i of r1 = lane i+3 of r0
 *     mov r1, r0 >> 3       lane i of r1 = lane i-3 of r0
 *     mov r1, r0 >> r5      rotates by lane 0 of r5
 *
 * Semaphores: mov -, sacq(n) decrements and waits at 0; mov -, srel(n) increments and waits at 15.
 *
 * Branches: brr[.COND] link, label        relative; the link may be `-`
 *           brr[.COND] link, ra3 [, label or number]   relative, plus a register
 *           bra[.COND] link, ra3 [, number]            absolute
 * COND: allz allnz anyz anynz alln allnn anyn anynn allc allnc anyc anync. The link is the address
 * after the three delay slots. A label may be written r:label.
 *
 * A name is looked up in the macro call, then in the calling macros, then globally. Hazards are
 * errors; hazard.c lists them. The check follows branches to labels. A branch to a register is
 * assumed to return to the instruction after any branch with a link.
 */
#ifndef FFTD_TOOLS_QPU_ASM_ASM_H
#define FFTD_TOOLS_QPU_ASM_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fft/qpu/qpu_isa.h"

/* A position in the source. Lines of a macro have the position of its definition. */
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
    size_t address; /* index into code */
};

struct asm_pool;

struct asm_program {
    struct asm_instr *code;
    size_t count;
    struct asm_label *labels;
    size_t label_count;
    char errors[4096]; /* lines of "file:line: what"; "": no error */
    struct asm_pool *pool;
};

/*
 * Assembles and checks a program. text: the content of `file`; NULL: reads the file. 0, or -EINVAL
 * with the reasons in out->errors. Call asm_finish in either case.
 */
int asm_assemble(const char *file, const char *text, struct asm_program *out);
void asm_finish(struct asm_program *program);

/* Appends a line to program->errors. */
void asm_error(struct asm_program *program, struct asm_where where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Checks an assembled program for hazards, and appends an error for each. */
void asm_check_hazards(struct asm_program *program);

/* Writes a listing of addresses, words and source lines. */
void asm_list(const struct asm_program *program, FILE *to);
/* Writes the program as the C array qpu_code_NAME, low words first. */
void asm_write_c(const struct asm_program *program, const char *name, FILE *to);

/* Writes one instruction in the language above, with branch targets as byte offsets. */
void asm_disassemble(const struct qpu_instr *in, char *text, size_t size);

#endif
