/* standard_files.c - opens /dev/null in place of standard files that are closed. */
#include "daemon/system/standard_files.h"

#include <fcntl.h>
#include <unistd.h>

/* open returns the lowest number that is free: those below `fd` are open already. */
void standard_files_reserve(void)
{
    static const int modes[] = {
        [STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
            return; /* no /dev in a sandbox: as without this */
}
