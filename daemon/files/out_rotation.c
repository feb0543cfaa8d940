/* out_rotation.c - numbers full outputs, and deletes the oldest. */
#include "daemon/files/out_rotation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"

enum { DIGITS = 6, NUMBER_MAX = 9999999 };

/* ---- age --------------------------------------------------------------------------------- */

/*
 * How long rows were written before this process, by the file's own times: the clock of now, which
 * may be wrong, has no part in it. A clock that was set in between can end a file early, so the
 * file stays for a tenth of its age, or an hour, after a start: starts alone rename nothing.
 */
uint64_t out_rotation_since(const struct out_file *f)
{
    struct statx st;
    const uint64_t now = clock_now_ns();
    const double most_s = f->config.limits.max_age_s;
    const double rest_s = most_s / 10 < 3600 ? most_s / 10 : 3600;
    if (statx(f->fd, "", AT_EMPTY_PATH, STATX_BTIME | STATX_MTIME, &st) < 0 ||
        !(st.stx_mask & STATX_BTIME) || st.stx_size == 0)
        return now;
    double age_s = (double)st.stx_mtime.tv_sec - (double)st.stx_btime.tv_sec;
    if (age_s > most_s - rest_s)
        age_s = most_s - rest_s;
    return age_s > 0 ? now - (uint64_t)(age_s * 1e9) : now; /* may pass 0: differences hold */
}

bool out_rotation_is_due(const struct out_file *f, uint64_t bytes)
{
    const struct out_limits *l = &f->config.limits;
    const uint64_t size = out_file_size(f), head = f->config.form && f->config.form->head
                                                       ? strlen(f->config.form->head) + 1
                                                       : 0;
    if (size <= head || clock_now_ns() < f->renaming_ns)
        return false;
    if (l->max_bytes > 0 && size + bytes > l->max_bytes)
        return true;
    const double age_s = (double)(clock_now_ns() - f->since_ns) / 1e9;
    return l->realtime && l->max_age_s > 0 && age_s >= l->max_age_s;
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* Of "lines.csv.000012" beside "lines.csv": 12. 0: it is another name. */
static uint32_t number_of(const char *name, const char *base)
{
    const size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || name[length] != '.')
        return 0;
    const char *digits = name + length + 1;
    const size_t count = strspn(digits, "0123456789");
    if (digits[count] || count < DIGITS || count > DIGITS + 1 ||
        (count > DIGITS && digits[0] == '0'))
        return 0;
    return (uint32_t)strtoul(digits, NULL, 10);
}

struct numbers {
    uint32_t *number;
    size_t count, room;
    bool failed;
};

static void add_number(struct numbers *n, uint32_t number)
{
    if (n->count == n->room) {
        n->room = n->room ? 2 * n->room : 64;
        uint32_t *more = realloc(n->number, n->room * sizeof *more);
        n->failed = n->failed || !more;
        if (!more)
            return;
        n->number = more;
    }
    n->number[n->count++] = number;
}

/* All that are there, in no order. */
static int find_numbers(const char *path, struct numbers *n)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = ".";
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    DIR *dir = opendir(folder);
    if (!dir)
        return -errno;
    for (const struct dirent *d; (d = readdir(dir)) && !n->failed;) {
        const uint32_t number = number_of(d->d_name, slash ? slash + 1 : path);
        if (number > 0)
            add_number(n, number);
    }
    closedir(dir);
    return n->failed ? -ENOMEM : 0;
}

static bool make_name(char name[PATH_MAX], const char *path, uint32_t number)
{
    return snprintf(name, PATH_MAX, "%s.%0*u", path, DIGITS, number) < PATH_MAX;
}

/* Some network file systems cannot refuse to replace. */
static int rename_to_new(const char *from, const char *to)
{
    struct stat st;
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -errno;
    if (lstat(to, &st) == 0)
        return -EEXIST;
    return rename(from, to) < 0 ? -errno : 0;
}

int out_rotation_rename(const char *path)
{
    struct numbers n = {0};
    char name[PATH_MAX];
    uint32_t last = 0;
    int err = find_numbers(path, &n);
    for (size_t i = 0; i < n.count; i++)
        last = n.number[i] > last ? n.number[i] : last;
    free(n.number);
    if (err == 0 && (last == NUMBER_MAX || !make_name(name, path, last + 1)))
        err = -ENAMETOOLONG;
    if (err == 0)
        err = rename_to_new(path, name);
    if (err == 0)
        log_info("%s: at its limit: renamed to %s", path, name);
    return err;
}

/* ---- limit ------------------------------------------------------------------------------- */

/* A file of somebody else may have such a name. */
static bool is_output(const char *path, const struct out_form *form)
{
    struct stat st;
    uint64_t whole;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    const bool is = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
                    out_form_examine(form, fd, &whole) == 0;
    if (fd >= 0)
        close(fd);
    return is;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void out_rotation_prune(const char *path, const struct out_file_config *config)
{
    struct numbers n = {0};
    char name[PATH_MAX];
    const uint32_t keep = config->limits.keep;
    if (keep == 0 || !config->limits.realtime || !config->form)
        return;
    const int err = find_numbers(path, &n);
    if (err < 0)
        log_warn("%s: its older files are not counted: %s", path, strerror(-err));
    if (n.count > 0)
        qsort(n.number, n.count, sizeof *n.number, compare);
    for (size_t i = 0; err == 0 && n.count - i > keep; i++) {
        if (!make_name(name, path, n.number[i]) || !is_output(name, config->form))
            continue;
        if (unlink(name) < 0)
            log_warn("%s: it is not deleted: %s", name, strerror(errno));
        else
            log_info("%s: deleted: output-keep is %u", name, keep);
    }
    free(n.number);
}
