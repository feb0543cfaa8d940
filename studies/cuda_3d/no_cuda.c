/* no_cuda.c - cuda_study.h in a build without the cuda engine: the study fails with a message. */
#include "studies/cuda_3d/cuda_study.h"

int study_cuda_run(struct study *study)
{
    (void)study;
    return bench_fail("cuda-3d", "this build has no cuda engine");
}
