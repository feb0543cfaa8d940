/* test_systemd.c - tests the notifications, sockets and credentials of systemd with a mock socket.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/system/systemd.h"

/* Opens a datagram socket at `path` in place of systemd; "@name" is abstract. */
static int listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path));
    if (path[0] == '@')
        address.sun_path[0] = '\0';
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    const size_t size = offsetof(struct sockaddr_un, sun_path) + strlen(path);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, (socklen_t)size), 0);
    setenv("NOTIFY_SOCKET", path, 1);
    return fd;
}

static void assert_received(int fd, const char *expected)
{
    char received[2048] = "";
    const ssize_t size = recv(fd, received, sizeof received - 1, MSG_DONTWAIT);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(received, expected);
}

static void set_pid(const char *name, int offset)
{
    char text[32];
    snprintf(text, sizeof text, "%d", getpid() + offset);
    setenv(name, text, 1);
}

static void a_state_reaches_a_socket_in_the_file_system(void **unused)
{
    (void)unused;
    char path[64];
    snprintf(path, sizeof path, "/tmp/fftd-notify-%d", getpid());
    const int fd = listen_at(path);
    assert_int_equal(systemd_notify("READY=1\nSTATUS=%s, %d", "listening", 8010), 1);
    assert_received(fd, "READY=1\nSTATUS=listening, 8010");
    close(fd);
    unlink(path);
}

static void a_state_reaches_an_abstract_socket(void **unused)
{
    (void)unused;
    char path[64];
    snprintf(path, sizeof path, "@fftd-notify-%d", getpid());
    const int fd = listen_at(path);
    assert_int_equal(systemd_notify("WATCHDOG=1"), 1);
    assert_received(fd, "WATCHDOG=1");
    close(fd);
}

static void without_systemd_nothing_is_sent(void **unused)
{
    (void)unused;
    unsetenv("NOTIFY_SOCKET");
    assert_int_equal(systemd_notify("READY=1"), 0);
    setenv("NOTIFY_SOCKET", "", 1);
    assert_int_equal(systemd_notify("READY=1"), 0);
}

static void a_socket_that_cannot_be_reached_is_an_error(void **unused)
{
    (void)unused;
    setenv("NOTIFY_SOCKET", "/nonexistent/notify", 1);
    assert_int_equal(systemd_notify("READY=1"), -ENOENT);
    setenv("NOTIFY_SOCKET", "relative", 1);
    assert_int_equal(systemd_notify("READY=1"), -EINVAL);
    char path[200];
    memset(path, 'x', sizeof path);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    setenv("NOTIFY_SOCKET", path, 1);
    assert_int_equal(systemd_notify("READY=1"), -EINVAL);
}

static void a_state_that_is_too_long_is_not_sent(void **unused)
{
    (void)unused;
    setenv("NOTIFY_SOCKET", "@nobody", 1);
    assert_int_equal(systemd_notify("STATUS=%02000d", 0), -EMSGSIZE);
}

static void the_watchdog_applies_to_the_named_process_only(void **unused)
{
    (void)unused;
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    assert_int_equal(systemd_watchdog_us(), 0);
    setenv("WATCHDOG_USEC", "20000000", 1);
    assert_int_equal(systemd_watchdog_us(), 20000000);
    set_pid("WATCHDOG_PID", 0);
    assert_int_equal(systemd_watchdog_us(), 20000000);
    set_pid("WATCHDOG_PID", 1);
    assert_int_equal(systemd_watchdog_us(), 0);
    unsetenv("WATCHDOG_PID");
    setenv("WATCHDOG_USEC", "-1", 1);
    assert_int_equal(systemd_watchdog_us(), 0);
    setenv("WATCHDOG_USEC", "20s", 1);
    assert_int_equal(systemd_watchdog_us(), 0);
}

static void sockets_belong_to_the_named_process_only(void **unused)
{
    (void)unused;
    unsetenv("LISTEN_PID");
    setenv("LISTEN_FDS", "1", 1);
    assert_int_equal(systemd_sockets(), 0);
    set_pid("LISTEN_PID", 1);
    assert_int_equal(systemd_sockets(), 0);
    set_pid("LISTEN_PID", 0);
    assert_int_equal(systemd_sockets(), 1);
    setenv("LISTEN_FDS", "many", 1);
    assert_int_equal(systemd_sockets(), 0);
}

static void a_credential_is_found_in_its_folder_only(void **unused)
{
    (void)unused;
    char directory[64], path[128];
    snprintf(directory, sizeof directory, "/tmp/fftd-credentials-XXXXXX");
    assert_non_null(mkdtemp(directory));
    unsetenv("CREDENTIALS_DIRECTORY");
    assert_false(systemd_credential("token", path, sizeof path));
    setenv("CREDENTIALS_DIRECTORY", directory, 1);
    assert_false(systemd_credential("token", path, sizeof path));
    assert_string_equal(path, "");

    char expected[80];
    snprintf(expected, sizeof expected, "%s/token", directory);
    FILE *file = fopen(expected, "w");
    assert_non_null(file);
    fclose(file);
    assert_true(systemd_credential("token", path, sizeof path));
    assert_string_equal(path, expected);
    assert_false(systemd_credential("token", path, 10));
    unlink(expected);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_reaches_a_socket_in_the_file_system),
        cmocka_unit_test(a_state_reaches_an_abstract_socket),
        cmocka_unit_test(without_systemd_nothing_is_sent),
        cmocka_unit_test(a_socket_that_cannot_be_reached_is_an_error),
        cmocka_unit_test(a_state_that_is_too_long_is_not_sent),
        cmocka_unit_test(the_watchdog_applies_to_the_named_process_only),
        cmocka_unit_test(sockets_belong_to_the_named_process_only),
        cmocka_unit_test(a_credential_is_found_in_its_folder_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
