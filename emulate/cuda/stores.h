/* stores.h - how the launch loop drives the counts of stores and of accesses to shared memory
 * (emulate.h); shim.h has the kernels' side. */
#ifndef FFTD_EMULATE_CUDA_STORES_H
#define FFTD_EMULATE_CUDA_STORES_H

void stores_begin_launch();
void stores_end_block();
void shared_begin_launch();
void shared_end_block();

#endif
