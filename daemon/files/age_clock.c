/* age_clock.c - reads Unix time, and what contradicts it. */
#include "daemon/files/age_clock.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <time.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/unix_time.h"
#include "daemon/files/text_file.h"

enum { FILE_MAX = 128 };
static const char head[] = "fftd-clock 1 "; /* and the two times */
static const int64_t second_ns = 1000000000, jump_ns = INT64_C(60) * 1000000000,
                     save_ns = INT64_C(600) * 1000000000;

struct age_clock {
    const struct age_clock_source *source;
    char *folder;
    int64_t started_ns; /* running_ns then */
    uv_mutex_t lock;
    /* under lock */
    int64_t anchor_ns; /* the newest that is known from earlier runs */
    int64_t offset_ns; /* Unix time less running_ns, when it was read last */
    int64_t save_at_ns;
    bool logged;
};

/* ---- the system -------------------------------------------------------------------------- */

static int64_t running_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * second_ns + now.tv_nsec;
}

static int64_t distance(int64_t a, int64_t b)
{
    int64_t d;
    return __builtin_sub_overflow(a, b, &d) || d == INT64_MIN ? INT64_MAX : d < 0 ? -d : d;
}

/* systemd-timesyncd renews the file whenever it has set the clock; it is gone after a boot. */
static bool is_timesync(int64_t unix_ns)
{
    struct stat at;
    if (stat("/run/systemd/timesync/synchronized", &at) < 0)
        return false;
    const int64_t since_ns = unix_time_sum(unix_ns, -unix_time_after(0, (double)at.st_mtim.tv_sec));
    return since_ns >= -second_ns && since_ns <= running_ns() + second_ns;
}

static bool is_synchronised(int64_t unix_ns)
{
    struct timex t = {0};
    const int state = adjtimex(&t);
    const int64_t fraction_ns = t.status & STA_NANO ? t.time.tv_usec : t.time.tv_usec * 1000;
    if (state < 0 ||
        distance((int64_t)t.time.tv_sec * second_ns + fraction_ns, unix_ns) > second_ns)
        return false;
    return (state != TIME_ERROR && !(t.status & STA_UNSYNC)) || is_timesync(unix_ns);
}

const struct age_clock_source age_clock_system = {clock_unix_ns, running_ns, is_synchronised};

/* ---- the file ---------------------------------------------------------------------------- */

static char *file_name(const struct age_clock *c)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", c->folder, AGE_CLOCK_FILE) < 0 ? NULL : path;
}

static bool is_plausible(int64_t ns)
{
    return ns > 0 && ns < INT64_MAX / 2; /* the year 2116 */
}

/* A number and what follows it. */
static bool read_time(const char **at, const char *next, int64_t *ns)
{
    char *end;
    errno = 0;
    *ns = strtoll(*at, &end, 10);
    if (errno != 0 || end == *at || *end != *next || !is_plausible(*ns))
        return false;
    *at = end + 1;
    return true;
}

/* False: there is none, or it says nothing. */
static bool read_file(const struct age_clock *c, int64_t *age_ns, int64_t *unix_ns)
{
    struct text text = {0};
    struct reason why = {0};
    char line[FILE_MAX + 1] = "", *path = file_name(c);
    const char *at = line;
    if (path && text_file_read_own(&text, path, FILE_MAX, &why) == 0)
        snprintf(line, sizeof line, "%.*s", (int)text.length, text.data);
    text_finish(&text);
    free(path);
    return strncmp(at, head, sizeof head - 1) == 0 && (at += sizeof head - 1) &&
           read_time(&at, " ", age_ns) && read_time(&at, "\n", unix_ns) && *at == '\0';
}

/* A folder that cannot be written to has nothing new either. */
static void write_file(const struct age_clock *c, int64_t age_ns, int64_t unix_ns)
{
    struct text text = {0};
    struct reason why = {0};
    char *path = file_name(c);
    text_add(&text, "%s%lld %lld\n", head, (long long)age_ns, (long long)unix_ns);
    if (path && !text.failed)
        text_file_replace_own(path, &text, &why);
    text_finish(&text);
    free(path);
}

/* ---- time -------------------------------------------------------------------------------- */

/* Where the clock may be at most, unless it is synchronised. */
static int64_t bound(const struct age_clock *c)
{
    return c->anchor_ns + (c->source->running_ns() - c->started_ns);
}

static int64_t find_anchor(const struct age_clock *c, int64_t newest_ns, int64_t unix_ns)
{
    int64_t age_ns, then_ns;
    if (read_file(c, &age_ns, &then_ns))
        return then_ns > age_ns && then_ns - age_ns <= AGE_CLOCK_GAP_NS ? then_ns : age_ns;
    if (is_plausible(newest_ns) && (newest_ns <= unix_ns || unix_ns < AGE_CLOCK_FIRST_NS))
        return newest_ns;
    return unix_ns;
}

static void warn(struct age_clock *c, int64_t unix_ns, int64_t age_ns, const char *why)
{
    char says[UNIX_TIME_TEXT], counts[UNIX_TIME_TEXT];
    if (c->logged)
        return;
    c->logged = true;
    log_warn("%s: the clock of this computer %s (%.19sZ): nothing is deleted; ages count "
             "from %.19sZ until the clock is synchronised or plausible again",
             c->folder, why, unix_time_text(unix_ns, "%Y-%m-%dT%H:%M:%S", says),
             unix_time_text(age_ns, "%Y-%m-%dT%H:%M:%S", counts));
}

static void check_jump(struct age_clock *c, int64_t unix_ns, int64_t age_ns)
{
    const int64_t offset_ns = unix_ns - c->source->running_ns();
    if (distance(offset_ns, c->offset_ns) > jump_ns)
        warn(c, unix_ns, age_ns, "has jumped");
    c->offset_ns = offset_ns;
    if (unix_ns < AGE_CLOCK_FIRST_NS)
        warn(c, unix_ns, age_ns, "cannot be right");
    else if (unix_ns > age_ns && unix_ns - age_ns > AGE_CLOCK_GAP_NS)
        warn(c, unix_ns, age_ns, "is far ahead of what is stored");
}

/* With the lock held. *unix_ns: Unix time. */
static int64_t read_clock(struct age_clock *c, int64_t *unix_ns)
{
    int64_t now_ns = *unix_ns = c->source->unix_ns();
    if (c->source->synchronised(now_ns)) {
        c->anchor_ns = now_ns;
        c->started_ns = c->source->running_ns();
        c->offset_ns = now_ns - c->started_ns;
        return now_ns;
    }
    const int64_t most_ns = bound(c);
    if (now_ns < AGE_CLOCK_FIRST_NS || now_ns > most_ns)
        now_ns = most_ns;
    check_jump(c, *unix_ns, now_ns);
    return now_ns;
}

static int64_t read_and_save(struct age_clock *c, int64_t *unix_ns)
{
    uv_mutex_lock(&c->lock);
    const int64_t now_ns = read_clock(c, unix_ns), running = c->source->running_ns();
    if (running >= c->save_at_ns) {
        c->save_at_ns = running + save_ns;
        write_file(c, now_ns, *unix_ns < AGE_CLOCK_FIRST_NS ? now_ns : *unix_ns);
    }
    uv_mutex_unlock(&c->lock);
    return now_ns;
}

int64_t age_clock_now_ns(struct age_clock *c)
{
    int64_t unix_ns;
    return read_and_save(c, &unix_ns);
}

int64_t age_clock_stamp_ns(struct age_clock *c)
{
    int64_t unix_ns;
    read_and_save(c, &unix_ns);
    uv_mutex_lock(&c->lock);
    const int64_t most_ns = bound(c);
    uv_mutex_unlock(&c->lock);
    return unix_ns >= most_ns && unix_ns - most_ns <= AGE_CLOCK_GAP_NS ? unix_ns : most_ns;
}

/* ---- life -------------------------------------------------------------------------------- */

int age_clock_create(struct age_clock **out, const char *folder, int64_t newest_ns,
                     const struct age_clock_source *source)
{
    struct age_clock *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c || !(c->folder = strdup(folder)) || uv_mutex_init(&c->lock) < 0) {
        if (c)
            free(c->folder);
        free(c);
        return -ENOMEM;
    }
    c->source = source;
    c->started_ns = source->running_ns();
    const int64_t unix_ns = source->unix_ns();
    c->offset_ns = unix_ns - c->started_ns;
    c->anchor_ns = find_anchor(c, newest_ns, unix_ns);
    *out = c;
    return 0;
}

void age_clock_destroy(struct age_clock *c)
{
    if (!c)
        return;
    if (c->save_at_ns > 0) { /* it was asked for */
        c->save_at_ns = 0;
        age_clock_now_ns(c);
    }
    uv_mutex_destroy(&c->lock);
    free(c->folder);
    free(c);
}
