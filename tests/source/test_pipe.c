/* test_pipe.c - recordings through standard input and FIFOs. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/source/source_support.h"

/* Makes standard input a pipe and returns its writing end. close_pipe restores the old one. */
static int saved_stdin = -1;

static int open_pipe(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    saved_stdin = dup(STDIN_FILENO);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    return ends[1];
}

static void restore_stdin(void)
{
    dup2(saved_stdin, STDIN_FILENO);
    close(saved_stdin);
}

static struct source_config raw_stdin(const char *format)
{
    struct source_config config = replay_of("-");
    config.format = format;
    config.tuning.rate_hz = 1e6;
    return config;
}

static void write_text(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void samples_split_by_the_pipe_are_reassembled(void **state)
{
    (void)state;
    const int end = open_pipe();
    const struct source_config config = raw_stdin("cs16");
    struct source *s = open_source(&config);
    char raw[40];
    assert_int_equal(s->ops->read(s, raw, 10, 1), 0); /* nothing yet */
    write_text(end, "abc");
    assert_int_equal(s->ops->read(s, raw, 10, 100), 0);
    write_text(end, "defghi");
    assert_int_equal(s->ops->read(s, raw, 10, 100), 2);
    assert_memory_equal(raw, "abcdefgh", 8);
    write_text(end, "jkl");
    assert_int_equal(s->ops->read(s, raw, 1, 100), 1);
    assert_memory_equal(raw, "ijkl", 4);
    close(end);
    assert_int_equal(s->ops->read(s, raw, 10, 100), -ENODATA);
    assert_false(s->mark.set);
    source_destroy(s);
    restore_stdin();
}

static void a_pipe_may_end_inside_a_sample(void **state)
{
    (void)state;
    const int end = open_pipe();
    const struct source_config config = raw_stdin("cs16");
    struct source *s = open_source(&config);
    int err = 0;
    write_text(end, "abcdef");
    close(end);
    struct bytes out = read_samples(s, UINT64_MAX, 16, &err);
    assert_int_equal(err, -ENODATA);
    assert_int_equal(out.size, 4);
    drop(&out);
    source_destroy(s);
    restore_stdin();
}

static void an_empty_pipe_is_an_error(void **state)
{
    (void)state;
    const int end = open_pipe();
    const struct source_config config = raw_stdin("cu8");
    struct source *s = open_source(&config);
    int err = 0;
    close(end);
    struct bytes out = read_samples(s, UINT64_MAX, 16, &err);
    assert_int_equal(err, -EIO);
    assert_string_equal(s->why.sentence, "standard input: empty, no samples");
    drop(&out);
    source_destroy(s);
    restore_stdin();
}

static void standard_input_cannot_loop(void **state)
{
    (void)state;
    const int end = open_pipe();
    struct source_config config = raw_stdin("cu8");
    config.loop = true;
    expect_refused(&config, -EINVAL, "standard input: cannot --loop");
    close(end);
    restore_stdin();
}

/* `fftd --replay - < file` after another program read a header: starts at the current position. */
static void a_file_as_standard_input_starts_at_its_position(void **state)
{
    (void)state;
    saved_stdin = dup(STDIN_FILENO);
    const int fd = open(file_of_text("stdin.bin", "HEADabcdef"), O_RDONLY);
    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    close(fd);
    assert_int_equal(lseek(STDIN_FILENO, 4, SEEK_SET), 4);
    struct source_config config = raw_stdin("cu8");
    config.loop = true;
    struct source *s = open_source(&config);
    int err = 0;
    struct bytes out = read_samples(s, 5, 16, &err);
    assert_memory_equal(out.at, "abcdefabcd", 10);
    drop(&out);
    source_destroy(s);
    restore_stdin();
}

static void *write_slowly(void *path)
{
    const int fd = open(*(const char **)path, O_WRONLY);
    for (int i = 0; i < 100; i++) {
        write_text(fd, "0123456789");
        usleep(200);
    }
    close(fd);
    return NULL;
}

static void a_fifo_waits_for_its_writer_and_ends_with_it(void **state)
{
    (void)state;
    const char *path = path_of("fifo_433M_250k.cs8");
    pthread_t writer;
    int err = 0;
    char raw[8];
    assert_int_equal(mkfifo(path, 0600), 0);
    const struct source_config config = replay_of(path);
    struct source *s = open_source(&config); /* does not wait */
    assert_int_equal(s->ops->read(s, raw, 4, 5), 0);
    pthread_create(&writer, NULL, write_slowly, &path);
    struct bytes out = read_samples(s, UINT64_MAX, 64, &err);
    pthread_join(writer, NULL);
    assert_int_equal(err, -ENODATA);
    assert_int_equal(out.size, 1000);
    for (size_t i = 0; i < out.size; i++)
        assert_int_equal(out.at[i], '0' + i % 10);
    drop(&out);
    source_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_split_by_the_pipe_are_reassembled),
        cmocka_unit_test(a_pipe_may_end_inside_a_sample),
        cmocka_unit_test(an_empty_pipe_is_an_error),
        cmocka_unit_test(standard_input_cannot_loop),
        cmocka_unit_test(a_file_as_standard_input_starts_at_its_position),
        cmocka_unit_test(a_fifo_waits_for_its_writer_and_ends_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
