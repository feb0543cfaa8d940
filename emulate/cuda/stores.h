/* stores.h - how the launch loop drives the count of stores (emulate.h); shim.h has the kernels'
 * side. */
#ifndef FFTD_EMULATE_CUDA_STORES_H
#define FFTD_EMULATE_CUDA_STORES_H

void stores_begin_launch();
void stores_end_block();

#endif
