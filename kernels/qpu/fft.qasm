# fft.qasm - complex FFTs of 2^8 to 2^22 points on eight QPUs. Uniforms select the length.
#
# The structure is that of A. Holme's GPU_FFT: decimation in time, bit-reversed reads in the first
# pass, blocks of 16, 32 or 64 points in registers, bit-rotated writes through VPM and DMA. Its
# planner, fft/qpu/qpu_plan.c, chooses the passes and their blocks; uniforms hold the addresses of the
# entries below.
#
# Uniforms of each QPU: q and the table of constants. For each pass: its entry, the uniforms of
# next_pass and of the entry table, those of its prepare macro, and for the master those of label 30
# in pass.qinc. At last the entry `finish`; its second uniform is 1 for the QPU that interrupts the
# host.

.include "registers.qinc"
.include "codelet.qinc"
.include "block.qinc"
.include "power.qinc"
.include "pass.qinc"

    brr -, r:start
    nop
    nop
    nop

# The entry table: 32 bytes each, from byte 32 on.
.macro common_uniforms
    mov ra_vpm0, unif
    mov ra_vpm1, unif
    mov rb_swap, unif
.endm
    brr -, r:finish
    common_uniforms
    brr -, r:first_16
    common_uniforms
    brr -, r:first_32
    common_uniforms
    brr -, r:first_64
    common_uniforms
    brr -, r:windowed_16
    common_uniforms
    brr -, r:windowed_32
    common_uniforms
    brr -, r:windowed_64
    common_uniforms
    brr -, r:middle_16
    common_uniforms
    brr -, r:middle_32
    common_uniforms
    brr -, r:middle_64
    common_uniforms
    brr -, r:columns_16
    common_uniforms
    brr -, r:columns_32
    common_uniforms
    brr -, r:columns_64
    common_uniforms
    brr -, r:last_16
    common_uniforms
    brr -, r:last_32
    common_uniforms
    brr -, r:last_64
    common_uniforms
    brr -, r:power_16
    common_uniforms
    brr -, r:power_32
    common_uniforms
    brr -, r:power_64
    common_uniforms

# The store routines. store_block, 32 bytes, stores all rows of a step in one transfer. The others
# store 64, 32 or 16 rows one by one, for strides that are too long for a setup; each falls through
# to the next.
store_block:
    bra -, ra_link2
    mov vw_setup, ra_from
    mov vw_addr, ra_to
    nop
.macro store_rows, blocks
.rep row, 16 * blocks
    add ra_from, ra_from, rb_128;   mov vw_setup, ra_from
    add ra_to, ra_to, rb_stride;        mov vw_addr, ra_to
.endr
.endm
store_64:
    store_rows 2
store_32:
    store_rows 1
store_16:
    store_rows 1
    bra -, ra_link2
    nop
    nop
    nop

codelet:
    codelet_16_stage_0
codelet_rest:
    codelet_16_rest

start:
    mov rb_q, unif
    mov rb_line, 64
    shl rb_lane, elem_num, 3
    mov rb_top, 0x80000000
    mov rb_128, 128
    load_from unif
    load_pair w8
    load_pair w16
    mov ra_stage1, [0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, -1]
    mov r0, [0, 2, 1, 3, 0, 2, 1, 3, 0, 2, 1, 3, 0, 2, 1, 3]
    mov r1, [0, 0, 0, 0, 2, 2, 2, 2, 1, 1, 1, 1, 3, 3, 3, 3]
    shl r0, r0, 2
    or rb_revlane, r0, r1
    next_pass

finish:
    mov irq, r0
    nop;    thrend
    nop
    nop

first_16:
    prepare_first FIRST, 1
    pass FIRST, 1
first_32:
    prepare_first FIRST, 2
    pass FIRST, 2
first_64:
    prepare_first FIRST, 4
    pass FIRST, 4
windowed_16:
    prepare_first WINDOWED, 1
    pass WINDOWED, 1
windowed_32:
    prepare_first WINDOWED, 2
    pass WINDOWED, 2
windowed_64:
    prepare_first WINDOWED, 4
    pass WINDOWED, 4
middle_16:
    prepare MIDDLE, 1
    pass MIDDLE, 1
middle_32:
    prepare MIDDLE, 2
    pass MIDDLE, 2
middle_64:
    prepare MIDDLE, 4
    pass MIDDLE, 4
columns_16:
    prepare COLUMNS, 1
    pass COLUMNS, 1
columns_32:
    prepare COLUMNS, 2
    pass COLUMNS, 2
columns_64:
    prepare COLUMNS, 4
    pass COLUMNS, 4
last_16:
    prepare LAST, 1
    pass LAST, 1
last_32:
    prepare LAST, 2
    pass LAST, 2
last_64:
    prepare LAST, 4
    pass LAST, 4
power_16:
    prepare POWER, 1
    pass POWER, 1
power_32:
    prepare POWER, 2
    pass POWER, 2
power_64:
    prepare POWER, 4
    pass POWER, 4
