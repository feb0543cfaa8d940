/* published.c - the document's figures: its tables of the radix 4, 8 and 16 kernels. */
#include "studies/bainville/published.h"

#include <math.h>

/* It has none for radix 2 and 32. */
static const struct bainville_documented documented[BAINVILLE_KERNELS][BAINVILLE_METHODS] = {
    [BAINVILLE_RADIX4_A] = {{38, 33}, {33, 51}, {33, 38}},
    [BAINVILLE_RADIX4_B] = {{37, 34}, {32, 51}, {32, 39}},
    [BAINVILLE_RADIX4_C] = {{31, 38}, {31, 39}, {31, 38}},
    [BAINVILLE_RADIX8_A] = {{40, 25}, {31, 40}, {31, 29}},
    [BAINVILLE_RADIX8_B] = {{30, 30}, {30, 29}, {30, 29}},
    [BAINVILLE_RADIX16] = {{46, 29}, {45, 38}, {45, 18}},
};

struct bainville_documented bainville_documented(uint32_t n, enum bainville_kernel kernel,
                                                 enum bainville_method method)
{
    const struct bainville_documented d = documented[kernel][method];
    return n == BAINVILLE_DOCUMENT_N && d.gtx285 > 0 ? d : (struct bainville_documented){NAN, NAN};
}
