/* cuda_3d.c - names the document and its tables, in builds with and without the cuda engine. */
#include "studies/cuda_3d/cuda_study.h"

const struct study_document study_cuda_3d = {
    .name = "cuda-3d",
    .title = "K. Aatish and B. Zhang, 3-D FFT in CUDA (2012)",
    .run = study_cuda_run,
    .tables =
        {{"machine", NULL}, {"rows", NULL}, {"permute", NULL}, {"planes", NULL}, {"box", NULL}},
};
