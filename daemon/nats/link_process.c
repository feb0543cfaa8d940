/* link_process.c - connects to the broker, publishes, and passes on what comes. */
#include "daemon/nats/link_process.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <nats/nats.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/bytes.h"
#include "daemon/base/log.h"
#include "daemon/nats/link_frame.h"
#include "daemon/nats/link_options.h"

enum {
    FLUSH_MS = 2000,
    WAITING_MAX = 32 << 10, /* messages that wait for fftd, of each subscription */
    WAITING_BYTES = 8 << 20,
    MEMORY_BYTES = 256 << 20 /* of the process: libnats believes the sizes that a broker states */
};

struct process;

struct subscription {
    struct process *process;
    unsigned id;
    int64_t dropped; /* by libnats, as reported so far; used by its thread of deliveries */
    natsSubscription *handle;
};

/* One for the process. */
struct process {
    natsOptions *options;
    natsConnection *connection;
    char **subject; /* [subjects] */
    unsigned subjects;
    struct subscription subscription[LINK_SUBJECTS];
    pthread_mutex_t lock; /* of writing */
    pthread_mutex_t gate; /* held while it connects: messages come after UP */
};

/* ---- to fftd ----------------------------------------------------------------------------- */

/* Without fftd there is nothing to be done. */
static void send_frame(struct process *p, const struct link_frame *f)
{
    pthread_mutex_lock(&p->lock);
    const int err = link_frame_write(LINK_PROCESS_FD, f);
    pthread_mutex_unlock(&p->lock);
    if (err < 0 && err != -EMSGSIZE)
        _exit(EXIT_SUCCESS);
}

static void send_text(struct process *p, enum link_frame_kind kind, const char *text)
{
    send_frame(p, &(struct link_frame){.kind = kind, .data = text, .size = strlen(text)});
}

static void send_dropped(struct process *p, uint64_t count)
{
    uint8_t data[8];
    bytes_put(data, count, sizeof data);
    send_frame(p,
               &(struct link_frame){.kind = LINK_FRAME_DROPPED, .data = data, .size = sizeof data});
}

/* libnats begins its text with the place in its source: "(conn.c:2088): ". */
static const char *skip_place(const char *text)
{
    const char *end = text && text[0] == '(' ? strstr(text, "): ") : NULL;
    return end ? end + 3 : text;
}

static void describe(natsStatus status, const char *error, char *into, size_t size)
{
    const char *text = natsStatus_GetText(status), *last = skip_place(error);
    const bool more = last && last[0] && strcmp(last, text) != 0;
    snprintf(into, size, "%s%s%s", text, more ? ": " : "", more ? last : "");
    into[strcspn(into, "\r\n")] = '\0';
}

/* ---- threads of libnats ------------------------------------------------------------------ */

static void pass_gate(struct process *p)
{
    pthread_mutex_lock(&p->gate);
    pthread_mutex_unlock(&p->gate);
}

/* Messages that libnats dropped because fftd, or this process, was too slow. */
static void note_dropped(struct subscription *to, natsSubscription *handle)
{
    int64_t dropped = 0;
    if (natsSubscription_GetDropped(handle, &dropped) != NATS_OK || dropped <= to->dropped)
        return;
    send_dropped(to->process, (uint64_t)(dropped - to->dropped));
    to->dropped = dropped;
}

static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *m,
                       void *user)
{
    struct subscription *to = user;
    const int size = natsMsg_GetDataLength(m);
    const struct link_frame f = {.kind = natsMsg_IsNoResponders(m) ? LINK_FRAME_NOBODY
                                                                   : LINK_FRAME_MESSAGE,
                                 .id = to->id,
                                 .subject = natsMsg_GetSubject(m),
                                 .reply = natsMsg_GetReply(m),
                                 .data = natsMsg_GetData(m),
                                 .size = size > 0 ? (size_t)size : 0};
    (void)connection;
    pass_gate(to->process);
    if (f.size > LINK_FRAME_DATA || strlen(f.subject) >= LINK_FRAME_TEXT ||
        (f.reply && strlen(f.reply) >= LINK_FRAME_TEXT))
        send_dropped(to->process, 1);
    else
        send_frame(to->process, &f);
    natsMsg_Destroy(m);
    note_dropped(to, subscription);
}

static void on_closed(natsConnection *connection, void *user)
{
    struct process *p = user;
    const char *last = NULL;
    char why[256];
    const natsStatus status = natsConnection_GetLastError(connection, &last);
    describe(status == NATS_OK ? NATS_CONNECTION_CLOSED : status, last, why, sizeof why);
    send_text(p, LINK_FRAME_CLOSED, why);
}

static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status,
                     void *user)
{
    struct process *p = user;
    const char *text = NULL;
    (void)subscription;
    if (status != NATS_NOT_PERMITTED)
        return;
    pass_gate(p);
    natsConnection_GetLastError(connection, &text);
    send_text(p, LINK_FRAME_REFUSED, text ? text : "");
}

/* ---- the connection ---------------------------------------------------------------------- */

static natsStatus subscribe(struct process *p)
{
    natsStatus s = NATS_OK;
    for (unsigned i = 0; s == NATS_OK && i < p->subjects; i++) {
        struct subscription *to = &p->subscription[i];
        *to = (struct subscription){.process = p, .id = i};
        s = natsConnection_Subscribe(&to->handle, p->connection, p->subject[i], on_message, to);
        if (s == NATS_OK)
            s = natsSubscription_SetPendingLimits(to->handle, WAITING_MAX, WAITING_BYTES);
    }
    return s;
}

static void connect_once(struct process *p)
{
    const char *last = NULL;
    char why[256];
    natsStatus s = natsConnection_Connect(&p->connection, p->options);
    if (s != NATS_OK) {
        last = nats_GetLastError(NULL);
        describe(s, last, why, sizeof why);
        send_text(p, LINK_FRAME_FAILED, why);
        return;
    }
    s = subscribe(p);
    if (s == NATS_OK)
        s = natsConnection_FlushTimeout(p->connection, FLUSH_MS);
    if (s == NATS_OK) {
        send_frame(p, &(struct link_frame){.kind = LINK_FRAME_UP});
        return;
    }
    natsConnection_GetLastError(p->connection, &last);
    describe(s, last, why, sizeof why);
    send_text(p, LINK_FRAME_CLOSED, why);
}

static void publish(struct process *p, const struct link_frame *f)
{
    const bool is_reply = f->kind == LINK_FRAME_PUBLISH_REPLY;
    const char *last = NULL;
    char why[256];
    const natsStatus s =
        f->reply[0] ? natsConnection_PublishRequest(p->connection, f->subject, f->reply, f->data,
                                                    (int)f->size)
                    : natsConnection_Publish(p->connection, f->subject, f->data, (int)f->size);
    if (s == NATS_OK || (is_reply && (s == NATS_MAX_PAYLOAD || s == NATS_INVALID_SUBJECT)))
        return;
    if (s == NATS_MAX_PAYLOAD) { /* and would be again */
        log_warn("nats: %s has %zu bytes, more than the broker accepts", f->subject, f->size);
        return;
    }
    natsConnection_GetLastError(p->connection, &last);
    describe(s, last, why, sizeof why);
    send_text(p, LINK_FRAME_CLOSED, why);
}

/* Ends with the socket: fftd is gone, or does not want this process any more. */
static void serve(struct process *p)
{
    struct link_frame_reader reader = {0};
    struct link_frame f;
    while (link_frame_read(&reader, LINK_PROCESS_FD, -1, &f) >= 0) {
        if (f.kind == LINK_FRAME_CONNECT && !p->connection) {
            pthread_mutex_lock(&p->gate);
            connect_once(p);
            pthread_mutex_unlock(&p->gate);
        } else if (p->connection &&
                   (f.kind == LINK_FRAME_PUBLISH || f.kind == LINK_FRAME_PUBLISH_REPLY)) {
            publish(p, &f);
        }
    }
}

/* ---- the process ------------------------------------------------------------------------- */

static void limit_memory(void)
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    struct rlimit now = {0};
    getrlimit(RLIMIT_DATA, &now);
    if (now.rlim_cur > MEMORY_BYTES &&
        setrlimit(RLIMIT_DATA, &(struct rlimit){MEMORY_BYTES, MEMORY_BYTES}) < 0)
        log_warn("nats: a broker may take all memory: RLIMIT_DATA: %s", strerror(errno));
#endif
}

/* A machine without memory ends this process rather than fftd. */
static void offer_to_oom_killer(void)
{
    const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (write(fd, "1000", 4) != 4)
        log_warn("nats: /proc/self/oom_score_adj: %s", strerror(errno));
    close(fd);
}

/*
 * What ends fftd reaches this process as well, and is fftd's to decide. A crash writes no core: the
 * broker decides how often there is one.
 */
static void limit_process(void)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (poll(&(struct pollfd){.fd = LINK_PROCESS_FD}, 1, 0) != 0)
        _exit(EXIT_SUCCESS); /* fftd ended before that */
    prctl(PR_SET_NAME, "fftd-link");
    close_range(LINK_PROCESS_FD + 1, ~0U, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    limit_memory();
    offer_to_oom_killer();
}

static int make_options(struct process *p, char **argv, struct reason *why)
{
    const struct nats_options o = {
        .url = argv[LINK_ARG_URL],
        .credentials = argv[LINK_ARG_CREDENTIALS][0] ? argv[LINK_ARG_CREDENTIALS] : NULL,
        .ca = argv[LINK_ARG_CA][0] ? argv[LINK_ARG_CA] : NULL};
    const int err = link_options_create(&p->options, &o, argv[LINK_ARG_NAME], why);
    if (err < 0)
        return err;
    natsStatus s = natsOptions_SetClosedCB(p->options, on_closed, p);
    if (s == NATS_OK)
        s = natsOptions_SetErrorHandler(p->options, on_error, p);
    if (s == NATS_OK) /* one thread, so that messages of all subjects stay in their order */
        s = natsOptions_UseGlobalMessageDelivery(p->options, true);
    if (s == NATS_OK && argv[LINK_ARG_PING][0])
        s = link_options_set_ping(p->options);
    return s == NATS_OK ? 0 : -ENOMEM;
}

bool link_process_is_asked(int argc, char **argv)
{
    return argc > LINK_ARG_PROCESS && strcmp(argv[LINK_ARG_PROCESS], LINK_PROCESS) == 0;
}

int link_process_run(int argc, char **argv)
{
    static struct process p = {.lock = PTHREAD_MUTEX_INITIALIZER,
                               .gate = PTHREAD_MUTEX_INITIALIZER};
    struct reason why = {.sentence = "no memory"};
    int type;
    socklen_t size = sizeof type;
    if (argc < LINK_ARG_SUBJECTS || argc > LINK_ARG_SUBJECTS + LINK_SUBJECTS ||
        getsockopt(LINK_PROCESS_FD, SOL_SOCKET, SO_TYPE, &type, &size) < 0) {
        log_error(LINK_PROCESS ": fftd starts this process itself, for --nats and --hub");
        return EXIT_FAILURE;
    }
    limit_process();
    p.subject = argv + LINK_ARG_SUBJECTS;
    p.subjects = (unsigned)(argc - LINK_ARG_SUBJECTS);
    if (make_options(&p, argv, &why) < 0)
        send_text(&p, LINK_FRAME_CLOSED, why.sentence);
    else
        serve(&p);
    _exit(EXIT_SUCCESS); /* threads of libnats may be anywhere */
}
