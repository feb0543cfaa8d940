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
.include "program.qinc"
