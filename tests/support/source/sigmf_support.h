/* sigmf_support.h - SigMF pairs for the tests. */
#ifndef FFTD_TESTS_SUPPORT_SOURCE_SIGMF_SUPPORT_H
#define FFTD_TESTS_SUPPORT_SOURCE_SIGMF_SUPPORT_H

#include "tests/support/source/source_support.h"

#define GLOBAL "\"global\":{\"core:datatype\":\"ci16_le\",\"core:sample_rate\":1000000}"

#define DATATYPE(type) "{\"global\":{\"core:datatype\":\"" type "\",\"core:sample_rate\":1e6}}"
#define CAPTURES(list) "{" GLOBAL ",\"captures\":" list "}"
#define MORE(text)     "{\"global\":{\"core:datatype\":\"cu8\"," text "}}"

/* Writes NAME.sigmf-meta and -data; returns the path of the meta. */
const char *pair_of(const char *name, const char *meta, const char *data);

#endif
