/* list.c - lists the sources of this build. A new source is one file and one line here. */
#include "daemon/source/source.h"

extern const struct source_ops source_file, source_rtl_tcp, source_sim, source_spyserver;
#if FFTD_HAVE_SOAPY
extern const struct source_ops source_soapy;
#endif

const struct source_ops *const sources[] = {
    &source_file,
#if FFTD_HAVE_SOAPY
    &source_soapy,
#endif
    &source_rtl_tcp, &source_spyserver, &source_sim, NULL,
};
