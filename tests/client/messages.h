/* messages.h - parses messages of browsers for tests: accepted, or refused for a reason. */
#ifndef FFTD_TESTS_CLIENT_MESSAGES_H
#define FFTD_TESTS_CLIENT_MESSAGES_H

#include <errno.h>
#include <string.h>

#include "daemon/client/control.h"
#include "tests/support/cmocka_all.h"

static inline int message_parse(struct control *m, const char *text, char *error, size_t size)
{
    error[0] = '\0';
    return control_parse(m, text, strlen(text), error, size);
}

static inline void message_refused(const char *text, const char *because)
{
    struct control m;
    char error[200];
    assert_int_equal(message_parse(&m, text, error, sizeof error), -EINVAL);
    if (!strstr(error, because))
        fail_msg("%s was refused with \"%s\", expected \"%s\"", text, error, because);
    assert_null(strchr(error, '\n'));
    control_finish(&m);
}

static inline struct control message_accepted(const char *text)
{
    struct control m;
    char error[200];
    if (message_parse(&m, text, error, sizeof error))
        fail_msg("%s was refused: %s", text, error);
    return m;
}

#endif
