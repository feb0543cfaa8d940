/* out_file.c - opens outputs without blocking, keeps old contents, renames and deletes full files.
 */
#include "daemon/files/out_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/own_file.h"

enum { DIGITS = 6, NUMBER_MAX = 9999999 };

/* ---- age --------------------------------------------------------------------------------- */

/*
 * How long rows were written before this process, by the file's own times: the clock of now, which
 * may be wrong, has no part in it. A clock that was set in between can end a file early, so the
 * file stays for a tenth of its age, or an hour, after a start: starts alone rename nothing.
 */
/* When the file began, on the monotonic clock: a file that was there has an age already. */
static uint64_t began_ns(const struct out_file *f)
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

/* True if the file has rows, and must be renamed before a row of `bytes` bytes. */
static bool is_full(const struct out_file *f, uint64_t bytes)
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
    size_t count, capacity;
    bool failed;
};

static void add_number(struct numbers *n, uint32_t number)
{
    if (n->count == n->capacity) {
        n->capacity = n->capacity ? 2 * n->capacity : 64;
        uint32_t *more = realloc(n->number, n->capacity * sizeof *more);
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

/* Gives the file its next number. The path, which is not a link, names it. 0 or -errno. */
static int rename_full(const char *path)
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

/* Deletes the oldest files of the form beyond the limit. Logs each. */
static void prune(const char *path, const struct out_file_config *config)
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

enum { RENAME_AGAIN_MS = 60000 };

/* ---- opening ----------------------------------------------------------------------------- */

static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool out_file_is_inherited(const char *path)
{
    static const char *const names[] = {"/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(path, names[i], strlen(names[i])) == 0)
            return true;
    return is_standard_output(path);
}

/* A standard output that was closed is a file for reading alone: see standard_files.h. */
static int open_standard_output(void)
{
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) != O_RDONLY)
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    errno = EBADF;
    return -1;
}

/* A regular file is read too. A FIFO that is open for reading would never lose its reader. */
static int open_named(const char *path)
{
    struct stat st;
    const int flags = O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK;
    const bool exists = stat(path, &st) == 0, regular = !exists || S_ISREG(st.st_mode);
    int fd = open(path, flags | (regular ? O_RDWR : O_WRONLY), 0666);
    if (fd < 0 && errno == EACCES && regular)
        fd = open(path, flags | O_WRONLY, 0666);
    if (fd >= 0)
        return fd;
    /* A socket or a device may fail with ENXIO too, for another reason. */
    return errno == ENXIO && !(exists && S_ISFIFO(st.st_mode)) ? -ENODEV : -errno;
}

static int refuse(const struct out_file_config *c, int err, struct reason *why)
{
    if (err == -EBADF || err == -EACCES)
        return reason_set(why, -EACCES,
                          "%s: it cannot be read, so it may be somebody else's: give another "
                          "name, or --overwrite to replace it",
                          c->path);
    if (err != -EEXIST)
        return reason_set(why, err, "%s: %s", c->path, strerror(-err));
    return reason_set(why, err,
                      "%s: it exists and is not %s: give another name, or --overwrite to replace "
                      "it",
                      c->path, c->form ? c->form->what : "empty");
}

/* *first_part (may be NULL): its first row is not whole, and nothing else is in it. */
static int examine(const struct out_file_config *c, int fd, uint64_t *whole, bool *first_part,
                   struct reason *why)
{
    static const struct out_form none = {.pattern = {NULL}};
    const struct out_form *form = c->form ? c->form : &none;
    const int err = out_form_examine(form, fd, whole);
    const bool part = err == -EEXIST && first_part && out_form_is_first_part(form, fd);
    if (first_part)
        *first_part = part;
    return err < 0 && !part ? refuse(c, err, why) : 0;
}

/* Some file systems know no locks. */
static int lock(const struct out_file *f, struct reason *why)
{
    if (flock(f->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return 0;
    return reason_set(why, -EBUSY, "%s: another process writes it as its output: give another name",
                      f->config.path);
}

static void describe(struct out_file *f)
{
    struct stat st;
    const char *path = f->config.path;
    const bool known = fstat(f->fd, &st) == 0;
    f->regular = known && S_ISREG(st.st_mode);
    f->fifo = known && S_ISFIFO(st.st_mode) && !is_standard_output(path);
    f->own = f->regular && !out_file_is_inherited(path);
    f->appends = (fcntl(f->fd, F_GETFL) & O_APPEND) != 0;
}

int out_file_open(struct out_file *f, const struct out_file_config *config, struct reason *why)
{
    uint64_t whole;
    *f = (struct out_file){.config = *config, .fd = -1};
    const char *path = f->config.path;
    int err = is_standard_output(path) ? open_standard_output() : open_named(path);
    if (is_standard_output(path) && err < 0)
        err = -errno;
    if (err == -ENXIO) {
        f->fifo = true;
        return 0;
    }
    if (err < 0)
        return reason_set(why, err, "%s: %s", path, strerror(-err));
    f->fd = err;
    describe(f);
    err = f->own ? lock(f, why) : 0;
    if (err == 0 && f->own && !f->config.overwrite)
        err = examine(&f->config, f->fd, &whole, &f->first_part, why);
    if (err < 0)
        out_file_close(f);
    return err;
}

void out_file_close(struct out_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

uint64_t out_file_size(const struct out_file *f)
{
    struct stat st;
    return fstat(f->fd, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static bool has_name(const struct out_file *f, const char *path)
{
    struct stat own, named;
    return stat(path, &named) == 0 && fstat(f->fd, &own) == 0 && own.st_dev == named.st_dev &&
           own.st_ino == named.st_ino;
}

/* ---- old contents ------------------------------------------------------------------------ */

static int cut(struct out_file *f, uint64_t bytes, struct reason *why)
{
    if (ftruncate(f->fd, (off_t)bytes) == 0)
        return 0;
    const int err = -errno;
    return reason_set(why, err, "%s: %s", f->config.path, strerror(-err));
}

/* Cuts the beginning of a row that a kill, a full disk or a loss of power left at the end. */
static int cut_unfinished(struct out_file *f, struct reason *why)
{
    uint64_t whole = 0;
    const uint64_t size = out_file_size(f);
    int err = size > 0 ? examine(&f->config, f->fd, &whole, NULL, why) : 0;
    if (err < 0 || whole == size)
        return err;
    err = cut(f, whole, why);
    if (err == 0)
        log_warn("%s: its last row was not whole: %llu bytes of it are cut off", f->config.path,
                 (unsigned long long)(size - whole));
    return err;
}

/*
 * A kill within the very first row left bytes that may be somebody else's all the same: they are
 * kept under another name.
 */
static int move_first_part(struct out_file *f, struct reason *why)
{
    const struct out_file_config config = f->config;
    char *path = realpath(config.path, NULL);
    int err = path ? 0 : -errno;
    if (err == 0 && has_name(f, path))
        err = own_file_move_aside(path, "its first row is not whole, and it has no other", NULL);
    free(path);
    if (err < 0)
        return reason_set(why, err,
                          "%s: its first row is not whole, and it cannot be renamed: %s: rename "
                          "it, or --overwrite to replace it",
                          config.path, strerror(-err));
    out_file_close(f);
    return out_file_open(f, &config, why);
}

int out_file_begin(struct out_file *f, struct reason *why)
{
    int err = 0;
    const bool overwrite = f->config.overwrite;
    f->config.overwrite = false;
    if (f->fd >= 0 && f->own && !overwrite && f->first_part)
        err = move_first_part(f, why);
    if (err < 0 || f->fd < 0 || !f->own)
        return err;
    err = overwrite ? cut(f, 0, why) : cut_unfinished(f, why);
    f->end = out_file_size(f);
    f->since_ns = began_ns(f);
    return err;
}

/* ---- names ------------------------------------------------------------------------------- */

int out_file_reopen(struct out_file *f, struct reason *why)
{
    const struct out_file_config config = f->config;
    if (out_file_is_inherited(config.path) || (f->fd >= 0 && has_name(f, config.path)))
        return 0;
    out_file_close(f);
    int err = out_file_open(f, &config, why);
    if (err == 0)
        err = out_file_begin(f, why);
    if (err < 0)
        out_file_close(f);
    return err;
}

/* A full file that cannot be renamed gets rows all the same. */
static int rotate(struct out_file *f, struct reason *why)
{
    char *path = realpath(f->config.path, NULL);
    if (!path || !has_name(f, path)) { /* somebody moved it */
        free(path);
        return out_file_reopen(f, why);
    }
    int err = rename_full(path);
    if (err < 0) {
        log_warn("%s: it is full and cannot be renamed: %s: it grows", path, strerror(-err));
        f->renaming_ns = clock_after_ms(RENAME_AGAIN_MS);
        free(path);
        return 0;
    }
    err = out_file_reopen(f, why);
    prune(path, &f->config);
    free(path);
    return err;
}

int out_file_prepare(struct out_file *f, uint64_t bytes, struct reason *why)
{
    struct stat st;
    int err = 0;
    if (!f->own || f->fd < 0 || fstat(f->fd, &st) < 0)
        return 0;
    if (st.st_nlink == 0) {
        log_warn("%s: it was deleted: fftd creates it again", f->config.path);
        err = out_file_reopen(f, why);
    } else if ((uint64_t)st.st_size < f->end) {
        err = cut_unfinished(f, why); /* somebody shortened it */
    }
    if (err == 0 && f->own && is_full(f, bytes))
        err = rotate(f, why);
    if (err < 0)
        out_file_close(f);
    return err;
}

/* ---- before a start ---------------------------------------------------------------------- */

static int check_contents(const struct out_file_config *c, struct reason *why)
{
    uint64_t whole;
    bool part;
    const int fd = open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const int err = fd < 0 ? refuse(c, -errno, why) : examine(c, fd, &whole, &part, why);
    if (fd >= 0)
        close(fd);
    return err;
}

int out_file_check(const struct out_file_config *c, struct reason *why)
{
    struct stat st;
    int err = 0;
    if (is_standard_output(c->path))
        return 0;
    if (stat(c->path, &st) < 0) {
        err = errno == ENOENT ? out_file_check_folder(c->path) : -errno;
        return err < 0 ? reason_set(why, err, "%s: %s", c->path, strerror(-err)) : 0;
    }
    if (S_ISDIR(st.st_mode))
        err = -EISDIR;
    else if (access(c->path, W_OK) < 0)
        err = -errno;
    if (err < 0)
        return reason_set(why, err, "%s: %s", c->path, strerror(-err));
    if (!S_ISREG(st.st_mode) || st.st_size == 0 || c->overwrite || out_file_is_inherited(c->path))
        return 0;
    return check_contents(c, why);
}
