/* process.c - starts fftd, asks it, and reads what the kernel counts of it. */
#include "bench/daemon/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/message.h"

enum { ARGUMENTS = 128 };

/* ---- the child -------------------------------------------------------------------------- */

/* fftd in the folder of this program, else in PATH. */
static void find_sibling(char *into, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", into, size - 1);
    into[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(into, '/');
    if (slash)
        snprintf(slash + 1, size - (size_t)(slash + 1 - into), "fftd");
    if (!slash || access(into, X_OK) != 0)
        snprintf(into, size, "fftd");
}

static void run(const struct process *p, const char *program, char *const *arguments)
{
    char path[512], listen[128];
    const char *all[ARGUMENTS] = {program, "--listen", listen};
    size_t count = 3;
    snprintf(listen, sizeof listen, "unix:%s", p->socket);
    for (; *arguments && count + 1 < ARGUMENTS; arguments++)
        all[count++] = *arguments;
    if (!*program) {
        find_sibling(path, sizeof path);
        all[0] = path;
    }
    const int log = open(p->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (log >= 0) {
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
    }
    execvp(all[0], (char *const *)all);
    fprintf(stderr, "%s: %s\n", all[0], strerror(errno));
    _exit(127);
}

int process_start(struct process *p, const char *program, char *const *arguments)
{
    *p = (struct process){.folder = "/tmp/fft-bench-XXXXXX"};
    if (!mkdtemp(p->folder)) {
        const int err = -errno;
        bench_error("%s: %s", p->folder, strerror(-err));
        *p = (struct process){0};
        return err;
    }
    snprintf(p->socket, sizeof p->socket, "%s/socket", p->folder);
    snprintf(p->log, sizeof p->log, "%s/log", p->folder);
    p->pid = fork();
    if (p->pid == 0)
        run(p, program, arguments);
    return p->pid > 0 ? 0 : -errno;
}

bool process_ended(struct process *p)
{
    char text[2000];
    if (waitpid(p->pid, NULL, WNOHANG) != p->pid)
        return false;
    p->pid = 0;
    FILE *log = fopen(p->log, "re");
    const size_t size = log ? fread(text, 1, sizeof text - 1, log) : 0;
    if (log)
        fclose(log);
    text[size] = '\0';
    bench_error("fftd ended: %s", text);
    return true;
}

void process_finish(struct process *p)
{
    if (p->pid > 0) {
        kill(p->pid, SIGTERM);
        waitpid(p->pid, NULL, 0);
    }
    if (p->folder[0]) {
        unlink(p->socket);
        unlink(p->log);
        rmdir(p->folder);
    }
    *p = (struct process){0};
}

/* ---- asking ----------------------------------------------------------------------------- */

int process_connect(const struct process *p)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", p->socket);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    const int err = -errno;
    close(fd);
    return err;
}

static ssize_t read_all(int fd, char *into, size_t size)
{
    size_t used = 0;
    for (ssize_t got; used < size; used += (size_t)got)
        if ((got = read(fd, into + used, size - used)) <= 0)
            return got < 0 ? -errno : (ssize_t)used;
    return (ssize_t)used;
}

int process_get(const struct process *p, const char *path, char *into, size_t size)
{
    char request[256];
    const int fd = process_connect(p);
    if (fd < 0)
        return fd;
    const int length =
        snprintf(request, sizeof request,
                 "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
    ssize_t got = write(fd, request, (size_t)length) == length ? 0 : -EIO;
    if (got == 0)
        got = read_all(fd, into, size - 1);
    close(fd);
    if (got < 0)
        return (int)got;
    into[got] = '\0';
    const char *body = strstr(into, "\r\n\r\n");
    if (!body || strncmp(into, "HTTP/1.1 200", 12) != 0)
        return -EIO;
    memmove(into, body + 4, strlen(body + 4) + 1);
    return 0;
}

/* The text after "key": behind "object":, or NULL. */
static const char *value_of(const char *json, const char *object, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", object);
    const char *at = strstr(json, quoted);
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    at = at ? strstr(at, quoted) : NULL;
    return at ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : NULL;
}

double process_number(const char *json, const char *object, const char *key)
{
    const char *at = value_of(json, object, key);
    return at ? strtod(at, NULL) : 0;
}

void process_text(const char *json, const char *object, const char *key, char *into, size_t size)
{
    const char *at = value_of(json, object, key);
    *into = '\0';
    if (at && *at == '"')
        snprintf(into, size, "%.*s", (int)strcspn(at + 1, "\"\\"), at + 1);
}

/* ---- what the kernel counts ------------------------------------------------------------- */

static void add_thread(struct process_times *out, const char *name, double seconds)
{
    uint32_t i = 0;
    while (i < out->count && strcmp(out->thread[i].name, name) != 0)
        i++;
    if (i == PROCESS_THREADS)
        i--;
    if (i == out->count)
        snprintf(out->thread[out->count++].name, sizeof out->thread[i].name, "%s", name);
    out->thread[i].seconds += seconds;
}

/* proc(5): the name stands in brackets; fields 14 and 15 are user and system time in ticks. */
static void read_thread(const char *path, struct process_times *out)
{
    char text[512] = "";
    FILE *file = fopen(path, "re");
    const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[size] = '\0';
    char *name = strchr(text, '('), *end = strrchr(text, ')');
    char *at = end;
    for (int field = 3; at && field <= 14; field++)
        at = strchr(at + 1, ' ');
    if (!name || !at)
        return;
    const unsigned long user = strtoul(at, &at, 10), system = strtoul(at, NULL, 10);
    *end = '\0';
    add_thread(out, name + 1, (double)(user + system) / (double)sysconf(_SC_CLK_TCK));
}

void process_times(const struct process *p, struct process_times *out)
{
    char path[384];
    *out = (struct process_times){0};
    snprintf(path, sizeof path, "/proc/%d/task", (int)p->pid);
    DIR *tasks = opendir(path);
    for (const struct dirent *task; tasks && (task = readdir(tasks));) {
        snprintf(path, sizeof path, "/proc/%d/task/%s/stat", (int)p->pid, task->d_name);
        if (task->d_name[0] != '.')
            read_thread(path, out);
    }
    if (tasks)
        closedir(tasks);
}

double process_memory_mib(const struct process *p)
{
    char path[64], line[256];
    double kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)p->pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "RssAnon:", 8) == 0)
            kib = strtod(line + 8, NULL);
    if (file)
        fclose(file);
    return kib / 1024;
}
