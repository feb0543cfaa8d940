/* systemd.c - the datagram of sd_notify(3) and the variables of sd_listen_fds(3). */
#include "daemon/system/systemd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* "/run/..." is a file. "@..." is an abstract socket; its name begins with NUL. */
static socklen_t fill_address(struct sockaddr_un *address, const char *path)
{
    const size_t length = strlen(path);
    if ((path[0] != '/' && path[0] != '@') || length >= sizeof address->sun_path)
        return 0;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, length);
    if (path[0] == '@')
        address->sun_path[0] = '\0';
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

static int send_state(const char *path, const char *state, size_t size)
{
    struct sockaddr_un address;
    const socklen_t address_size = fill_address(&address, path);
    if (address_size == 0)
        return -EINVAL;
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    const ssize_t sent =
        sendto(fd, state, size, MSG_NOSIGNAL, (const struct sockaddr *)&address, address_size);
    const int err = sent < 0 ? -errno : 1;
    close(fd);
    return err;
}

int systemd_notify(const char *format, ...)
{
    const char *path = getenv("NOTIFY_SOCKET");
    if (path == NULL || path[0] == '\0')
        return 0;
    char state[1024];
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(state, sizeof state, format, args);
    va_end(args);
    if (size < 0 || (size_t)size >= sizeof state)
        return -EMSGSIZE;
    return send_state(path, state, (size_t)size);
}

/* A whole decimal number from the environment; false: unset or something else. */
static bool read_number(const char *name, uint64_t *out)
{
    const char *text = getenv(name);
    if (text == NULL || text[0] < '0' || text[0] > '9')
        return false;
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

uint64_t systemd_watchdog_us(void)
{
    uint64_t us, pid;
    if (!read_number("WATCHDOG_USEC", &us))
        return 0;
    /* WATCHDOG_PID, if set, limits the watchdog to that process. */
    if (getenv("WATCHDOG_PID") != NULL &&
        (!read_number("WATCHDOG_PID", &pid) || pid != (uint64_t)getpid()))
        return 0;
    return us;
}

unsigned systemd_sockets(void)
{
    uint64_t pid, count;
    if (!read_number("LISTEN_PID", &pid) || pid != (uint64_t)getpid())
        return 0;
    return read_number("LISTEN_FDS", &count) && count <= 64 ? (unsigned)count : 0;
}

bool systemd_credential(const char *name, char *path, size_t size)
{
    path[0] = '\0';
    const char *directory = getenv("CREDENTIALS_DIRECTORY");
    if (directory == NULL || directory[0] == '\0')
        return false;
    const int length = snprintf(path, size, "%s/%s", directory, name);
    if (length > 0 && (size_t)length < size && access(path, F_OK) == 0)
        return true;
    path[0] = '\0';
    return false;
}
