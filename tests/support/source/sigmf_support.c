/* sigmf_support.c - SigMF pairs for the tests. */
#include "tests/support/source/sigmf_support.h"

const char *pair_of(const char *name, const char *meta, const char *data)
{
    char file[64];
    snprintf(file, sizeof file, "%s.sigmf-data", name);
    file_of_text(file, data);
    snprintf(file, sizeof file, "%s.sigmf-meta", name);
    return file_of_text(file, meta);
}
