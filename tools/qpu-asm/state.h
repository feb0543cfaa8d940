/* state.h - the state of an assembly, and functions that the assembler's files share. Internal. */
#ifndef FFTD_TOOLS_QPU_ASM_STATE_H
#define FFTD_TOOLS_QPU_ASM_STATE_H

#include "tools/qpu-asm/asm.h"
#include "tools/qpu-asm/pool.h"

enum asm_kind {
    ASM_INT,
    ASM_FLOAT,
    ASM_LABEL, /* i: byte address */
    ASM_REGISTER,
    ASM_SEMAPHORE,    /* i: number; acquire */
    ASM_LANES_SIGNED, /* i: the immediate's 32 bits */
    ASM_LANES_UNSIGNED,
};

enum asm_reg { ASM_FILE_A, ASM_FILE_B, ASM_ACCUMULATOR, ASM_PERIPHERAL, ASM_NOWHERE };

enum { ASM_ROTATE_NONE = 0, ASM_ROTATE_R5 = 16 }; /* 1 .. 15: lanes up */

struct asm_value {
    enum asm_kind kind;
    int64_t i;
    double f;
    bool acquire;
    enum asm_reg reg;
    uint8_t number; /* of the register */
    uint8_t rotate;
    const struct qpu_register *peripheral;
};

static inline struct asm_value asm_int(int64_t i)
{
    return (struct asm_value){.kind = ASM_INT, .i = i};
}

/* Of ASM_INT or ASM_FLOAT. */
static inline double asm_as_double(const struct asm_value *v)
{
    return v->kind == ASM_FLOAT ? v->f : (double)v->i;
}

struct asm_symbol {
    const char *name;
    struct asm_value value;
    struct asm_symbol *next;
};

struct asm_scope {
    struct asm_symbol *symbols;
    struct asm_scope *up;
};

struct asm_line {
    const char *text;
    struct asm_where where;
};

struct asm_lines {
    struct asm_line *line;
    size_t count;
};

struct asm_macro {
    const char *name;
    const char *const *parameters;
    size_t parameter_count;
    const struct asm_lines *lines;
    size_t from, to;
    struct asm_macro *next;
};

struct asm_state {
    struct asm_program *program;
    struct asm_pool *pool;
    bool final;  /* the second pass: labels are known */
    bool failed; /* an error has ended the pass */
    struct asm_where where;
    const char *text; /* of the current line */
    int depth;        /* of macro calls and includes */
    struct asm_scope *scope;
    struct asm_macro *macros;
    size_t labels_passed; /* number of labels that this pass has already defined */
};

/* Appends an error at s->where and ends the pass; only the first error of a pass counts. */
void asm_fail(struct asm_state *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* text.c: the lines of a text, or of a file. NULL: failed. */
const struct asm_lines *asm_text_lines(struct asm_state *s, const char *file, const char *text);
const struct asm_lines *asm_text_read(struct asm_state *s, const char *file);

/* scope.c: sets a name in the innermost scope; finds it in any (NULL: not defined). */
void asm_scope_set(struct asm_state *s, const char *name, const struct asm_value *value);
const struct asm_value *asm_scope_find(const struct asm_state *s, const char *name);
void asm_label_define(struct asm_state *s, const char *name);
/* Finds a label's address. direction: 'f' or 'b' for a numbered label, else 0. False: no label. */
bool asm_label_find(const struct asm_state *s, const char *name, char direction, size_t *address);

/* expr.c: parses at *text and advances it. */
struct asm_value asm_expression(struct asm_state *s, const char **text);
int64_t asm_integer(struct asm_state *s, const char **text);
bool asm_word(const char **text, char *word, size_t size); /* letters, digits, _ */
bool asm_skip(const char **text, char c);                  /* skips blanks and c; false: no c */
void asm_end_of_line(struct asm_state *s, const char *text);

/* builtin.c: calls the function `name`, from after its parenthesis; false: there is none. */
bool asm_builtin(struct asm_state *s, const char *name, const char **text, struct asm_value *out);
bool asm_register_name(const char *name, struct asm_value *out);

/* run.c: processes lines from .. to-1. */
void asm_run(struct asm_state *s, const struct asm_lines *lines, size_t from, size_t to);

/* parse.c, pack.c: assembles a line and appends the instruction to the program. */
void asm_instruction(struct asm_state *s, const char *text);

struct asm_operation {
    const struct qpu_op *add, *mul; /* the operation on each ALU; NULL: not available */
    bool mov, setf;
    uint8_t cond; /* enum qpu_cond */
    struct asm_value to, from[2];
    int sources;
};

struct asm_statement {
    struct asm_operation op[2];
    int count;
    int signal; /* enum qpu_sig; -1: none */
};

void asm_pack(struct asm_state *s, const struct asm_statement *statement, struct qpu_instr *out);
/* Sets ws, waddr_add and waddr_mul from both ALUs' destinations; NULL: writes nothing. */
void asm_pack_results(struct asm_state *s, const struct asm_value *add, const struct asm_value *mul,
                      struct qpu_instr *out);

/* branch.c: parses the operands of a branch, from after its name. */
void asm_branch(struct asm_state *s, const char *name, const char **text, struct qpu_instr *out);

#endif
