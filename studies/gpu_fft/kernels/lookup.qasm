# lookup.qasm - the program of kernels/qpu/, but with the twiddle factors of the last pass from tables.
#
# The table of a twiddle has those of each step in turn, a pair of vectors of single floats, and is
# read through the TMU that a transform without a window does not use. Its address, lane by lane, is
# where the step of the recurrence would be: ra2 of the twiddle. The host puts it there: for what is
# read in place of the step in the pass's own table, for stages in place of the sine (lookup.c).

.include "../../../kernels/qpu/registers.qinc"
.include "../../../kernels/qpu/codelet.qinc"
.include "../../../kernels/qpu/block.qinc"
.include "../../../kernels/qpu/power.qinc"
.include "../../../kernels/qpu/pass.qinc"

# The next factors, in place of advance_head and advance_body.
.macro look_up_head, w
    add r2, ra2+w, rb_line;         mov t1s, ra2+w
    add ra2+w, r2, rb_line;         mov t1s, r2
    nop
.endm
.macro look_up_tail, w
    nop;                            ldtmu1
    mov ra0+w, r4;                  ldtmu1
    mov rb0+w, r4
.endm
.macro look_up, w
    look_up_head w
    look_up_tail w
.endm

# The last definition of a macro counts.
.macro pause_head, kind, vectors
.if kind <= WINDOWED && vectors < 4
    next_rev_head
.elseif kind == LAST
    look_up_head tw
.elseif kind > LAST
    advance_head tw
.else
    nop
    nop
    nop
.endif
.endm
.macro pause_tail, kind, vectors
.if kind <= WINDOWED && vectors < 4
    next_rev_tail vectors
.elseif kind == LAST
    look_up_tail tw
.if vectors > 1
    look_up twf
.endif
.if vectors > 2
    look_up twg
.endif
.elseif kind > LAST
    advance_body tw
.if vectors > 1
    advance twf
.endif
.if vectors > 2
    advance twg
.endif
.endif
.endm

.macro load_address, w
    load_pair w
    shl r3, elem_num, 2
    add ra2+w, r3, unif
    mov -, unif
.endm
.macro prepare_last, vectors
    add r2, rb_lane, r0
    mov ra_re, r2
    add ra_im, r2, r1
    mov rb_jump, 1024 * vectors - 128 * (vectors - 1)
    load_from unif
    load_pair tw
    load_pair tw + 2
.if vectors > 1
    load_address twf
.endif
.if vectors > 2
    load_address twg
.endif
.endm

.include "../../../kernels/qpu/program.qinc"
