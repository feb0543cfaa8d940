/* faults.c - the table of page faults: a transform in half of the memory that it needs, for several
 * bases. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "studies/four_easy_ways/derivation/base.h"
#include "studies/four_easy_ways/document.h"
#include "studies/four_easy_ways/four_easy_ways.h"
#include "studies/four_easy_ways/memory_limit.h"

enum { TRIES = 10, IN_MEMORY = 0x01021994 /* tmpfs */ };

/* Sent from the child to its parent; why: the reason that nothing was measured, or "". */
struct result {
    double faults, seconds, user_s;
    char why[60];
};

__attribute__((format(printf, 2, 3))) static int not_measured(struct result *r, const char *why,
                                                              ...)
{
    va_list words;
    va_start(words, why);
    vsnprintf(r->why, sizeof r->why, why, words);
    va_end(words);
    return -ENODEV;
}

/* Maps points from a file, which the kernel can write back and drop. It cannot drop a file on a
 * tmpfs, so that is refused. */
static struct complex64 *map_points(size_t bytes)
{
    const char *folder = getenv("TMPDIR");
    struct statfs fs;
    char path[300];
    snprintf(path, sizeof path, "%s/fft-study.XXXXXX", folder ? folder : "/var/tmp");
    const int fd = mkstemp(path);
    if (fd < 0)
        return NULL;
    unlink(path);
    void *points = MAP_FAILED;
    if (fstatfs(fd, &fs) == 0 && fs.f_type != IN_MEMORY && ftruncate(fd, (off_t)bytes) == 0)
        points = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (points == MAP_FAILED)
        return NULL;
    madvise(points, bytes, MADV_RANDOM); /* a fault reads one page, as on the document's machine */
    return points;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Runs in a process of its own under the limit. An impulse becomes a flat spectrum. */
static int transform_limited(const struct memory_limit *m, uint32_t n, uint32_t base,
                             struct result *r)
{
    struct rusage before, after;
    const int err = memory_limit_enter(m);
    if (err < 0)
        return not_measured(r, "no control group: %s", strerror(-err));
    struct complex64 *points = map_points(n * sizeof *points);
    if (!points)
        return not_measured(r, "no disk under $TMPDIR or /var/tmp");
    points[0].re = 1;
    getrusage(RUSAGE_SELF, &before);
    const double start = contest_clock(true);
    base_passes(points, n, base);
    r->seconds = contest_clock(true) - start;
    getrusage(RUSAGE_SELF, &after);
    r->faults = (double)(after.ru_majflt - before.ru_majflt);
    r->user_s = seconds_of(after.ru_utime) - seconds_of(before.ru_utime);
    return fabs(points[0].re - 1) + fabs(points[n - 1].re - 1) < 1e-9
               ? 0
               : not_measured(r, "the transform is wrong");
}

/* -EIO: the child sent no result. */
static int run_child(const struct memory_limit *m, uint32_t n, uint32_t base, struct result *r)
{
    int ends[2], status;
    if (pipe(ends) != 0)
        return -errno;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        transform_limited(m, n, base, r);
        _exit(write(ends[1], r, sizeof *r) == sizeof *r ? 0 : 1);
    }
    close(ends[1]);
    const bool reported = child > 0 && read(ends[0], r, sizeof *r) == sizeof *r;
    close(ends[0]);
    if (child > 0)
        waitpid(child, &status, 0);
    return reported ? 0 : -EIO;
}

/* The points of the run here for each row of table III: a power of the base. */
static const struct run {
    uint32_t points;
    bool quick;
} runs[DOCUMENT_BASES] = {
    {1 << 18, false}, {1 << 18, true}, {1 << 18, false}, {1 << 20, false}, {1 << 18, true},
};

/* On a slow disk the kernel may fail to write pages back in time and kill the process, so the run
 * is repeated. */
static void limited(uint32_t n, uint32_t base, struct result *r)
{
    struct memory_limit m;
    *r = (struct result){0};
    int err = memory_limit_init(&m, n * sizeof(struct complex64) / 2);
    if (err < 0) {
        not_measured(r, "no control group: %s", strerror(-err));
        return;
    }
    for (int i = 0; i == 0 || (i < TRIES && err < 0); i++)
        err = run_child(&m, n, base, r);
    memory_limit_finish(&m);
    if (err < 0)
        not_measured(r, "killed %d times: the disk is slow", TRIES);
}

/* The document's points have 32768 pages. */
static void row(struct study *s, uint32_t points, const struct document_base *d,
                const struct result *r)
{
    const double pages = (double)points * sizeof(struct complex64) / (double)sysconf(_SC_PAGESIZE);
    const double passes = round(log(points) / log(d->base)), theirs = 24 / log2(d->base);
    const double faults = r->why[0] ? NAN : r->faults;
    char text[12];
    snprintf(text, sizeof text, "%u", d->base);
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(text), CELL_NUMBER(points, 10), CELL_NUMBER(passes, 3),
                              CELL_NUMBER(faults, 7), CELL_NUMBER(faults / pages / passes, 3),
                              CELL_NUMBER(r->user_s / r->seconds, 2), CELL_NUMBER(d->faults, 7),
                              CELL_NUMBER(d->faults / 32768 / theirs, 3),
                              CELL_NUMBER(d->user_share, 2),
                              r->why[0] ? CELL_TEXT(r->why) : CELL_NONE});
}

int study_faults(struct study *s)
{
    static const char *const columns[] = {"base",
                                          "n",
                                          "passes",
                                          "faults",
                                          "a page and pass",
                                          "user share",
                                          "document, faults",
                                          "document, a page and pass",
                                          "document, user share",
                                          "not measured",
                                          NULL};

    table_open(&s->tables, "faults",
               "Table III: 2^24 points on the SUN 20 with 64 MB: \"each iteration will have "
               "about the same number of page faults\".\n"
               "Here the general radix transforms points in a file, in a control group with "
               "half of the memory that they need.",
               columns);
    for (size_t i = 0; i < DOCUMENT_BASES; i++) {
        struct result r;
        if (s->options.quick && !runs[i].quick)
            continue;
        limited(runs[i].points, document_bases[i].base, &r);
        row(s, runs[i].points, &document_bases[i], &r);
    }
    return 0;
}
