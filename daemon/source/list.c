/* list.c - every source in this build. A new one is a file and a line here. */
#include "daemon/source/source.h"

extern const struct source_ops source_file, source_sim;
#if FFTD_HAVE_SOAPY
extern const struct source_ops source_soapy;
#endif

const struct source_ops *const sources[] = {
    &source_file,
#if FFTD_HAVE_SOAPY
    &source_soapy,
#endif
    &source_sim,
    NULL,
};
