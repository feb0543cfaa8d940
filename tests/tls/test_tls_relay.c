/* test_tls_relay.c - clients that would keep the loop for themselves, and links that nobody ends.
 */
#include "tests/support/cmocka_all.h"

#include <fcntl.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/tls/tls_make.h"
#include "daemon/tls/tls_relay.h"

struct fixture {
    char folder[64];
    uv_loop_t loop;
    struct tls_relay *relay;
    SSL_CTX *context;
    SSL *client;
    int net, remote,
        server;     /* the client's socket, its other end, and the server's end of the pair */
    unsigned turns; /* of the loop */
};

static void on_ready(void *user, int fd, const struct address *from)
{
    struct fixture *f = user;
    (void)from;
    f->server = fd;
}

static void on_turn(uv_check_t *check)
{
    struct fixture *f = check->data;
    f->turns++;
}

static void begin(struct fixture *f)
{
    struct reason why = {0};
    struct tls_made made;
    struct tls_context *context;
    int pair[2];
    const struct address from = {0};
    const int bytes = 4 << 20;
    *f = (struct fixture){.server = -1};
    snprintf(f->folder, sizeof f->folder, "/tmp/fftd-tls-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    assert_int_equal(tls_make(f->folder, &made, &why), 0);
    assert_int_equal(tls_context_load(&context, made.certificate, made.key, &why), 0);
    unlink(made.certificate);
    unlink(made.key);
    rmdir(f->folder);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    const struct tls_relay_config config = {
        .loop = &f->loop, .handshake_s = 60, .most = 10, .ready = on_ready, .user = f};
    assert_int_equal(tls_relay_create(&f->relay, &config, context), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    f->net = pair[0];
    f->remote = pair[1];
    setsockopt(f->net, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof bytes);
    setsockopt(f->net, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    tls_relay_add(f->relay, f->remote, &from);
    f->context = SSL_CTX_new(TLS_client_method());
    f->client = SSL_new(f->context);
    SSL_set_fd(f->client, f->net);
    SSL_set_connect_state(f->client);
    for (int i = 0; i < 1000 && (SSL_do_handshake(f->client) != 1 || f->server < 0); i++)
        uv_run(&f->loop, UV_RUN_NOWAIT);
    assert_true(f->server >= 0);
}

static void on_closed(uv_handle_t *handle)
{
    (void)handle;
}

static void finish(struct fixture *f)
{
    tls_relay_stop(f->relay);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    tls_relay_destroy(f->relay);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    SSL_free(f->client);
    SSL_CTX_free(f->context);
    close(f->net);
    if (f->server >= 0)
        close(f->server);
}

static int unread(int fd)
{
    int bytes = 0;
    assert_int_equal(ioctl(fd, FIONREAD, &bytes), 0);
    return bytes;
}

static void bytes_go_both_ways_and_ends_are_passed_on(void **state)
{
    (void)state;
    struct fixture f;
    char got[32] = "";
    begin(&f);
    assert_int_equal(SSL_write(f.client, "to the server", 13), 13);
    for (int i = 0; i < 100 && unread(f.server) == 0; i++)
        uv_run(&f.loop, UV_RUN_NOWAIT);
    assert_int_equal(read(f.server, got, sizeof got), 13);
    assert_memory_equal(got, "to the server", 13);
    assert_int_equal(write(f.server, "to the client", 13), 13);
    int size = 0;
    for (int i = 0; i < 100 && size <= 0; i++) {
        uv_run(&f.loop, UV_RUN_NOWAIT);
        size = SSL_read(f.client, got, sizeof got);
    }
    assert_int_equal(size, 13);
    assert_memory_equal(got, "to the client", 13);
    SSL_shutdown(f.client);
    for (int i = 0; i < 100; i++)
        uv_run(&f.loop, UV_RUN_NOWAIT);
    assert_int_equal(read(f.server, got, sizeof got), 0); /* the end */
    finish(&f);
}

/* The loop's other handles have their turns meanwhile. */
static void expect_turns(struct fixture *f, const char *what)
{
    uv_check_t check;
    uv_check_init(&f->loop, &check);
    check.data = f;
    uv_check_start(&check, on_turn);
    const int before = unread(f->remote);
    assert_true(before > 10000);
    for (int i = 0; i < 3 && unread(f->remote) > 0; i++)
        uv_run(&f->loop, UV_RUN_NOWAIT);
    if (f->turns < 3 || unread(f->remote) == 0)
        fail_msg("%s: %u turns, %d of %d bytes are left", what, f->turns, unread(f->remote),
                 before);
    uv_close((uv_handle_t *)&check, on_closed);
    finish(f);
}

static void records_that_nobody_reads_do_not_keep_the_loop(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    shutdown(f.server, SHUT_RDWR); /* the server has ended */
    close(f.server);
    f.server = -1;
    for (int i = 0; i < 3; i++)
        uv_run(&f.loop, UV_RUN_NOWAIT);
    for (int i = 0; i < 1000; i++)
        if (SSL_write(f.client, "x", 1) != 1)
            break;
    expect_turns(&f, "records of a byte");
}

static void new_keys_without_end_do_not_keep_the_loop(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    for (int i = 0; i < 1000; i++)
        if (SSL_key_update(f.client, SSL_KEY_UPDATE_NOT_REQUESTED) != 1 ||
            SSL_do_handshake(f.client) != 1)
            break;
    expect_turns(&f, "new keys");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_go_both_ways_and_ends_are_passed_on),
        cmocka_unit_test(records_that_nobody_reads_do_not_keep_the_loop),
        cmocka_unit_test(new_keys_without_end_do_not_keep_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
