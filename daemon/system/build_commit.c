/* build_commit.c - the only file that knows the commit: another commit compiles no other file. */
#include "daemon/system/build_commit.h"

const char *build_commit(void)
{
    return FFTD_COMMIT;
}
