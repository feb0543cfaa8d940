/* test_link.c - what a link does with a connection that comes, ends, and is refused. The connection
 * is a script of this test. */
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/nats/link.h"

/* ---- a broker in a script ---------------------------------------------------------------- */

enum { TRIES = 8, FRAMES = 8 };

struct try_script {
    bool connects, stays;        /* stays: it ends by the link alone */
    bool stops;                  /* the link is to end while it connects */
    const char *why;             /* link_broker_why after it */
    struct link_frame f[FRAMES]; /* what it sends; then the connection is over */
    unsigned frames;
    uint64_t dropped;
};

static struct {
    struct try_script script[TRIES];
    unsigned tries, at; /* tries so far; frames of the running one */
    atomic_uint destroyed;
    char reports[TRIES][64]; /* "": NULL */
    unsigned reported, seldom;
} broker;

static struct try_script *running(void)
{
    return &broker.script[broker.tries > 0 ? broker.tries - 1 : 0];
}

int __wrap_link_check(const struct nats_options *options, struct reason *why);
int __wrap_link_check(const struct nats_options *options, struct reason *why)
{
    return options->url ? 0 : reason_set(why, -EINVAL, "no url");
}

int __wrap_link_broker_create(struct link_broker **out, const struct link_broker_config *config);
int __wrap_link_broker_create(struct link_broker **out, const struct link_broker_config *config)
{
    assert_string_equal(config->name, "test");
    *out = (struct link_broker *)&broker;
    return 0;
}

void __wrap_link_broker_destroy(struct link_broker *b);
void __wrap_link_broker_destroy(struct link_broker *b)
{
    broker.destroyed += b != NULL;
}

bool __wrap_link_broker_connect(struct link_broker *b, bool (*give_up)(void *user), void *user);
bool __wrap_link_broker_connect(struct link_broker *b, bool (*give_up)(void *user), void *user)
{
    (void)b;
    if (give_up(user) || broker.tries == TRIES)
        return false;
    broker.tries++;
    broker.at = 0;
    if (running()->stops)
        link_end(user);
    return running()->connects;
}

void __wrap_link_broker_disconnect(struct link_broker *b);
void __wrap_link_broker_disconnect(struct link_broker *b)
{
    (void)b;
}

const char *__wrap_link_broker_why(const struct link_broker *b);
const char *__wrap_link_broker_why(const struct link_broker *b)
{
    (void)b;
    return running()->why;
}

bool __wrap_link_broker_accepted(const struct link_broker *b);
bool __wrap_link_broker_accepted(const struct link_broker *b)
{
    (void)b;
    return running()->connects;
}

bool __wrap_link_broker_crashed(const struct link_broker *b);
bool __wrap_link_broker_crashed(const struct link_broker *b)
{
    (void)b;
    return strcmp(running()->why, "crash") == 0;
}

int __wrap_link_broker_next(struct link_broker *b, int timeout_ms, struct link_frame *out);
int __wrap_link_broker_next(struct link_broker *b, int timeout_ms, struct link_frame *out)
{
    (void)b;
    if (broker.at < running()->frames) {
        *out = running()->f[broker.at++];
        return 1;
    }
    if (timeout_ms > 0 && running()->stays)
        uv_sleep(1);
    return timeout_ms > 0 && !running()->stays ? -1 : 0;
}

uint64_t __wrap_link_broker_take_dropped(struct link_broker *b);
uint64_t __wrap_link_broker_take_dropped(struct link_broker *b)
{
    (void)b;
    const uint64_t dropped = running()->dropped;
    running()->dropped = 0;
    return dropped;
}

void __wrap_link_retry_report(struct link_retry *r, const char *why);
void __wrap_link_retry_report(struct link_retry *r, const char *why)
{
    assert_string_equal(r->who, "tester");
    if (broker.reported < TRIES)
        snprintf(broker.reports[broker.reported++], sizeof broker.reports[0], "%s", why ? why : "");
}

/* ---- a user ------------------------------------------------------------------------------ */

struct user {
    struct link link;
    unsigned prepared, opened, closed, last; /* last: the try in which it ends the link */
    char taken[64];
    uint64_t dropped;
    bool useless, waits;
    const char *bears;
};

static struct user *current;

void __wrap_link_retry_wait(const struct link_retry *r, bool seldom, const atomic_bool *stop);
void __wrap_link_retry_wait(const struct link_retry *r, bool seldom, const atomic_bool *stop)
{
    struct user *u = current;
    (void)r;
    (void)stop;
    broker.seldom += seldom;
    if (broker.tries >= u->last)
        link_end(&u->link);
}

static void prepare(void *user)
{
    struct user *u = user;
    u->prepared++;
}

static bool opened(void *user)
{
    struct user *u = user;
    u->opened++;
    return !u->useless;
}

static bool step(void *user)
{
    struct user *u = user;
    return link_read(&u->link, LINK_POLL_MS);
}

static void closed(void *user)
{
    struct user *u = user;
    u->closed++;
}

static void take(void *user, const struct link_frame *f)
{
    struct user *u = user;
    strncat(u->taken, f->subject, sizeof u->taken - strlen(u->taken) - 1);
}

static void dropped(void *user, uint64_t count)
{
    struct user *u = user;
    u->dropped += count;
}

static bool bears(void *user, const char *text)
{
    const struct user *u = user;
    return u->bears && strcmp(text, u->bears) == 0;
}

static const char *why_ended(void *user, const char *from_broker)
{
    const struct user *u = user;
    return u->useless ? "of no use" : strcmp(from_broker, "silent") == 0 ? NULL : from_broker;
}

static bool is_done(void *user)
{
    const struct user *u = user;
    return !u->waits;
}

static const struct link_ops all_ops = {.prepare = prepare,
                                        .opened = opened,
                                        .step = step,
                                        .closed = closed,
                                        .take = take,
                                        .dropped = dropped,
                                        .bears = bears,
                                        .why = why_ended,
                                        .is_done = is_done};
static const struct link_ops fewest_ops = {.opened = opened, .step = step, .take = take};

static void start(struct user *u, const struct link_ops *ops)
{
    static const struct nats_options options = {.url = "nats://a"};
    struct reason why;
    const struct link_config config = {.thread = "link",
                                       .who = "tester",
                                       .then = "again",
                                       .broker = {.options = &options, .name = "test"},
                                       .ops = ops,
                                       .user = u};
    current = u;
    assert_int_equal(link_start(&u->link, &config, &why), 0);
}

/* Runs the tries of the script to their end. */
static void run_tries(struct user *u, const struct link_ops *ops, unsigned tries)
{
    u->last = tries;
    start(u, ops);
    uv_thread_join(&u->link.thread);
    u->link.running = false;
    link_finish(&u->link);
    assert_int_equal(broker.destroyed, 1);
    assert_int_equal(broker.tries, tries);
}

static struct link_frame frame(enum link_frame_kind kind, const char *subject, const char *data)
{
    return (struct link_frame){
        .kind = kind, .subject = subject, .data = (const void *)data, .size = strlen(data)};
}

static int begin(void **state)
{
    (void)state;
    memset(&broker, 0, sizeof broker);
    return 0;
}

/* ---- cases ------------------------------------------------------------------------------- */

static void a_connection_that_fails_is_tried_again_and_reported(void **state)
{
    (void)state;
    struct user u = {0};
    broker.script[0] = (struct try_script){.why = "refused"};
    broker.script[1] = (struct try_script){.connects = true, .why = "gone"};
    broker.script[2] = (struct try_script){.why = "crash"};
    run_tries(&u, &all_ops, 3);
    assert_int_equal(u.prepared, 3);
    assert_int_equal(u.opened, 1);
    assert_int_equal(u.closed, 1);
    assert_int_equal(broker.reported, 3);
    assert_string_equal(broker.reports[0], "refused");
    assert_string_equal(broker.reports[1], "gone");
    assert_string_equal(broker.reports[2], "crash");
    assert_int_equal(broker.seldom, 1); /* after the crash */
}

static void the_hooks_that_are_optional_may_be_absent(void **state)
{
    (void)state;
    struct user u = {0};
    broker.script[0] = (struct try_script){.connects = true,
                                           .why = "gone",
                                           .f = {frame(LINK_FRAME_REFUSED, "", "no right")},
                                           .frames = 1,
                                           .dropped = 3};
    broker.script[1] = (struct try_script){.connects = true, .why = "gone"};
    run_tries(&u, &fewest_ops, 2);
    assert_string_equal(broker.reports[0], "no right");
    assert_string_equal(broker.reports[1], "gone");
}

static void frames_reach_the_user_in_their_order_and_what_had_no_room_is_counted(void **state)
{
    (void)state;
    struct user u = {0};
    broker.script[0] = (struct try_script){.connects = true,
                                           .why = "gone",
                                           .f = {frame(LINK_FRAME_MESSAGE, "a", ""),
                                                 frame(LINK_FRAME_NOBODY, "b", ""),
                                                 frame(LINK_FRAME_MESSAGE, "c", "")},
                                           .frames = 3,
                                           .dropped = 7};
    run_tries(&u, &all_ops, 1);
    assert_string_equal(u.taken, "abc");
    assert_int_equal(u.dropped, 7);
}

static void a_refusal_ends_the_connection_unless_the_user_bears_it(void **state)
{
    (void)state;
    struct user u = {.bears = "no requests"};
    broker.script[0] = (struct try_script){.connects = true,
                                           .stays = true,
                                           .why = "gone",
                                           .f = {frame(LINK_FRAME_REFUSED, "", "no lines"),
                                                 frame(LINK_FRAME_REFUSED, "", "no requests"),
                                                 frame(LINK_FRAME_MESSAGE, "a", "")},
                                           .frames = 3};
    broker.script[1] = (struct try_script){.connects = true, .why = "gone"};
    run_tries(&u, &all_ops, 2);
    assert_string_equal(u.taken, "a");
    assert_int_equal(broker.reported, 2);
    assert_string_equal(broker.reports[0], "no lines");
    assert_string_equal(broker.reports[1], "gone"); /* the refusal is of one connection */
    assert_int_equal(broker.seldom, 1);
}

static void the_user_says_why_or_leaves_the_line_to_another_thread(void **state)
{
    (void)state;
    struct user u = {0};
    broker.script[0] = (struct try_script){.connects = true, .why = "silent"};
    run_tries(&u, &all_ops, 1);
    assert_int_equal(broker.reported, 1);
    assert_string_equal(broker.reports[0], "");

    begin(NULL);
    struct user useless = {.useless = true};
    broker.script[0] = (struct try_script){.connects = true, .why = "silent"};
    run_tries(&useless, &all_ops, 1);
    assert_string_equal(broker.reports[0], "of no use");
    assert_int_equal(useless.closed, 0);
}

static void a_stop_ends_a_connection_without_a_report(void **state)
{
    (void)state;
    struct user u = {0};
    for (int i = 0; i < TRIES; i++)
        broker.script[i] = (struct try_script){.connects = true, .stays = true, .why = "gone"};
    start(&u, &all_ops);
    link_stop(&u.link);
    link_stop(&u.link);
    assert_int_equal(broker.reported, 0);
    assert_int_equal(u.opened, u.closed);
    assert_int_equal(broker.destroyed, 0);
    link_finish(&u.link);
    assert_int_equal(broker.destroyed, 1);
}

static void a_try_that_a_stop_ends_is_not_reported(void **state)
{
    (void)state;
    struct user u = {0};
    broker.script[0] = (struct try_script){.stops = true, .why = "gave up"};
    run_tries(&u, &all_ops, 1);
    assert_int_equal(broker.reported, 0);
}

/* What waits when the link is to end gets one more try. */
static void what_waits_at_the_end_gets_one_try(void **state)
{
    (void)state;
    struct user u = {.waits = true};
    for (int i = 0; i < TRIES; i++)
        broker.script[i] = (struct try_script){.why = "away"};
    u.link.ends = true;
    run_tries(&u, &all_ops, 1);
    assert_int_equal(broker.reported, 1);
    assert_string_equal(broker.reports[0], "away");
}

static void options_that_are_wrong_start_nothing(void **state)
{
    (void)state;
    struct user u = {0};
    static const struct nats_options none = {0};
    struct reason why;
    const struct link_config config = {
        .broker = {.options = &none, .name = "test"}, .ops = &all_ops, .user = &u};
    assert_int_equal(link_start(&u.link, &config, &why), -EINVAL);
    assert_string_equal(why.sentence, "no url");
    link_finish(&u.link);
    assert_int_equal(broker.tries, 0);
    assert_int_equal(broker.destroyed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_connection_that_fails_is_tried_again_and_reported, begin),
        cmocka_unit_test_setup(the_hooks_that_are_optional_may_be_absent, begin),
        cmocka_unit_test_setup(frames_reach_the_user_in_their_order_and_what_had_no_room_is_counted,
                               begin),
        cmocka_unit_test_setup(a_refusal_ends_the_connection_unless_the_user_bears_it, begin),
        cmocka_unit_test_setup(the_user_says_why_or_leaves_the_line_to_another_thread, begin),
        cmocka_unit_test_setup(a_stop_ends_a_connection_without_a_report, begin),
        cmocka_unit_test_setup(a_try_that_a_stop_ends_is_not_reported, begin),
        cmocka_unit_test_setup(what_waits_at_the_end_gets_one_try, begin),
        cmocka_unit_test_setup(options_that_are_wrong_start_nothing, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
