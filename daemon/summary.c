#include "daemon/summary.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/log.h"
#include "daemon/status_json.h"

static uint64_t lost_samples(const struct ledger *l)
{
    uint64_t lost = 0;
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        lost += cause == LOSS_TAIL ? 0 : l->lost[cause];
    return lost;
}

static double samples_per_second(const struct status *s)
{
    return s->seconds > 0 ? (double)s->ledger.produced / s->seconds : 0;
}

void summary_log(const struct status *s)
{
    const struct ledger *l = &s->ledger;
    log_info("%llu samples in %.3f s (%.4g MS/s): %llu frames, %llu lines; lost %llu, "
             "tail %llu, clipped %llu; %s",
             (unsigned long long)l->produced, s->seconds, samples_per_second(s) / 1e6,
             (unsigned long long)l->frames, (unsigned long long)l->lines,
             (unsigned long long)lost_samples(l), (unsigned long long)l->lost[LOSS_TAIL],
             (unsigned long long)l->clipped, s->engine);
}

static json_t *to_json(const struct status *s)
{
    json_t *object = ledger_to_json(&s->ledger);
    json_t *more =
        json_pack("{s:I, s:s, s:s, s:f, s:f, s:i, s:i, s:i}", "samples",
                  (json_int_t)s->ledger.produced, "engine", s->engine, "source", s->source,
                  "seconds", s->seconds, "samples_per_second", samples_per_second(s), "fft_size",
                  (int)s->n, "hop", (int)s->hop, "epochs", (int)s->epoch + 1);
    if (object && more)
        json_object_update(object, more);
    json_decref(more);
    return object;
}

FILE *summary_open(const char *path, char *error, size_t error_size)
{
    if (strcmp(path, "-") == 0)
        return stdout;
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file)
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
    return file;
}

int summary_begin(FILE *file)
{
    struct stat st;
    const int fd = fileno(file);
    if (file == stdout || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
        return 0;
    return ftruncate(fd, 0) < 0 ? -errno : 0;
}

int summary_write(const struct status *s, FILE *file)
{
    json_t *object = to_json(s);
    int err = object ? json_dumpf(object, file, JSON_COMPACT | JSON_REAL_PRECISION(12)) : -1;
    json_decref(object);
    fputc('\n', file);
    errno = EIO;
    if (fclose(file) != 0)
        err = -1;
    return err == 0 ? 0 : -errno;
}
