/* others.h - the engine's transforms and cuFFT's as work for the tables. */
#ifndef FFTD_STUDIES_CUDA_3D_OTHERS_H
#define FFTD_STUDIES_CUDA_3D_OTHERS_H

#include "studies/cuda_3d/cuda_study.h"

/* A planned transform of packed points; must not be moved. close follows also a failed open. */
struct study_other {
    struct cuda_study *study;
    struct fft_transform *transform; /* of the engine; NULL: of cuFFT */
    struct fft_buffer *in, *out;     /* in place: the same */
    struct study_work work;
};

/* Whether the engine may transform two axes in one pass. */
enum study_axes { STUDY_APART, STUDY_JOINED };

/* plan->in_place chooses between the two ways. on_buffers is set here. */
int study_engine_open(struct study_other *o, struct cuda_study *s,
                      const struct fft_transform_config *plan, enum study_axes axes);
/* Does one pass of the engine take the last two axes of this plan? */
bool study_engine_joins(struct cuda_study *s, const struct fft_transform_config *plan);
void study_engine_close(struct study_other *o);

/* Needs s->study->cufft. The library holds one plan: the last. */
int study_cufft_open(struct study_other *o, struct cuda_study *s,
                     const struct fft_transform_config *plan);

size_t study_plan_bytes(const struct fft_transform_config *plan);

#endif
