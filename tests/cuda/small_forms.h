/* small_forms.h - replaces the tables of forms by one small form of every family. */
#ifndef FFTD_TESTS_CUDA_SMALL_FORMS_H
#define FFTD_TESTS_CUDA_SMALL_FORMS_H

#include "kernels/cuda/forms.h"
#include "kernels/cuda/transform_forms.h"

#undef MEAN_FORMS
#undef PLAIN_FORMS
#undef SINGLE_FORMS
#undef RELAY_FORMS
#undef COLUMNS_FORMS
#undef ROWS_MEAN_FORMS
#undef ROWS_DETECTORS_FORMS
#undef ALONG_FORMS
#undef STAGED_FORMS
#undef WHOLE_FORMS
#undef ACROSS_FORMS
#undef BRIDGE_FORMS
#undef CLUSTER_FORMS

#define MEAN_FORMS(form, ...)           form(64, 8, 8, 8, 1, 1, 32, 4, __VA_ARGS__)
#define PLAIN_FORMS(form, ...)          form(64, 8, 8, 8, 1, 1, 32, 4, __VA_ARGS__)
#define SINGLE_FORMS(form, ...)         form(64, 8, 8, 8, 1, 1, 1, 1, __VA_ARGS__)
#define RELAY_FORMS(form, ...)          form(131072, 512, 16, 16, 2, 8, __VA_ARGS__)
#define COLUMNS_FORMS(form, ...)        form(64, 8, 8, 8, 1, 1, 32, 4, __VA_ARGS__)
#define ROWS_MEAN_FORMS(form, ...)      form(64, 8, 8, 8, 1, 1, 32, 4, __VA_ARGS__)
#define ROWS_DETECTORS_FORMS(form, ...) form(64, 8, 8, 8, 1, 1, 32, 4, __VA_ARGS__)
#define ALONG_FORMS(form, ...)          form(64, 8, 8, 8, 1, 1, 16, 8, __VA_ARGS__)
#define STAGED_FORMS(form, ...)         form(64, 8, 8, 8, 1, 1, 1, 8, __VA_ARGS__)
#define WHOLE_FORMS(form, ...)          form(64, 8, 8, 8, 1, 1, 16, 8, __VA_ARGS__)
#define ACROSS_FORMS(form, ...)         form(64, 8, 8, 8, 1, 1, 32, 4, __VA_ARGS__)
#define BRIDGE_FORMS(form, ...)         form(64, 8, 8, 8, 1, 1, 32, 4, __VA_ARGS__)
#define CLUSTER_FORMS(form, ...)        form(4096, 8, 64, 8, 8, 64, 8, 8, 8, 4, __VA_ARGS__)

#endif
