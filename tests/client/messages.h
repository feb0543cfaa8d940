/* messages.h - parses messages of browsers for tests: accepted, or refused for a reason. */
#ifndef FFTD_TESTS_CLIENT_MESSAGES_H
#define FFTD_TESTS_CLIENT_MESSAGES_H

#include <errno.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/client/control.h"
#include "tests/support/cmocka_all.h"

static inline int message_parse(struct control *m, const char *text, struct reason *why)
{
    why->sentence[0] = '\0';
    return control_parse(m, text, strlen(text), why);
}

static inline void message_refused(const char *text, const char *because)
{
    struct control m;
    struct reason why;
    assert_int_equal(message_parse(&m, text, &why), -EINVAL);
    if (!strstr(why.sentence, because))
        fail_msg("%s was refused with \"%s\", expected \"%s\"", text, why.sentence, because);
    assert_null(strchr(why.sentence, '\n'));
    control_finish(&m);
}

static inline struct control message_accepted(const char *text)
{
    struct control m;
    struct reason why;
    if (message_parse(&m, text, &why))
        fail_msg("%s was refused: %s", text, why.sentence);
    return m;
}

#endif
