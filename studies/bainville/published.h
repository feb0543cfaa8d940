/* published.h - the figures of E. Bainville's document. */
#ifndef FFTD_STUDIES_BAINVILLE_PUBLISHED_H
#define FFTD_STUDIES_BAINVILLE_PUBLISHED_H

#include "studies/bainville/chain_kernels.h"

enum { BAINVILLE_DOCUMENT_N = 1 << 24 }; /* points */

/* Milliseconds, as printed in the document; NaN: not among its figures. */
struct bainville_documented {
    double gtx285, hd5870;
};
struct bainville_documented bainville_documented(uint32_t n, enum bainville_kernel kernel,
                                                 enum bainville_method method);

#endif
