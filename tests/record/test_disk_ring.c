/* test_disk_ring.c - the disk ring has the newest samples, in order, also after a kill. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/record/disk/disk_ring.h"

enum {
    CHUNK = 50000,
    IN_BLOCK = (DISK_BLOCK - DISK_HEADER) / 8,
    BLOCKS = DISK_RING_MIN / DISK_BLOCK
};
#define TIME_NS INT64_C(1795169700000000000)

static char folder[32];

static void make_folder(void)
{
    strcpy(folder, "/tmp/fftd-disk-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static char *path(void)
{
    static char text[64];
    snprintf(text, sizeof text, "%s/%s", folder, DISK_RING_FILE);
    return text;
}

static void remove_folder(void)
{
    unlink(path());
    rmdir(folder);
}

static struct disk_ring *open_ring(void)
{
    struct disk_ring *d = NULL;
    struct reason why = {0};
    if (disk_ring_open(&d, folder, DISK_RING_MIN, &why) < 0)
        fail_msg("%s", why.sentence);
    return d;
}

/* Sample k of epoch 0 is the 64-bit value k, at 1 MS/s. */
static void begin(struct disk_ring *d, uint64_t position)
{
    struct disk_piece p = {.fresh = true, .anew = true, .position = position};
    p.stream.format = FFT_IQ_CF32;
    p.stream.tuning.rate_hz = 1e6;
    p.stream.start_ns = TIME_NS;
    p.mark.position = p.mark.sample_number = position;
    disk_ring_begin(d, &p);
}

static void write_counter(struct disk_ring *d, uint64_t from, uint64_t to)
{
    static uint64_t chunk[CHUNK];
    for (uint64_t at = from, now; at < to; at += now) {
        now = to - at < CHUNK ? to - at : CHUNK;
        for (uint64_t i = 0; i < now; i++)
            chunk[i] = at + i;
        assert_int_equal(disk_ring_write(d, chunk, now), 0);
    }
}

/* All samples of the epoch from the position on are right. Returns the position after them. */
static uint64_t read_all(struct disk_ring *d, uint64_t run, uint64_t *position)
{
    struct disk_piece p;
    uint64_t *sample = malloc(DISK_BLOCK);
    uint64_t end = 0;
    for (bool first = true; disk_ring_find(d, run, 0, end, &p); first = false) {
        if (first)
            *position = p.position;
        else
            assert_int_equal(p.position, end);
        assert_int_equal(disk_ring_read(d, &p, p.position, p.samples, sample), 0);
        for (uint64_t i = 0; i < p.samples; i++)
            if (sample[i] != p.position + i)
                fail_msg("sample %llu is wrong", (unsigned long long)(p.position + i));
        end = p.position + p.samples;
    }
    free(sample);
    return end;
}

static void newest_samples_are_there_in_order(void **state)
{
    (void)state;
    const uint64_t end = UINT64_C(20) * IN_BLOCK + 1234;
    uint64_t first;
    struct disk_ring_state s;
    make_folder();
    struct disk_ring *d = open_ring();
    begin(d, 0);
    write_counter(d, 0, end);
    assert_int_equal(read_all(d, disk_ring_run(d), &first), end);
    assert_int_equal(first, (uint64_t)(21 - BLOCKS) * IN_BLOCK);
    disk_ring_state(d, &s);
    assert_int_equal(s.bytes, DISK_RING_MIN);
    assert_int_equal(s.used_bytes, (end - first) * 8);
    assert_float_equal((float)s.seconds, (float)((double)(end - first) / 1e6), 1e-6);
    assert_int_equal(s.oldest_ns, TIME_NS + (int64_t)first * 1000);
    disk_ring_close(d);
    remove_folder();
}

static void a_piece_is_found_by_its_time(void **state)
{
    (void)state;
    struct disk_piece p;
    make_folder();
    struct disk_ring *d = open_ring();
    begin(d, 0);
    write_counter(d, 0, 100);
    begin(d, 5000); /* samples are missing in between */
    write_counter(d, 5000, 6000);
    assert_false(disk_ring_find_time(d, TIME_NS - 1, &p));
    assert_true(disk_ring_find_time(d, TIME_NS + 4999999, &p));
    assert_int_equal(p.position, 0);
    assert_true(disk_ring_find_time(d, TIME_NS + 5000000, &p));
    assert_int_equal(p.position, 5000);
    assert_true(disk_ring_find(d, disk_ring_run(d), 0, 100, &p)); /* the next one */
    assert_int_equal(p.position, 5000);
    assert_int_equal(p.samples, 1000);
    assert_false(disk_ring_find(d, disk_ring_run(d), 0, 6000, &p));
    assert_false(disk_ring_find(d, disk_ring_run(d), 1, 0, &p));
    assert_false(disk_ring_find(d, disk_ring_run(d) + 1, 0, 0, &p));
    disk_ring_close(d);
    remove_folder();
}

/* The child says how far it got, and is killed while it writes. */
static void after_a_kill_everything_written_is_there(void **state)
{
    (void)state;
    make_folder();
    for (int round = 0; round < 5; round++) {
        int fd[2];
        uint64_t reported[2] = {0}, run = 0, end = 0, first = 0;
        assert_int_equal(pipe(fd), 0);
        const pid_t child = fork();
        if (child == 0) {
            struct disk_ring *d = open_ring();
            begin(d, 0);
            for (uint64_t at = 0;; at += 70001) {
                write_counter(d, at, at + 70001);
                const uint64_t now[2] = {disk_ring_run(d), at + 70001};
                if (write(fd[1], now, sizeof now) < 0)
                    _exit(1);
            }
        }
        close(fd[1]);
        for (int i = 0; i < 40 * (round + 1) && read(fd[0], reported, sizeof reported) > 0; i++)
            continue;
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        while (read(fd[0], reported, sizeof reported) > 0)
            continue;
        close(fd[0]);
        run = reported[0];
        struct disk_ring *d = open_ring();
        end = read_all(d, run, &first);
        assert_in_range(end, reported[1], reported[1] + 70001);
        begin(d, 0); /* new samples do not take the place of the newest old ones */
        write_counter(d, 0, 100);
        assert_int_equal(read_all(d, run, &first), end);
        disk_ring_close(d);
    }
    remove_folder();
}

static void a_torn_header_costs_its_block_alone(void **state)
{
    (void)state;
    struct disk_piece p;
    make_folder();
    struct disk_ring *d = open_ring();
    const uint64_t run = disk_ring_run(d);
    begin(d, 0);
    write_counter(d, 0, 3 * IN_BLOCK);
    disk_ring_close(d);
    const int fd = open(path(), O_RDWR);
    assert_int_equal(pwrite(fd, "x", 1, DISK_BLOCK + 100), 1);
    close(fd);
    d = open_ring();
    assert_true(disk_ring_find(d, run, 0, IN_BLOCK - 1, &p));
    assert_int_equal(p.position, 0);
    assert_true(disk_ring_find(d, run, 0, IN_BLOCK, &p));
    assert_int_equal(p.position, 2 * IN_BLOCK);
    disk_ring_close(d);
    remove_folder();
}

static void overwritten_samples_are_refused(void **state)
{
    (void)state;
    struct disk_piece p;
    uint64_t sample[10];
    make_folder();
    struct disk_ring *d = open_ring();
    begin(d, 0);
    write_counter(d, 0, IN_BLOCK);
    assert_true(disk_ring_find(d, disk_ring_run(d), 0, 0, &p));
    assert_int_equal(disk_ring_read(d, &p, 5, 10, sample), 0);
    assert_int_equal(sample[0], 5);
    write_counter(d, IN_BLOCK, (uint64_t)(BLOCKS + 1) * IN_BLOCK);
    assert_int_equal(disk_ring_read(d, &p, 5, 10, sample), -ESTALE);
    disk_ring_close(d);
    remove_folder();
}

/* Sanitizers take more address space than any limit. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

static void a_ring_larger_than_memory_and_disk_names_the_disk(void **state)
{
    (void)state;
    struct disk_ring *d = NULL;
    struct reason why = {0};
    struct rlimit before, small;
    make_folder();
    getrlimit(RLIMIT_AS, &before);
    small = before;
    small.rlim_cur = (rlim_t)1 << 32; /* a list of its blocks needs 16 GiB */
    if (!IS_SANITIZED)
        setrlimit(RLIMIT_AS, &small);
    const int err = disk_ring_open(&d, folder, UINT64_C(1) << 50, &why);
    setrlimit(RLIMIT_AS, &before);
    assert_int_equal(err, -ENOSPC);
    assert_non_null(strstr(why.sentence, "it needs 1125899906842624 bytes, and "));
    remove_folder();
}

static void a_file_that_cannot_be_had_is_refused(void **state)
{
    (void)state;
    struct disk_ring *d = NULL, *other = NULL;
    struct reason why = {0};
    make_folder();
    d = open_ring();
    assert_int_equal(disk_ring_open(&other, folder, DISK_RING_MIN, &why), -EBUSY);
    assert_non_null(strstr(why.sentence, "another fftd has it"));
    disk_ring_close(d);
    assert_int_equal(disk_ring_open(&d, "/nonexistent", DISK_RING_MIN, &why), -ENOENT);
    remove_folder();
}

static void a_link_or_a_second_name_is_not_overwritten(void **state)
{
    (void)state;
    struct reason why = {0};
    char target[64], text[16] = "";
    struct disk_ring *d = NULL;
    make_folder();
    snprintf(target, sizeof target, "%s/target", folder);
    FILE *f = fopen(target, "w");
    assert_non_null(f);
    fputs("precious", f);
    fclose(f);
    for (int i = 0; i < 4; i++) {
        const int made = i == 0   ? symlink(target, path())
                         : i == 1 ? link(target, path())
                         : i == 2 ? mkfifo(path(), 0600)
                                  : mkdir(path(), 0700);
        assert_int_equal(made, 0);
        const int expected = i == 0 ? -ELOOP : i == 1 ? -EMLINK : i == 2 ? -ENODEV : -EISDIR;
        assert_int_equal(disk_ring_open(&d, folder, DISK_RING_MIN, &why), expected);
        assert_non_null(strstr(why.sentence, path()));
        f = fopen(target, "r");
        assert_non_null(fgets(text, sizeof text, f));
        fclose(f);
        assert_string_equal(text, "precious");
        assert_int_equal(i == 3 ? rmdir(path()) : unlink(path()), 0);
    }
    unlink(target);
    remove_folder();
}

/* Headers whose hash is right, and whose fields lead out of arrays or make numbers overflow. */
static void a_header_that_somebody_else_made_is_no_header(void **state)
{
    (void)state;
    static const struct {
        size_t offset, size;
        uint64_t value;
    } fields[] = {
#define PIECE(field, number)                                                                       \
    {offsetof(struct disk_header, piece.field), sizeof((struct disk_piece *)0)->field, number}
        PIECE(stream.format, 7),
        PIECE(samples, IN_BLOCK + 1),
        PIECE(position, UINT64_MAX - 5),
        PIECE(mark.time_ns, INT64_MAX),
        PIECE(mark.time_number, UINT64_MAX),
        PIECE(stream.start_ns, INT64_MAX),
        PIECE(stream.tuning.rate_hz, 0),
        PIECE(stream.tuning.rate_hz, UINT64_MAX), /* NaN */
        PIECE(stream.cycle, 4096),
        PIECE(fresh, 2), /* no bool */
        PIECE(anew, 93),
        PIECE(mark.has_time, 255),
        PIECE(mark.continues, 2),
        PIECE(mark.anchor.set, 2),
        PIECE(mark.anchor.jump, 9),
        PIECE(stream.simulated, 2),
        PIECE(stream.anchor.has_time, 7),
        PIECE(stream.geolocation.known, 4),
    };
    struct disk_header h;
    struct disk_piece p;
    make_folder();
    struct disk_ring *d = open_ring();
    const uint64_t run = disk_ring_run(d);
    begin(d, 0);
    write_counter(d, 0, IN_BLOCK);
    disk_ring_close(d);
    const int fd = open(path(), O_RDWR);
    assert_int_equal(pread(fd, &h, sizeof h, 0), sizeof h);
    const struct disk_header good = h;
    for (size_t i = 0; i <= sizeof fields / sizeof fields[0] + 1; i++) {
        h = good;
        if (i < sizeof fields / sizeof fields[0])
            memcpy((char *)&h + fields[i].offset, &fields[i].value, fields[i].size);
        else if (i == sizeof fields / sizeof fields[0])
            memset(h.piece.stream.about, 'a', sizeof h.piece.stream.about);
        h.hash = disk_header_hash(&h);
        assert_int_equal(pwrite(fd, &h, sizeof h, 0), sizeof h);
        d = open_ring();
        const bool sound = i > sizeof fields / sizeof fields[0];
        assert_int_equal(disk_ring_find(d, run, 0, 0, &p), sound);
        disk_ring_close(d);
    }
    close(fd);
    remove_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newest_samples_are_there_in_order),
        cmocka_unit_test(a_piece_is_found_by_its_time),
        cmocka_unit_test(after_a_kill_everything_written_is_there),
        cmocka_unit_test(a_torn_header_costs_its_block_alone),
        cmocka_unit_test(overwritten_samples_are_refused),
        cmocka_unit_test(a_ring_larger_than_memory_and_disk_names_the_disk),
        cmocka_unit_test(a_link_or_a_second_name_is_not_overwritten),
        cmocka_unit_test(a_header_that_somebody_else_made_is_no_header),
        cmocka_unit_test(a_file_that_cannot_be_had_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
